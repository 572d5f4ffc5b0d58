import Configuration
import Platform
import Testing

@testable import Notifier

/// A person who chooses other kinds of activity in the middle of one cycle after the other.
@Suite(.timeLimit(.minutes(1)))
struct ChangingKindsTests {
    private func choose(_ kinds: Set<ActivityKind>, in world: PollingWorld) async throws {
        let now = world.time.wallNow
        try await world.store.transaction { [account = world.account] store in
            var settings = try store.settings(of: account)
            settings.activityKinds = kinds.map(\.rawValue).sorted()
            try store.setSettings(settings, of: account, at: now)
        }
    }

    @Test func `whoever goes on choosing is not kept without news`() async throws {
        let world = try await PollingWorld(by: .perItem) { $0.activities = "comments" }
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.gitlab.add(.note(11), at: PollingWorld.notes(3))
        for round in 1...6 {
            _ = try await poller.load()
            try await choose(round.isMultiple(of: 2) ? [.comments] : [.comments, .states], in: world)
            world.time.advance(by: .seconds(10))
            try await poller.runCycle()
            if round < 4 { #expect(try await world.notified().isEmpty) }
        }
        #expect(try await world.notified() == [["note/1/11"]])
        // From then on what is stored as a reading is recorded counts again.
        _ = try await poller.load()
        try await choose([], in: world)
        world.gitlab.add(.note(12), at: PollingWorld.notes(3))
        world.time.advance(by: .seconds(10))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }
}
