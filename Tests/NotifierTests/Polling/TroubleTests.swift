import Configuration
import Crypto
import HTTP
import Platform
import SQLite
import Synchronization
import Testing

@testable import Notifier

private let notes = PollingWorld.notes(3)

/// What the poller does when GitLab refuses, limits or fails.
@Suite(.timeLimit(.minutes(1)))
struct TroubleTests {
    @Test(arguments: [
        makeText(429, "Retry later", [("Retry-After", "3600")]),
        makeJSON(429, #"{"message":{"error":"too many times"}}"#, [("Retry-After", "3600")]),
    ])
    func `trap 25: a 429 ends the cycle and holds the account back for as long as GitLab says`(
        response: HTTPResponse
    ) async throws {
        let world = try await PollingWorld(watching: [3, 4, 5]) { $0.itemConcurrency = 1 }
        let poller = try await world.makePoller()
        world.gitlab.trouble { $0.target.contains("/3/notes") ? .response(response) : nil }
        try await poller.runCycle()
        // To-dos, the sweep, and the list that is refused.
        #expect(world.gitlab.count == 3)
        let plan = await poller.plan
        let wait = world.time.monotonicNow.duration(to: plan.at)
        #expect(plan.action == .cycle)
        #expect(wait > .seconds(3_600) && wait <= .seconds(3_631))
        #expect(world.log.count(of: .pollRateLimited) == 1)
    }

    @Test func `an outage is given up soon, probed by single requests, and told after its time`() async throws {
        let world = try await PollingWorld(watching: Array(3...22)) { $0.itemConcurrency = 1 }
        let poller = try await world.makePoller()
        world.gitlab.trouble { _ in .response(makeText(502, "GitLab is not responding")) }
        try await poller.runCycle()
        #expect(world.gitlab.count == 6)
        #expect(world.log.count(of: .pollGivenUp) == 1)
        var failing = Duration.zero
        while failing < .minutes(15) {
            #expect(try await world.notified() == [])
            let plan = await poller.plan
            #expect(plan.action == .probe)
            let wait = world.time.monotonicNow.duration(to: plan.at)
            #expect(wait <= .seconds(60))
            failing += wait
            world.time.advance(by: wait)
            let before = world.gitlab.count
            try await poller.runProbe()
            #expect(world.gitlab.count == before + 1)
        }
        #expect(try await world.notified() == [["service_trouble"]])
        world.gitlab.trouble(nil)
        world.gitlab.add(.note(11), at: notes)
        try await poller.runProbe()
        let plan = await poller.plan
        #expect(plan == PollPolicy.Plan(action: .cycle, at: world.time.monotonicNow))
        try await poller.runCycle()
        #expect(try await world.notified() == [["service_trouble"], ["note/1/11"], ["service_recovered"]])
    }

    @Test(arguments: [
        makeText(200, "<html>Sign in</html>"), makeJSON(200, #"{"message":"hello"}"#), makeJSON(200, "[{"),
        makeJSON(302, ""),
    ])
    func `trap 24: an answer that cannot be read is no empty list`(response: HTTPResponse) async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: notes)
        world.gitlab.trouble { _ in .response(response) }
        try await poller.runCycle()
        #expect(await poller.plan.action == .probe)
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 0)
        world.gitlab.trouble(nil)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `trap 21: a dead token is told once, and the account rests`() async throws {
        let world = try await PollingWorld(watching: [3, 4])
        let poller = try await world.makePoller()
        let body = #"{"error":"invalid_token","error_description":"Token was revoked. You have to re-authorize"}"#
        world.gitlab.trouble { _ in .response(makeJSON(401, body)) }
        try await poller.runCycle()
        #expect(world.gitlab.targets.map { String($0.prefix { $0 != "?" }) } == [PollingWorld.items, "/api/v4/user"])
        #expect(try await world.notified() == [["auth_expired"]])
        #expect(try await world.number("SELECT count(*) FROM accounts WHERE state = 'auth_expired'") == 1)
        try await poller.recheckToken()
        #expect(try await world.notified() == [["auth_expired"]])
        world.gitlab.trouble(nil)
        try await poller.recheckToken()
        #expect(try await world.number("SELECT count(*) FROM accounts WHERE state = 'active'") == 1)
        #expect(await poller.plan == PollPolicy.Plan(action: .cycle, at: world.time.monotonicNow))
    }

    @Test func `a dead token is noticed though a limit lets through one request a cycle`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        let body = #"{"error":"invalid_token","error_description":"Token was revoked. You have to re-authorize"}"#
        let expected: [[[String]]] = [[], [["auth_expired"]]]
        for notified in expected {
            let asked = Mutex(0)
            world.gitlab.trouble { _ in
                let isFirst = asked.withLock { count in
                    count += 1
                    return count == 1
                }
                let refusal = makeText(429, "Retry later", [("Retry-After", "2")])
                return .response(isFirst ? makeJSON(401, body) : refusal)
            }
            try await poller.runCycle()
            #expect(try await world.notified() == notified)
            world.time.advance(by: .seconds(8))
        }
    }

    @Test func `a verdict on a token that was replaced meanwhile is none`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        let (store, account) = (world.store, world.account)
        let other = try world.context.sealer.seal(Secret("glpat-other"), for: "account-1")
        let body = #"{"error":"invalid_token","error_description":"Token was revoked. You have to re-authorize"}"#
        world.gitlab.trouble { request in
            request.fields["PRIVATE-TOKEN"] == "glpat-other" ? nil : .response(makeJSON(401, body))
        }
        world.gitlab.afterAnswer { request in
            guard request.path == "/api/v4/user" else { return }
            try? await store.transaction { try $0.setAccessToken(other, of: account) }
        }
        world.gitlab.add(.note(11), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        #expect(try await world.number("SELECT count(*) FROM accounts WHERE state = 'active'") == 1)
        world.gitlab.afterAnswer(nil)
        _ = try await poller.load()
        #expect(await poller.plan == PollPolicy.Plan(action: .cycle, at: world.time.monotonicNow))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `trap 21: a 401 on one question leaves the others alone`() async throws {
        let world = try await PollingWorld(watching: [3, 4])
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: PollingWorld.notes(4))
        world.gitlab.trouble { request in
            request.target.contains("/3/") ? .response(makeJSON(401, #"{"message":"401 Unauthorized"}"#)) : nil
        }
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
        #expect(world.gitlab.targets.count { $0 == "/api/v4/user" } == 1)
        #expect(await poller.plan.action == .cycle)
    }

    @Test func `an unexplained 401 is asked about again before it counts`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.trouble { _ in .response(makeJSON(401, #"{"message":"401 Unauthorized"}"#)) }
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        let plan = await poller.plan
        #expect(world.time.monotonicNow.duration(to: plan.at) == .seconds(60))
        world.time.advance(by: .seconds(60))
        try await poller.runProbe()
        #expect(try await world.notified() == [["auth_expired"]])
        for _ in 0..<2 {
            #expect(await poller.plan.at == world.time.monotonicNow.advanced(by: .minutes(2)))
            world.time.advance(by: .minutes(2))
            try await poller.recheckToken()
        }
        #expect(try await world.notified() == [["auth_expired"]])
    }

    @Test(arguments: [
        makeJSON(404, #"{"message":"404 Not found"}"#), makeJSON(403, #"{"message":"403 Forbidden"}"#),
    ])
    func `trap 22: an item that is refused stops neither the account nor its watch`(response: HTTPResponse) async throws
    {
        let world = try await PollingWorld(watching: [3, 4])
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: PollingWorld.notes(4))
        world.gitlab.trouble { $0.target.contains("/merge_requests/3/") ? .response(response) : nil }
        world.gitlab.unlist(3)
        for _ in 0..<15 {
            try await poller.runCycle()
            world.time.advance(by: .seconds(60))
        }
        #expect(try await world.notified() == [["note/1/11"]])
        #expect(world.log.count(of: .watchPaused) == 1)
        #expect(try await world.number("SELECT missing_count FROM watches WHERE item_iid = 3") >= 3)
        #expect(try await world.number("SELECT count(*) FROM accounts WHERE state = 'active'") == 1)
        world.gitlab.trouble(nil)
        world.gitlab.unlist(3, false)
        world.time.advance(by: .minutes(30))
        world.gitlab.add(.note(12), at: PollingWorld.notes(3))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"], ["note/1/12"]])
        #expect(try await world.number("SELECT count(*) FROM watches WHERE missing_since IS NOT NULL") == 0)
    }

    @Test func `where everything is forbidden without a word the person is told, and no watch is given up`()
        async throws
    {
        let world = try await PollingWorld(watching: [3])
        let poller = try await world.makePoller()
        world.gitlab.trouble { _ in .response(makeJSON(403, #"{"message":"403 Forbidden"}"#)) }
        for _ in 0..<15 {
            switch await poller.plan.action {
            case .probe: try await poller.runProbe()
            case .cycle: try await poller.runCycle()
            }
            world.time.advance(by: .minutes(2))
        }
        #expect(try await world.notified() == [["service_trouble"]])
        #expect(world.log.count(of: .watchPaused) == 0 && world.log.count(of: .watchMissing) == 0)
        world.gitlab.trouble(nil)
        world.gitlab.add(.note(11), at: PollingWorld.notes(3))
        world.time.advance(by: .minutes(2))
        try await poller.runCycle()
        #expect(try await world.notified().contains(["note/1/11"]))
    }

    @Test func `a blocked person is asked for less and less and stays registered`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        let body = #"{"message":"403 Forbidden - Your account has been blocked."}"#
        world.gitlab.trouble { _ in .response(makeJSON(403, body)) }
        try await poller.runCycle()
        #expect(await poller.plan.action == .probe)
        #expect(world.log.count(of: .pollRefused) == 1)
        #expect(try await world.number("SELECT count(*) FROM watches WHERE missing_count > 0") == 0)
    }

    @Test func `items that fail alone do not keep the others from being read for ever`() async throws {
        let world = try await PollingWorld(watching: Array(3...12)) { $0.itemConcurrency = 1 }
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: PollingWorld.notes(12))
        world.gitlab.trouble { request in
            let isBroken = (3...8).contains { request.target.contains("/merge_requests/\($0)/") }
            return isBroken ? .response(makeText(500, "")) : nil
        }
        try await poller.runCycle()
        #expect(await poller.plan.action == .probe)
        var steps = 0
        while try await world.notified().isEmpty, steps < 10 {
            steps += 1
            if await poller.plan.action == .probe { try await poller.runProbe() } else { try await poller.runCycle() }
        }
        #expect(try await world.notified() == [["note/1/11"]])
    }

    /// Six requests go at once, and each of the others waits.
    @Test(arguments: [(ChangeDetection.perItem, 9), (.sweep, 10)])
    func `trap 26: a short budget makes requests wait, leaves none out, and widens the interval`(
        detection: ChangeDetection,
        requests: Int
    ) async throws {
        let world = try await PollingWorld(watching: [3, 4, 5, 6], by: detection) {
            $0.requestsPerHour = 60
            $0.itemConcurrency = 1
        }
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: PollingWorld.notes(6))
        async let cycle: Void = poller.runCycle()
        for _ in 6..<requests { await world.time.advanceToNextWake() }
        try await cycle
        #expect(world.gitlab.count == requests)
        #expect(try await world.notified() == [["note/1/11"]])
        let wait = world.time.monotonicNow.duration(to: await poller.plan.at)
        #expect(wait > .minutes(5))
        #expect(world.log.count(of: .budgetWaited) == 1)
    }
}
