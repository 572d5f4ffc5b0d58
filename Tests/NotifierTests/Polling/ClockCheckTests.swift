import Platform
import Testing

@testable import Notifier

struct ClockCheckTests {
    private let now = WallTime(secondsSinceEpoch: 1_800_000_000)

    @Test(arguments: [1, -1])
    func `a clock that is far off is told once, and once that it is right again`(sign: Int) {
        var check = ClockCheck()
        let changes = [0, 89, 90, 86_400, 46, 44, 89, 100].map { seconds in
            check.take(now.advanced(by: .seconds(seconds * sign)), at: now)
        }
        #expect(changes == [.none, .none, .differs, .none, .none, .agrees, .none, .differs])
    }

    @Test func `what GitLab's answers say of the clocks reaches the log and the metrics`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        for (date, isTold) in [("Fri, 15 Jan 2027 08:00:01 GMT", false), ("Thu, 14 Jan 2027 08:00:00 GMT", true)] {
            world.gitlab.setDate(date)
            let todo = MiniGitLab.Row.todo(isTold ? 21 : 20, "assigned", by: 7, at: "2027-01-15T08:00:00.000Z")
            world.gitlab.add(todo, at: PollingWorld.todos)
            try await poller.runCycle()
            #expect(world.log.count(of: .clockDiffers) == (isTold ? 1 : 0))
        }
    }

    @Test func `what was written while a server was down is told though its clock has lost days`() async throws {
        let world = try await PollingWorld()
        try await world.makePoller().runCycle()
        world.time.advance(by: .hours(2))
        world.time.stepWall(by: .days(-3))
        world.gitlab.setDate("Fri, 15 Jan 2027 10:00:00 GMT")
        world.gitlab.add(.note(11, at: "2027-01-15T09:00:00.000Z"), at: PollingWorld.notes(3))
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }
}
