import Configuration
import Platform
import SQLite
import Testing

@testable import Notifier

/// What is forgotten, and that nothing forgotten comes back as news.
@Suite(.timeLimit(.minutes(1)))
struct RetentionTests {
    @Test func `told facts leave at their age, a batch at a time`() async throws {
        let world = try await PollingWorld()
        let now = world.time.wallNow
        try await world.store.transaction { [account = world.account] store in
            for number in 1...1_200 {
                let notified = now.advanced(by: number <= 1_100 ? .days(-91) : .days(-89))
                try store.insertNotifiedFact(.todo(Int64(number)), to: account, occurredAt: notified, at: notified)
            }
        }
        let metrics = MetricsRegistry(tellsPeopleApart: false)
        let configuration = NotifierConfiguration()
        let purge = RetentionPurge(
            store: world.store,
            time: world.time,
            rules: RetentionRule.all(configuration),
            log: Log(sink: world.log),
            metrics: metrics
        )
        for rule in purge.rules { await purge.purge(rule) }
        #expect(try await world.number("SELECT count(*) FROM notified_facts") == 100)
        #expect(MetricsText.render(metrics).contains("rows_purged_total{table=\"notified_facts\"} 1100\n"))
    }

    @Test func `dead devices leave once nothing is known of what was sent to them, and nobody is signed in there`()
        async throws
    {
        let world = try await PollingWorld()
        let now = world.time.wallNow
        let (old, young) = (now.advanced(by: .days(-31)), now.advanced(by: .days(-29)))
        try await world.store.transaction { [account = world.account] store in
            for (number, state, at) in [
                (1, "dead", old), (2, "dead", young), (3, "active", old), (4, "held", old), (5, "dead", old),
                (6, "dead", old),
            ] {
                try store.database.execute(
                    """
                    INSERT INTO devices (
                        id, public_id, account_id, apns_token, token_ciphertext, token_nonce, token_key_version,
                        environment, platform, state, registered_at, state_changed_at
                    ) VALUES (
                        ?1, 'device-' || ?1, ?2, 'token-' || ?1, x'00', zeroblob(12), 1, 'production', 'ios', ?3, ?4, ?4
                    )
                    """,
                    number,
                    account,
                    state,
                    at
                )
            }
            try store.database.execute(
                """
                INSERT INTO sessions (public_id, account_id, device_public_id, platform, created_at, refreshed_at)
                VALUES ('session', ?, 'device-5', 'ios', 1, 1)
                """,
                account
            )
            try store.database.execute(
                """
                INSERT INTO notifications (
                    id, public_id, account_id, kind, category, title, body, fact_keys, payload, thread_id, collapse_id,
                    created_at, expires_at
                ) VALUES (1, 'told', ?, 'test', 'GITLAB_ACTIVITY', '', '', '', x'00', '', 'told', ?, ?)
                """,
                account,
                now,
                now
            )
            try store.database.execute(
                """
                INSERT INTO deliveries (notification_id, device_id, environment, apns_id, state, next_attempt_at)
                VALUES (1, 6, 'production', 'apns-id', 'dead', 1)
                """
            )
        }
        try await forget("devices", in: world)
        #expect(try await world.number("SELECT count(*) FROM devices") == 5)
        #expect(try await world.number("SELECT count(*) FROM devices WHERE id = 1") == 0)
    }

    @Test func `that something was unwatched long ago is forgotten, and that it was dismissed is not`() async throws {
        let world = try await PollingWorld(watching: [])
        let now = world.time.wallNow
        let (old, young) = (now.advanced(by: .days(-91)), now.advanced(by: .days(-89)))
        try await world.store.transaction { [account = world.account] store in
            for (iid, choice, at) in [
                (1, ItemChoice.Choice.unwatched, old), (2, .unwatched, young), (3, .dismissed, old),
            ] as [(Int64, ItemChoice.Choice, WallTime)] {
                let item = ItemReference(project: ProjectID(rawValue: 1), kind: .issue, iid: iid)
                try store.setChoice(ItemChoice(choice: choice, changedAt: at), on: item, nil, of: account, at: at)
            }
        }
        #expect(try await world.number("SELECT count(*) FROM sync_rows WHERE entity = 'choice'") == 3)
        try await forget("item_choices", in: world)
        #expect(try await world.number("SELECT count(*) FROM item_choices WHERE item_iid > 1") == 2)
        #expect(try await world.number("SELECT count(*) FROM item_choices") == 2)
        #expect(try await world.number("SELECT count(*) FROM sync_rows WHERE entity = 'choice'") == 2)
    }

    @Test func `sessions that were not refreshed in time leave`() async throws {
        let world = try await PollingWorld(watching: [])
        let now = world.time.wallNow
        try await world.store.transaction { [account = world.account] store in
            for (number, age) in [(1, 61), (2, 59)] as [(UInt8, Int)] {
                _ = try store.insertSession(
                    publicID: "session-\(number)",
                    of: account,
                    device: nil,
                    refreshToken: [UInt8](repeating: number, count: 32),
                    expiresAt: now,
                    at: now.advanced(by: .zero - .days(age))
                )
            }
        }
        try await forget("sessions", in: world)
        #expect(try await world.number("SELECT count(*) FROM sessions WHERE public_id = 'session-2'") == 1)
        #expect(try await world.number("SELECT count(*) FROM sessions") == 1)
    }

    @Test func `the token of a key that is used no more leaves after a day`() async throws {
        let world = try await PollingWorld()
        let now = world.time.wallNow
        try await world.store.transaction { store in
            let sealed = SealedSecret(ciphertext: [0], nonce: [UInt8](repeating: 0, count: 12), keyVersion: 1)
            for (key, age) in [("former", Duration.hours(25)), ("present", .minutes(50))] {
                let issued = now.advanced(by: .zero - age)
                try store.setProviderToken(sealed, issuedAt: issued, keyID: key, teamID: "team")
            }
        }
        try await forget("provider_tokens", in: world)
        #expect(try await world.number("SELECT count(*) FROM provider_tokens") == 1)
        #expect(try await world.number("SELECT count(*) FROM provider_tokens WHERE key_id = 'present'") == 1)
    }

    /// Carries out the rule of one table.
    private func forget(_ table: String, in world: PollingWorld) async throws {
        let rule = try #require(RetentionRule.all(NotifierConfiguration()).first { $0.table == table })
        let end = world.time.wallNow.advanced(by: .zero - rule.age)
        _ = try await world.store.transaction { try rule.purge($0, end, 500) }
    }

    @Test func `a to-do that stays is not told again however old it gets`() async throws {
        let world = try await PollingWorld()
        world.gitlab.add(.todo(5, "assigned"), at: PollingWorld.todos)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.notified() == [["todo/5"]])
        for _ in 1...3 {
            world.time.advance(by: .days(60))
            try await poller.runCycle()
            try await forgetNotifiedFacts(world)
        }
        #expect(try await world.number("SELECT count(*) FROM notified_facts") == 0)
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["todo/5"]])
    }

    @Test func `a to-do that is long gone is forgotten`() async throws {
        let world = try await PollingWorld()
        for id in [5, 6] { world.gitlab.add(.todo(Int64(id), "assigned"), at: PollingWorld.todos) }
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.gitlab.remove(5, at: PollingWorld.todos)
        world.time.advance(by: .days(80))
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM seen_todos") == 2)
        world.time.advance(by: .days(11))
        try await poller.runCycle()
        #expect(try await world.number("SELECT todo_id FROM seen_todos") == 6)
        #expect(try await world.notified() == [["todo/5", "todo/6"]])
    }

    @Test func `a wall clock that jumps forgets no to-do that is listed`() async throws {
        let world = try await PollingWorld()
        world.gitlab.add(.todo(5, "assigned"), at: PollingWorld.todos)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.time.advance(by: .hours(2))
        world.time.stepWall(by: .days(4_000))
        try await poller.runCycle()
        try await forgetNotifiedFacts(world)
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["todo/5"]])
    }

    /// The clock is 400 days ahead when the daily work is due, and right again the next day; or an earlier process saw it right.
    @Test(arguments: [false, true])
    func `on a day on which the clock has leapt ahead nothing is forgotten`(isAheadAtStart: Bool) async throws {
        let world = try await PollingWorld()
        let now = world.time.wallNow
        try await world.store.transaction { [account = world.account] store in
            try store.insertNotifiedFact(.todo(5), to: account, occurredAt: now, at: now)
            try store.setLastPoll(now, completeAt: now, of: account)
        }
        if isAheadAtStart { world.time.stepWall(by: .days(400)) }
        let purge = RetentionPurge(
            store: world.store,
            time: world.time,
            rules: RetentionRule.all(NotifierConfiguration()),
            log: Log(sink: world.log),
            metrics: MetricsRegistry(tellsPeopleApart: false)
        )
        // Cancelled at the end.
        let work = Task { try await purge.run() }
        await world.time.sleepers(1)
        if !isAheadAtStart { world.time.stepWall(by: .days(400)) }
        // Ahead, right again, ahead, and a day later still: then it is taken for right.
        let days: [(step: Duration, left: Int64)] = [(.zero, 1), (.days(-400), 1), (.days(400), 1), (.zero, 0)]
        for (step, left) in days {
            world.time.stepWall(by: step)
            await world.time.advanceToNextWake()
            await world.time.sleepers(1)
            #expect(try await world.number("SELECT count(*) FROM notified_facts") == left)
        }
        #expect(world.log.count(of: .purgePutOff) == 2)
        work.cancel()
    }

    @Test func `what was told is kept longer than any reading looks back`() {
        var configuration = NotifierConfiguration()
        configuration.reconcileEvery = .days(7)
        configuration.overlap = .days(1)
        configuration.dedupeRetention = .days(8)
        #expect(throws: ConfigurationError.self) { try configuration.validate() }
        configuration.dedupeRetention = .days(9)
        #expect(throws: Never.self) { try configuration.validate() }
    }

    private func forgetNotifiedFacts(_ world: PollingWorld) async throws {
        let end = world.time.wallNow
        try await world.store.transaction {
            _ = try $0.purgeNotifiedFacts(before: end.advanced(by: .seconds(1)), limit: 100)
        }
    }
}
