import Platform
import ScenarioFixtures
import Testing

@testable import Verdict

/// Whether a device could be pushed to.
struct DeviceFatesTests {
    private func isUsable(_ builder: RecordBuilder, from start: Int, until end: Int) -> Bool {
        DeviceFates(builder.record).hasUsable(
            for: RecordBuilder.maria,
            on: RecordBuilder.phone,
            from: .seconds(start),
            until: .seconds(end)
        )
    }

    @Test func `what APNs takes for another token says nothing of the one that it had ended`() {
        var builder = RecordBuilder()
        builder.push([], at: 100, id: "n0", status: 410, reason: "Unregistered")
        builder.push([], at: 700, id: "n1")
        #expect(isUsable(builder, from: 50, until: 200), "it has taken the same again")
        builder.record.pushTokenChanges = [
            PushTokenChangeRecord(person: RecordBuilder.maria, device: RecordBuilder.phone, at: .seconds(600))
        ]
        #expect(isUsable(builder, from: 10, until: 90))
        #expect(!isUsable(builder, from: 50, until: 200))
        #expect(!isUsable(builder, from: 200, until: 650))
        #expect(isUsable(builder, from: 600, until: 800))
    }
}
