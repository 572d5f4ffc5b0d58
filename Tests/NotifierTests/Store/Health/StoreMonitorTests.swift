import Platform
import Testing

@testable import Notifier
@testable import SQLite

/// The watch over a real database, whose room is bounded by SQLite itself.
struct StoreMonitorTests {
    private let time = ManualTime()
    private let metrics = MetricsRegistry(tellsPeopleApart: false)
    private let log = LogRecorder()
    private let watch: StoreMonitor
    private let store: StoreActor

    init() throws {
        let database = try makeDeliveryDatabase()
        watch = StoreMonitor(time: time, sink: log, metrics: metrics)
        store = StoreActor(database: database, executor: nil, watch: watch)
    }

    private func setRoom(_ pages: Int) async throws {
        try await store.read { try $0.database.executeScript(SQL(text: "PRAGMA max_page_count = \(pages)")) }
    }

    /// Fills pages of the database.
    private func grow() async throws {
        try await store.transaction { store in
            for number in 1...2_000 {
                try store.database.execute("INSERT INTO removed_accounts VALUES (?, 0)", 1_000_000 + number)
            }
        }
    }

    private func value(_ metric: Metric, _ reason: String) -> Int64? {
        metrics.snapshot[metric.rawValue].values[MetricsRegistry.Series(labels: [reason])]
    }

    @Test func `a full database is told of once, counted each time, and over when writes pass again`() async throws {
        try await setRoom(1)
        for _ in 1...3 { await #expect(throws: SQLiteError.full) { try await grow() } }
        #expect(watch.reason == .full)
        #expect(value(.databaseFailing, "full") == 1_000_000 && value(.databaseFailing, "io_error") == 0)
        #expect(value(.databaseFailures, "full") == 3)
        #expect(log.count(of: .storeFailing) == 1 && log.count(of: .storeRecovered) == 0)
        try await setRoom(1_000_000)
        time.advance(by: .seconds(61))
        try await grow()
        #expect(watch.reason == nil && value(.databaseFailing, "full") == 0)
        #expect(log.count(of: .storeFailing) == 1 && log.count(of: .storeRecovered) == 1)
    }

    @Test func `a commit of nothing proves nothing`() async throws {
        try await setRoom(1)
        await #expect(throws: SQLiteError.full) { try await grow() }
        time.advance(by: .minutes(5))
        try await store.transaction { _ in }
        #expect(watch.reason == .full)
    }

    @Test func `a probe writes, and leaves nothing behind`() async throws {
        time.advance(by: .minutes(2))
        #expect(watch.nextProbe <= time.monotonicNow)
        try await store.transaction { try $0.probeWrite() }
        #expect(watch.nextProbe == time.monotonicNow.advanced(by: StoreHealth.probeAfter))
        let rows = try await store.read { try $0.rowCounts()["removed_accounts"] }
        #expect(rows == 0)
        try await store.read { try $0.database.executeScript("PRAGMA query_only = ON") }
        await #expect(throws: SQLiteError.readOnly) { try await store.transaction { try $0.probeWrite() } }
        #expect(watch.reason == .readOnly)
    }

    @Test func `a broken rule of the schema says nothing of the disk`() async throws {
        await #expect(throws: SQLiteError.self) {
            try await store.transaction { try $0.database.execute("INSERT INTO schema_migrations VALUES (1, 0)") }
        }
        #expect(watch.reason == nil)
    }

    @Test func `what comes with every failure is written once in each trouble`() async throws {
        let log = Log(sink: log, watch: watch)
        for _ in 1...2 { log.write(.claimFailed) }
        watch.failed(.full)
        for _ in 1...5 {
            log.write(.claimFailed)
            log.write(.pollStoreFailed)
            log.write(.backupFailed)
        }
        #expect(self.log.count(of: .claimFailed) == 3 && self.log.count(of: .pollStoreFailed) == 1)
        #expect(self.log.count(of: .backupFailed) == 5)
        time.advance(by: .minutes(2))
        watch.committed()
        log.write(.claimFailed)
        #expect(self.log.count(of: .claimFailed) == 4)
        watch.failed(.full)
        for _ in 1...2 { log.write(.claimFailed) }
        #expect(self.log.count(of: .claimFailed) == 5, "the next trouble is told anew")
    }

    @Test func `a backup without room is no trouble of the database`() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        await #expect(throws: SQLiteError.self) { _ = try await store.copy(to: "\(folder.path)/missing/copy.sqlite") }
        #expect(watch.reason == nil)
    }
}
