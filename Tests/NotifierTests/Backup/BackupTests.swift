import Configuration
import Glibc
import Platform
import Synchronization
import Testing

@testable import Notifier
@testable import SQLite

struct BackupTests {
    /// Spoils what the service believes it has written.
    private struct SpoilingFolder: BackupDestination {
        let folder: LiveBackupFolder
        let damage: @Sendable (Database) throws -> Void

        func names() throws -> [String] { try folder.names() }
        func unfinished() throws -> [String] { try folder.unfinished() }
        func begin(_ name: String) throws -> String { try folder.begin(name) }
        func finish(_ name: String) throws -> Int { try folder.finish(name) }
        func remove(_ name: String) throws { try folder.remove(name) }

        func open(_ name: String) throws -> Database {
            let database = try folder.open(name)
            try damage(database)
            return database
        }
    }

    private let time = ManualTime()
    private let metrics = MetricsRegistry(tellsPeopleApart: false)
    private let log = LogRecorder()

    private func makeService(_ store: StoreActor, _ destination: any BackupDestination) -> BackupService {
        BackupService(store: store, destination: destination, time: time, log: Log(sink: log), metrics: metrics)
    }

    /// Runs `body` with a database on disk that has rows in every table, and an empty folder.
    private func withFolder(_ body: (StoreActor, LiveBackupFolder, String) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let database = try FilledDatabase.make()
        try await body(
            StoreActor(database: database, executor: nil),
            try LiveBackupFolder(path: "\(folder.path)/backups"),
            "\(folder.path)/backups"
        )
    }

    @Test func `a backup holds everything and nobody else can read it`() async throws {
        try await withFolder { store, folder, path in
            try await makeService(store, folder).make()
            let names = try folder.names()
            #expect(names == [BackupSchedule.name(at: time.wallNow)])
            var status = stat()
            #expect(stat("\(path)/\(names[0])", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            let copy = try Store(Database(path: "\(path)/\(names[0])"))
            let expected = try await store.read { try $0.rowCounts() }
            let found = try copy.rowCounts()
            #expect(found == expected)
            #expect(found["notifications"] == 6 && found["deliveries"] == 5 && found["seen_notes"] == 3)
            #expect(log.count(of: .backupMade) == 1)
        }
    }

    /// Runs what it is given at once, and counts it.
    private final class CountingExecutor: SerialExecutor {
        let jobs = Mutex(0)

        func enqueue(_ job: consuming ExecutorJob) {
            jobs.withLock { $0 += 1 }
            UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    @Test func `a backup with a reader of its own waits for nobody, and nobody for it`() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = "\(folder.path)/notifier.db"
        try FilledDatabase.make().execute("VACUUM INTO ?", path)
        let (own, others) = (CountingExecutor(), CountingExecutor())
        let backups = try LiveBackupFolder(path: "\(folder.path)/backups")
        var service = makeService(StoreActor(database: try Database(path: path), executor: others), backups)
        service.reader = BackupReader(executor: own) { try Database(path: path) }
        // Somebody is writing all the time.
        let writer = try Database(path: path)
        try writer.execute("BEGIN IMMEDIATE")
        try await service.make()
        try writer.execute("COMMIT")
        let names = try backups.names()
        #expect(names == [BackupSchedule.name(at: time.wallNow)])
        #expect(own.jobs.withLock { $0 } > 0 && others.jobs.withLock { $0 } == 0)
        let found = try Store(Database(path: "\(folder.path)/backups/\(names[0])")).rowCounts()
        let expected = try Store(writer).rowCounts()
        #expect(found == expected)
    }

    @Test func `a backup is made by hand while a server writes`() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = "\(folder.path)/notifier.db"
        try FilledDatabase.make().execute("VACUUM INTO ?", path)
        let server = try Database(path: path)
        let backups = try LiveBackupFolder(path: "\(folder.path)/backups")
        try server.execute("BEGIN IMMEDIATE")
        try server.execute("DELETE FROM notified_facts")
        let (name, summary) = try Maintenance.backUp(path, to: backups, at: deliveryStart)
        try server.execute("ROLLBACK")
        #expect(try backups.names() == [name])
        #expect(try summary.rows == Store(server).rowCounts().values.reduce(0, +))
    }

    @Test func `a server goes on from a backup with what was queued`() async throws {
        try await withFolder { store, folder, path in
            try await makeService(store, folder).make()
            let name = try #require(try folder.names().first)
            let restored = try Database(path: "\(path)/\(name)")
            try Store.migrate(restored, at: time.wallNow)
            let copy = Store(restored)
            let reclaimed = try restored.transaction {
                let policy = DeliveryPolicy(NotifierConfiguration())
                return try copy.reclaimLeases(endedBy: nil, keeping: [], by: policy, at: deliveryStart)
            }
            #expect(reclaimed.map(\.id.rawValue) == [3])
            let names = try copy.activeAccounts().map(\.username)
            #expect(names == ["maria"])
            let watches = try copy.watches(of: AccountID(rawValue: 1)).map(\.publicID)
            #expect(watches == ["watch-1", "watch-2"])
            let due = try copy.nextDue(.production)
            #expect(due == deliveryStart)
        }
    }

    @Test(arguments: [
        (BackupError.incomplete, "DELETE FROM notified_facts"),
        (.damaged, "PRAGMA foreign_keys = OFF; UPDATE deliveries SET device_id = 99 WHERE id = 1"),
    ])
    func `a copy that is not good never becomes a backup`(error: BackupError, damage: String) async throws {
        try await withFolder { store, folder, path in
            let spoiling = SpoilingFolder(folder: folder) { try $0.executeScript(SQL(text: damage)) }
            await #expect(throws: error) { try await makeService(store, spoiling).make() }
            let names = try folder.names()
            #expect(names.isEmpty)
            #expect(TemporaryFolder.entries(of: path).isEmpty)
        }
    }

    /// Takes nothing. Asked far too often it says that there is a new backup, so that a service that does not wait comes to rest.
    private final class FullFolder: BackupDestination {
        private let questions = Mutex(0)

        func names() throws -> [String] {
            let count = questions.withLock { count in
                count += 1
                return count
            }
            return count > 50 ? [BackupSchedule.name(at: deliveryStart)] : []
        }

        func unfinished() throws -> [String] { [] }
        func begin(_ name: String) throws -> String { throw SQLiteError.full }
        func open(_ name: String) throws -> Database { throw SQLiteError.full }
        func finish(_ name: String) throws -> Int { throw SQLiteError.full }
        func remove(_ name: String) throws {}
    }

    @Test func `a backup that fails is counted, and tried again an hour later and not at once`() throws {
        let world = DeliveryWorld()
        let service = BackupService(
            store: StoreActor(database: try makeDeliveryDatabase(), executor: nil),
            destination: FullFolder(),
            time: world,
            log: Log(sink: log),
            metrics: metrics
        )
        let running = world.start { try await service.run() }
        defer { running.cancel() }
        world.advance(by: BackupSchedule.firstDelay)
        #expect(log.count(of: .backupFailed) == 1)
        world.advance(by: .minutes(59))
        #expect(log.count(of: .backupFailed) == 1)
        world.advance(by: .minutes(2))
        #expect(log.count(of: .backupFailed) == 2)
        #expect(metrics.snapshot[Metric.backupFailures.rawValue].values.values.reduce(0, +) == 2)
    }

    @Test func `seven are kept, and what is none of ours stays`() async throws {
        try await withFolder { store, folder, path in
            let service = makeService(store, folder)
            #expect(creat("\(path)/notes.txt", 0o600) >= 0)
            for _ in 1...9 {
                try await service.make()
                time.advance(by: .days(1))
            }
            let names = try folder.names()
            #expect(names.count == 7)
            #expect(names == (3...9).map { BackupSchedule.name(at: ManualTime().wallNow.advanced(by: .days($0 - 1))) })
            #expect(TemporaryFolder.entries(of: path).contains("notes.txt"))
            #expect(TemporaryFolder.entries(of: path).count == 8)
        }
    }

    @Test func `a crash while one was written leaves nothing that looks like a backup`() async throws {
        try await withFolder { store, folder, path in
            let name = BackupSchedule.name(at: time.wallNow)
            let place = try folder.begin(name)
            try await store.read { try $0.copy(to: place) }
            let unfinished = try folder.names()
            #expect(unfinished.isEmpty)
            try await makeService(store, folder).make()
            let names = try folder.names()
            #expect(names == [name])
            #expect(TemporaryFolder.entries(of: path) == [name])
        }
    }

    @Test func `backups from the future drive none out, and stay`() async throws {
        try await withFolder { store, folder, path in
            let future = (1...7).map { BackupSchedule.name(at: time.wallNow.advanced(by: .days(365 + $0))) }
            for name in future { #expect(creat("\(path)/\(name)", 0o600) >= 0) }
            let service = makeService(store, folder)
            for _ in 1...9 {
                try await service.make()
                time.advance(by: .days(1))
            }
            let made = (3...9).map { BackupSchedule.name(at: ManualTime().wallNow.advanced(by: .days($0 - 1))) }
            let names = try folder.names()
            #expect(names == (made + future).sorted())
        }
    }

    @Test func `what an interruption left goes once nobody can be writing it`() async throws {
        try await withFolder { store, folder, path in
            let (old, new) = (time.wallNow.advanced(by: .days(-2)), time.wallNow.advanced(by: .hours(-1)))
            for name in [old, new].map(BackupSchedule.name) {
                let place = try folder.begin(name)
                for ending in ["-journal", "-wal"] { #expect(creat(place + ending, 0o600) >= 0) }
            }
            #expect(creat("\(path)/notes.part-journal", 0o600) >= 0)
            try await makeService(store, folder).make()
            let left = BackupSchedule.name(at: new)
            let expected = ["\(left).part", "\(left).part-journal", "\(left).part-wal", "notes.part-journal"]
            #expect(TemporaryFolder.entries(of: path) == ([BackupSchedule.name(at: time.wallNow)] + expected).sorted())
            let unfinished = try folder.unfinished()
            #expect(unfinished == [left])
        }
    }

    @Test func `the first is made soon, the next a day later, whatever restarts there are`() {
        let now = deliveryStart
        #expect(BackupSchedule.wait(names: [], at: now) == .zero)
        let made = [BackupSchedule.name(at: now.advanced(by: .hours(-5)))]
        #expect(BackupSchedule.wait(names: made, at: now) == .hours(19))
        #expect(BackupSchedule.wait(names: made, at: now.advanced(by: .hours(30))) == .zero)
        let future = [BackupSchedule.name(at: now.advanced(by: .days(9)))]
        #expect(BackupSchedule.wait(names: future, at: now) == .zero)
    }

    @Test(arguments: [
        "notifier-.sqlite", "notifier-1x.sqlite", "notifier-1.sqlite.part", "other-1.sqlite",
        "notifier-9999999999999.sqlite",
    ])
    func `a name that is none of ours is left alone`(name: String) {
        #expect(BackupSchedule.instant(of: name) == nil)
        #expect(BackupSchedule.expired(names: [String](repeating: name, count: 20), at: deliveryStart).isEmpty)
    }
}
