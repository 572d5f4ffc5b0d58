import Platform
import Testing

@testable import Notifier

private let notes = PollingWorld.notes(3)

/// What an earlier process noted by a clock that was ahead says nothing of how long ago that was.
@Suite(.timeLimit(.minutes(1)))
struct StoredAgeTests {
    @Test func `what lies ahead was a day ago, for all that is known`() {
        let now = FactFixtures.now
        #expect(StoredAge.of(now.advanced(by: .minutes(-5)), at: now) == .minutes(5))
        #expect(StoredAge.of(now, at: now) == .zero)
        #expect(StoredAge.of(now.advanced(by: .hours(3)), at: now) == .days(1))
    }

    @Test func `news of the downtime is told on what was watched by a clock ahead`() async throws {
        let world = try await PollingWorld(watching: [])
        world.time.stepWall(by: .hours(3))
        try await world.watch(3)
        world.time.stepWall(by: .zero - .hours(3))
        world.time.advance(by: .minutes(40))
        world.gitlab.setDate("Fri, 15 Jan 2027 08:39:58 GMT")
        world.gitlab.add(.note(11, at: "2027-01-15T08:20:00.000Z"), at: notes)
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }
}
