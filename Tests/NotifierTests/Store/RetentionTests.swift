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
