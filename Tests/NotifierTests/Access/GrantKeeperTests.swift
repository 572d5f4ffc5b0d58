import Crypto
import HTTP
import Platform
import Testing

@testable import Notifier
@testable import SQLite

/// Polling in the name of somebody who signed in through GitLab.
@Suite(.timeLimit(.minutes(1)))
struct GrantKeeperTests {
    private let world: PollingWorld
    private let oauth = MiniOAuth()

    init() async throws {
        world = try await PollingWorld()
        let end = world.time.wallNow.advanced(by: .hours(2))
        let (account, now) = (world.account, world.time.wallNow)
        let access = try world.context.sealer.seal(Secret(oauth.access), for: "account-1")
        let refresh = try world.context.sealer.seal(Secret(oauth.refresh), for: "account-1")
        try await world.store.transaction { store in
            try store.setAccessToken(access, of: account)
            try store.setGrant(OAuthGrant(grantedAt: now, accessEndsAt: end, refresh: refresh), of: account)
        }
        world.gitlab.trouble { [oauth] in oauth.answer($0) }
    }

    private func expectNoSecret(_ location: SourceLocation = #_sourceLocation) {
        #expect(!world.log.messages.contains { $0.contains("s3cr3t") }, sourceLocation: location)
    }

    private func storedRefresh() async throws -> String {
        let grant = try await world.store.read { [account = world.account] in try $0.grant(of: account) }
        return try world.context.sealer.open(try #require(grant).refresh, for: "account-1").exposedText
    }

    @Test func `requests carry the access token, which is renewed ahead of its end`() async throws {
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(oauth.renewals == 0)
        world.time.advance(by: .hours(2) - .minutes(15))
        try await poller.runCycle()
        #expect(oauth.renewals == 1)
        #expect(try await storedRefresh() == oauth.refresh)
        #expect(world.gitlab.exchanges.allSatisfy { $0.status != 401 })
        expectNoSecret()
    }

    @Test func `a renewal keeps what was remembered of the lists`() async throws {
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.time.advance(by: .hours(1) + .minutes(50))
        world.gitlab.forgetExchanges()
        try await poller.runCycle()
        #expect(world.gitlab.exchanges.contains { $0.isConditional && $0.status == 304 })
        let after = try await world.makePoller()
        try await after.runCycle()
        #expect(try await world.notified() == [])
    }

    @Test func `a refused access token is renewed at once`() async throws {
        let poller = try await world.makePoller()
        world.gitlab.trouble { [oauth] request in
            // GitLab's clock is ahead: what is good for an hour here is over there.
            if oauth.renewals == 0, request.path != "/oauth/token" {
                return .response(
                    makeJSON(401, #"{"error":"invalid_token","error_description":"Token is expired."}"#)
                )
            }
            return oauth.answer(request)
        }
        try await poller.runCycle()
        #expect(oauth.renewals == 1)
        #expect(try await world.notified() == [])
        world.gitlab.add(.note(11), at: PollingWorld.notes(3))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `while the renewal is not answered the old token is used as long as it lives`() async throws {
        let poller = try await world.makePoller()
        try await poller.runCycle()
        oauth.trouble(.unknown(.timedOut))
        world.time.advance(by: .hours(2) - .minutes(10))
        world.gitlab.add(.note(11), at: PollingWorld.notes(3))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
        let before = oauth.renewals
        try await poller.runCycle()
        #expect(oauth.renewals == before)
        world.time.advance(by: .minutes(11))
        try await poller.runCycle()
        #expect(await poller.plan.action == .probe)
        #expect(try await world.notified() == [["note/1/11"]])
        oauth.trouble(nil)
        world.time.advance(by: .minutes(5))
        try await poller.runProbe()
        world.gitlab.add(.note(12), at: PollingWorld.notes(3))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"], ["note/1/12"]])
    }

    @Test func `a pair that comes when its person has left is given back`() async throws {
        let (store, account, now) = (world.store, world.account, world.time.wallNow)
        world.gitlab.trouble { [oauth] in oauth.answer($0) }
        world.gitlab.afterAnswer { request in
            guard request.path == "/oauth/token" else { return }
            try? await store.transaction { try $0.remove(account, at: now) }
        }
        world.time.advance(by: .hours(2) - .minutes(15))
        guard case .unknown = try await world.context.grants.access(of: account) else {
            Issue.record("there is no such account any more")
            return
        }
        #expect(oauth.renewals == 1)
        #expect(oauth.revocations.count == 1 && oauth.revocations[0].contains("token=\(oauth.refresh)&"))
        expectNoSecret()
    }

    @Test func `a pair that comes when its person has signed in again is given back, and theirs stands`() async throws {
        let (store, account) = (world.store, world.account)
        let now = world.time.wallNow.advanced(by: .hours(1))
        let other = try world.context.sealer.seal(Secret("refresh-other-s3cr3t"), for: "account-1")
        world.gitlab.afterAnswer { request in
            guard request.path == "/oauth/token" else { return }
            let grant = OAuthGrant(grantedAt: now, accessEndsAt: now.advanced(by: .hours(2)), refresh: other)
            try? await store.transaction { try $0.setGrant(grant, of: account) }
        }
        world.time.advance(by: .hours(2) - .minutes(15))
        guard case .unavailable = try await world.context.grants.access(of: account) else {
            Issue.record("the pair is of a grant that was replaced")
            return
        }
        #expect(oauth.revocations.count == 1 && oauth.revocations[0].contains("token=\(oauth.refresh)&"))
        #expect(try await storedRefresh() == "refresh-other-s3cr3t")
        expectNoSecret()
    }

    @Test func `a pair that the database does not take is kept and stored when it does`() async throws {
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.time.advance(by: .hours(2) - .minutes(15))
        try await world.store.read { try $0.database.executeScript("PRAGMA query_only = ON") }
        await #expect(throws: SQLiteError.readOnly) { try await poller.runCycle() }
        #expect(oauth.renewals == 1)
        try await world.store.read { try $0.database.executeScript("PRAGMA query_only = OFF") }
        world.gitlab.add(.note(11), at: PollingWorld.notes(3))
        try await poller.runCycle()
        #expect(oauth.renewals == 1)
        #expect(try await storedRefresh() == oauth.refresh)
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `no pair is asked for while the database takes nothing`() async throws {
        let watch = try #require(world.store.watch)
        let keeper = world.context.grants
        watch.failed(.full)
        world.time.advance(by: .hours(2) - .minutes(15))
        guard case .usable = try await keeper.access(of: world.account) else { return #expect(Bool(false)) }
        world.time.advance(by: .minutes(15))
        guard case .unavailable = try await keeper.access(of: world.account) else { return #expect(Bool(false)) }
        #expect(oauth.renewals == 0)
        watch.committed()
        guard case .usable = try await keeper.access(of: world.account) else { return #expect(Bool(false)) }
        #expect(oauth.renewals == 1)
    }

    @Test func `a lost answer that GitLab does not forgive is told once, and nothing is lost with the grant`()
        async throws
    {
        let poller = try await world.makePoller()
        try await poller.runCycle()
        oauth.skip()
        world.time.advance(by: .hours(2))
        world.gitlab.add(.note(11), at: PollingWorld.notes(3))
        try await poller.runCycle()
        #expect(try await world.notified() == [["auth_expired"]])
        #expect(try await world.number("SELECT count(*) FROM accounts WHERE state = 'auth_expired'") == 1)
        let before = world.gitlab.count
        try await poller.recheckToken()
        try await poller.recheckToken()
        #expect(world.gitlab.count == before)
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
        try await signInAgain()
        let after = try await world.makePoller()
        try await after.runCycle()
        #expect(try await world.notified() == [["auth_expired"], ["note/1/11"]])
        expectNoSecret()
    }

    @Test func `a grant that GitLab takes again after it had refused it is taken up again`() async throws {
        let poller = try await world.makePoller()
        try await poller.runCycle()
        oauth.trouble(.response(makeJSON(400, #"{"error":"invalid_grant"}"#)))
        world.time.advance(by: .hours(2))
        world.gitlab.add(.note(11), at: PollingWorld.notes(3))
        try await poller.runCycle()
        #expect(try await world.notified() == [["auth_expired"]])
        for _ in 0..<3 {
            let before = oauth.renewals
            world.time.advance(by: .minutes(50))
            try await poller.recheckToken()
            #expect(oauth.renewals == before)
            world.time.advance(by: .minutes(10))
            try await poller.recheckToken()
            #expect(oauth.renewals == before + 1)
        }
        #expect(world.log.count(of: .grantEnded) == 1)
        oauth.trouble(nil)
        world.time.advance(by: .hours(1))
        try await poller.recheckToken()
        #expect(try await world.number("SELECT count(*) FROM oauth_grants WHERE refused_at IS NULL") == 1)
        #expect(try await world.number("SELECT count(*) FROM accounts WHERE state = 'active'") == 1)
        try await poller.runCycle()
        #expect(try await world.notified() == [["auth_expired"], ["note/1/11"]])
    }

    private func signInAgain() async throws {
        let (account, now) = (world.account, world.time.wallNow)
        let access = try world.context.sealer.seal(Secret(oauth.access), for: "account-1")
        let grant = OAuthGrant(
            grantedAt: now,
            accessEndsAt: now.advanced(by: .hours(2)),
            refresh: try world.context.sealer.seal(Secret(oauth.refresh), for: "account-1")
        )
        try await world.store.transaction { store in
            try store.setAccessToken(access, of: account)
            try store.setGrant(grant, of: account)
            _ = try store.setState(.active, of: account)
        }
    }

    @Test func `renewals of one account follow one another`() async throws {
        world.time.advance(by: .hours(3))
        let (grants, account) = (world.context.grants, world.account)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    guard case .usable = try await grants.access(of: account) else { return false }
                    return true
                }
            }
            for try await isUsable in group { #expect(isUsable) }
        }
        #expect(oauth.renewals == 1)
    }

    @Test func `a new pair is stored before it is used`() async throws {
        world.time.advance(by: .hours(3))
        // The store refuses: then the pair is not given out either.
        _ = try await world.store.transaction { store in
            try store.database.execute(
                """
                CREATE TRIGGER full BEFORE INSERT ON oauth_grants BEGIN SELECT raise(ABORT, 'full'); END
                """
            )
        }
        let (grants, account) = (world.context.grants, world.account)
        await #expect(throws: (any Error).self) { try await grants.access(of: account) }
        #expect(world.gitlab.targets.allSatisfy { $0 == "/oauth/token" })
    }

    @Test func `GitLab's limit on renewals is respected`() async throws {
        let poller = try await world.makePoller()
        world.time.advance(by: .hours(3))
        oauth.trouble(.response(makeText(429, "Retry later", [("Retry-After", "600")])))
        try await poller.runCycle()
        let plan = await poller.plan
        #expect(world.time.monotonicNow.duration(to: plan.at) > .seconds(600))
        world.time.advance(by: .seconds(500))
        try await poller.runCycle()
        #expect(oauth.renewals == 1)
    }
}

struct OAuthRenewalTests {
    private let now = MonotonicInstant(nanoseconds: 1_000_000_000_000)
    private let wallNow = WallTime(secondsSinceEpoch: 1_800_000_000)

    private func makeGrant(left: Duration, isRefused: Bool = false) -> OAuthGrant {
        OAuthGrant(
            grantedAt: wallNow.advanced(by: .hours(-1)),
            accessEndsAt: wallNow.advanced(by: left),
            refresh: SealedSecret(ciphertext: [], nonce: [], keyVersion: 1),
            refusedAt: isRefused ? wallNow : nil
        )
    }

    @Test(arguments: [
        (Duration.hours(2), false, OAuthRenewal.Decision.use), (.minutes(16), false, .use),
        (.minutes(15), false, .renew),
        (.zero, false, .renew), (.hours(-5), false, .renew), (.hours(2), true, .renew),
    ])
    func `a token is renewed ahead of its end, and when it is refused`(
        left: Duration,
        isRejected: Bool,
        expected: OAuthRenewal.Decision
    ) {
        let decision = OAuthRenewal()
            .decide(makeGrant(left: left), isRejected: isRejected, at: now, wallNow: wallNow)
        #expect(decision == expected)
    }

    @Test(arguments: [
        (Duration.zero, OAuthRenewal.Decision.giveUp), (.minutes(54), .giveUp), (.minutes(55), .renew),
        (.hours(-1), .renew),
    ])
    func `a grant that is over is asked for once an hour`(later: Duration, expected: OAuthRenewal.Decision) {
        let grant = makeGrant(left: .hours(2), isRefused: true)
        let then = wallNow.advanced(by: later)
        #expect(OAuthRenewal().decide(grant, isRejected: false, at: now, wallNow: then) == expected)
        var renewal = OAuthRenewal()
        renewal.fail(retryAfter: nil, isOutage: true, at: now)
        let failed: OAuthRenewal.Decision = expected == .renew ? .wait : .giveUp
        #expect(renewal.decide(grant, isRejected: false, at: now, wallNow: then) == failed)
    }

    /// How long after each of seven failures in a row the question is asked again.
    private func pauses(tokenLeft left: Duration, retryAfter: Duration? = nil, isOutage: Bool) -> [Int64] {
        var renewal = OAuthRenewal()
        var pauses: [Int64] = []
        for _ in 0..<7 {
            renewal.fail(retryAfter: retryAfter, isOutage: isOutage, at: now)
            var seconds: Int64 = 0
            while renewal.decide(
                makeGrant(left: left),
                isRejected: false,
                at: now.advanced(by: .seconds(seconds)),
                wallNow: wallNow
            ) != .renew {
                seconds += 1
            }
            pauses.append(seconds)
        }
        return pauses
    }

    @Test func `questions without an answer come at growing distances`() {
        let growing: [Int64] = [20, 40, 80, 160, 300, 300, 300]
        #expect(pauses(tokenLeft: .minutes(5), isOutage: true) == growing)
        #expect(pauses(tokenLeft: .zero, isOutage: false) == growing)
        var renewal = OAuthRenewal()
        renewal.fail(retryAfter: nil, isOutage: true, at: now)
        #expect(
            renewal.decide(makeGrant(left: .minutes(5)), isRejected: false, at: now, wallNow: wallNow) == .useMeanwhile
        )
        #expect(renewal.decide(makeGrant(left: .zero), isRejected: false, at: now, wallNow: wallNow) == .wait)
    }

    @Test func `without a token that lives, no probe of an outage comes too early for the question`() {
        #expect(pauses(tokenLeft: .zero, isOutage: true) == [20, 40, 50, 50, 50, 50, 50])
        #expect(pauses(tokenLeft: .zero, retryAfter: .seconds(90), isOutage: true) == Array(repeating: 90, count: 7))
    }
}
