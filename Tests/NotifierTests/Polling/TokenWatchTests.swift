import HTTP
import Platform
import Synchronization
import Testing

@testable import Notifier

private let tokenSelf = "/api/v4/personal_access_tokens/self"

/// GitLab says that the token ends in so many days.
private func answer(_ world: PollingWorld, expiresOn date: String?) {
    let text = date.map { "\"\($0)\"" } ?? "null"
    world.gitlab.trouble { request in
        guard request.path == tokenSelf else { return nil }
        return .response(makeJSON(200, #"{"scopes":["read_api"],"active":true,"expires_at":\#(text)}"#))
    }
}

private func makeDate(_ world: PollingWorld, in days: Int) -> String {
    let date = CivilDate(world.time.wallNow.advanced(by: .days(days)))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(date.year)-\(two(date.month))-\(two(date.day))"
}

/// FR6: a person hears in time that their token will expire.
struct TokenWatchTests {
    @Test func `the token's end is read once a day`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        answer(world, expiresOn: nil)
        for _ in 0..<50 {
            world.time.advance(by: .hours(1))
            try await poller.runCycle()
        }
        #expect(world.gitlab.targets.count { $0 == tokenSelf } == 2)
        #expect(try await world.notified() == [])
    }

    @Test func `a person is warned a week and a day ahead, also over restarts`() async throws {
        let world = try await PollingWorld()
        answer(world, expiresOn: makeDate(world, in: 20))
        for _ in 0..<(19 * 8) {
            world.time.advance(by: .hours(3))
            // A restart each time: nothing is remembered but what is stored.
            let poller = try await world.makePoller()
            try await poller.runCycle()
        }
        #expect(try await world.notified() == [["token_expiring"], ["token_expiring"]])
        #expect(world.log.count(of: .authExpiring) == 2)
        #expect(world.gitlab.targets.count { $0 == tokenSelf } <= 23)
    }

    @Test func `a date that moves away in time spares the warning`() async throws {
        let world = try await PollingWorld()
        answer(world, expiresOn: makeDate(world, in: 9))
        var poller = try await world.makePoller()
        world.time.advance(by: .days(1))
        try await poller.runCycle()
        answer(world, expiresOn: makeDate(world, in: 300))
        world.time.advance(by: .days(1))
        poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.notified() == [])
    }

    @Test(arguments: [
        makeJSON(400, #"{"message":"400 Bad request"}"#), makeJSON(404, #"{"error":"404 Not Found"}"#),
    ])
    func `GitLab facts §5.3: a token that cannot be asked is no trouble`(_ response: HTTPResponse) async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.trouble { $0.path == tokenSelf ? .response(response) : nil }
        world.time.advance(by: .days(2))
        try await poller.runCycle()
        #expect(await poller.plan.action == .cycle)
        #expect(try await world.notified() == [])
    }

    /// Something before GitLab may know no such address for a while.
    @Test(arguments: [400, 404])
    func `a token that cannot be asked for a day is warned of once, and on its last day`(status: Int) async throws {
        let world = try await PollingWorld()
        let date = makeDate(world, in: 9)
        answer(world, expiresOn: date)
        let poller = try await world.makePoller()
        for day in 1...8 {
            world.time.advance(by: .days(1))
            if day == 4 || day == 8 {
                world.gitlab.trouble {
                    $0.path == tokenSelf ? .response(makeJSON(status, #"{"error":"no"}"#)) : nil
                }
            } else {
                answer(world, expiresOn: date)
            }
            try await poller.runCycle()
        }
        #expect(try await world.notified() == [["token_expiring"], ["token_expiring"]])
    }

    @Test func `a failure is asked again later and leaves polling alone`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.trouble { $0.path == tokenSelf ? .response(makeText(502, "no")) : nil }
        world.time.advance(by: .days(2))
        for _ in 0..<5 {
            try await poller.runCycle()
            world.time.advance(by: .minutes(1))
        }
        #expect(world.gitlab.targets.count { $0 == tokenSelf } == 1)
        #expect(await poller.plan.action == .cycle)
        world.time.advance(by: .minutes(10))
        try await poller.runCycle()
        #expect(world.gitlab.targets.count { $0 == tokenSelf } == 2)
    }
}
