import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios

/// What people may choose while the notifier is about to go back to a backup.
struct RestoredBackupTests {
    private static let (maria, phone) = (RecordBuilder.maria, RecordBuilder.phone)
    private static let item = RecordBuilder.request

    private func makeWorld() -> PlannedWorld {
        PlannedWorld(
            scenario: Scenario(
                name: "fixture",
                description: "A working day.",
                seed: 1,
                duration: .hours(10),
                start: WallTime(secondsSinceEpoch: 1_800_000_000),
                world: RecordBuilder.makeWorld(),
                expectations: [],
                probes: []
            )
        )
    }

    @Test func `what waits on devices without a network is not forgotten, and has to wait until it is over`() {
        var world = makeWorld()
        let choice = Action.unwatch(Self.item, by: Self.maria)
        let online = Action.device(.online, by: Self.maria, device: Self.phone)
        #expect(world.forgets(choice) != nil)
        world.apply(.device(.offline, by: Self.maria, device: Self.phone))
        #expect(world.forgets(choice) != nil, "another device may have a network")
        world.apply(.device(.offline, by: Self.maria, device: nil))
        #expect(world.forgets(choice) == nil && world.forgets(online) == nil)
        world.apply(choice)
        #expect(world.forgets(online) != nil)
        #expect(world.forgets(.app(.markRead(Self.item), by: Self.maria)) != nil, "that is not kept on a device")
        #expect(world.forgets(.duty(.join, "triage", by: Self.maria, device: nil)) != nil)
    }
}
