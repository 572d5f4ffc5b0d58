import HTTP
import Platform
import Testing

@testable import Notifier

/// The poller with a small GitLab and a clock that stands still unless it is moved.
@Suite(.timeLimit(.minutes(1)))
struct CycleTests {
    @Test func `a new comment is told once`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.told() == [])
        world.gitlab.add(.note(11), at: PollingWorld.notes(3))
        try await poller.runCycle()
        try await poller.runCycle()
        #expect(try await world.told() == [["note/1/11"]])
    }
}
