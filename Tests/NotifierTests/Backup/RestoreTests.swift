import Glibc
import Platform
import Testing

@testable import Notifier
@testable import SQLite

/// What may stand in a file that somebody restores from. The fuzzers' target `backups` tries more of it.
struct RestoreTests {
    private let folder: TemporaryFolder
    private var backup: String { "\(folder.path)/backup.sqlite" }
    private var database: String { "\(folder.path)/notifier.db" }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Writes a backup of that version, after `damage`.
    private func makeBackup(upTo version: Int = Schema.migrations.count, _ damage: SQL = "") throws {
        let source = try FilledDatabase.make(version: version)
        try source.execute("VACUUM INTO ?", backup)
        let copy = try Database(path: backup)
        try copy.executeScript("PRAGMA foreign_keys = OFF; PRAGMA writable_schema = ON")
        try copy.executeScript(damage)
    }

    private func restore() throws -> Maintenance.Summary {
        try Maintenance.restore(backup, to: database, at: deliveryStart).summary
    }

    @Test(arguments: 1...Schema.migrations.count)
    func `a backup of every version is restored`(version: Int) throws {
        try makeBackup(upTo: version)
        let summary = try restore()
        #expect(summary.schemaVersion == Int64(version))
        #expect(folder.entries == ["backup.sqlite", "notifier.db"])
        let restored = try Database(path: database)
        try Store.migrate(restored, at: deliveryStart)
        #expect(try Store(restored).activeAccounts().map(\.username) == ["maria"])
    }

    @Test func `programs that were let in and what they ask come back with a backup`() throws {
        try makeBackup()
        _ = try restore()
        let store = Store(try Database(path: database))
        try Store.migrate(store.database, at: deliveryStart)
        let account = AccountID(rawValue: 1)
        let token = try #require(try store.signalToken(digest: Array(0...31)))
        #expect(try store.signalTokens(of: account) == [token] && token.name == "agent")
        #expect(try store.mutedPrograms(of: account, at: WallTime(microseconds: 939)) == [token.actorID])
        #expect(try store.mutedPrograms(of: account, at: WallTime(microseconds: 940)).isEmpty)
        let open = try store.openAsks(of: account, limit: 9)
        #expect(open.map(\.ask.kind) == [.approvalNeeded] && open.map(\.next) == [WallTime(microseconds: 900_000_311)])
        let key = FactKey.signal(token.id, .approvalNeeded, id: "deploy")
        try store.settleAsks(.key(key), of: account, by: .program, at: deliveryStart)
        #expect(try store.openAsks(of: account, limit: 9).isEmpty)
    }

    // MARK: What apps compare

    /// Every account's numbers.
    private func versions() throws -> [Int64] {
        let restored = try Database(path: database)
        return try restored.rows("SELECT data_version, notification_version FROM accounts ORDER BY id") {
            [$0.int64(0), $0.int64(1)]
        }
        .flatMap { $0 }
    }

    @Test func `no number is one that an app has seen, however often the same backup is restored`() throws {
        try makeBackup()
        var seen: Int64 = 0
        for day in 1...3 {
            let now = deliveryStart.advanced(by: .days(day))
            _ = try Maintenance.restore(backup, to: database, at: now)
            #expect(try versions().allSatisfy { $0 > seen }, "day \(day)")
            // It runs for a while, and tells of a thousand things.
            try Database(path: database).execute(
                "UPDATE accounts SET data_version = data_version + 1000, notification_version = notification_version + 1000"
            )
            seen = try versions().max() ?? .max
        }
    }

    @Test func `where the former database is lost the clock says where the numbers go on`() throws {
        try makeBackup()
        _ = try Maintenance.restore(backup, to: database, at: deliveryStart)
        try Database(path: database).execute("UPDATE accounts SET notification_version = notification_version + 1000")
        let seen = try #require(try versions().max())
        for ending in ["", "-wal", "-shm"] { unlink(database + ending) }
        _ = try Maintenance.restore(backup, to: database, at: deliveryStart.advanced(by: .seconds(2)))
        #expect(try versions().allSatisfy { $0 > seen })
    }

    @Test func `with a clock that was set back the numbers go on above those of the database that gives way`() throws {
        try makeBackup()
        _ = try Maintenance.restore(backup, to: database, at: deliveryStart)
        let seen = try versions()
        _ = try Maintenance.restore(backup, to: database, at: deliveryStart.advanced(by: .days(-400)))
        let highest = try #require(seen.max())
        #expect(try versions().allSatisfy { $0 > highest })
    }

    @Test(arguments: [-9_223_372_036_854_775_807, 0, 9_007_199_254_740_991, 9_223_372_036_854_775_807] as [Int64])
    func `whatever the former database holds, the numbers stay in their range`(value: Int64) throws {
        try makeBackup()
        let former = try Database(path: database)
        try former.executeScript(
            "CREATE TABLE accounts (id INTEGER, data_version INTEGER, notification_version INTEGER)"
        )
        try former.execute("INSERT INTO accounts VALUES (1, ?, ?)", value, value)
        _ = try restore()
        #expect(try versions().allSatisfy { (1...9_007_199_254_740_991).contains($0) })
        #expect(try Store(Database(path: database)).integrityComplaint() == nil)
    }

    @Test func `every former database stays, also of restores in one second`() throws {
        try makeBackup()
        var formers: [String?] = []
        for round in 0..<3 {
            formers.append(try Maintenance.restore(backup, to: database, at: deliveryStart).former)
            try Database(path: database).execute("UPDATE accounts SET gitlab_version = ?", "round \(round)")
        }
        let first = "\(database).before-\(deliveryStart.secondsSinceEpoch)"
        #expect(formers == [nil, first, "\(first)-2"])
        for (round, former) in formers.compactMap(\.self).enumerated() {
            let name = try Database(path: former).first("SELECT gitlab_version FROM accounts LIMIT 1") { $0.text(0) }
            #expect(name == "round \(round)")
        }
    }

    @Test func `a folder in the database's place stays there`() throws {
        try makeBackup()
        #expect(mkdir(database, 0o700) == 0)
        #expect(throws: BackupError.folder(step: "rename", code: EISDIR)) { _ = try restore() }
        var status = stat()
        #expect(stat(database, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
        #expect(folder.entries == ["backup.sqlite", "notifier.db"])
    }

    @Test func `the figures that SQLite keeps for its planner are no other schema`() throws {
        try makeBackup("ANALYZE")
        #expect(try restore().schemaVersion == Int64(Schema.migrations.count))
    }

    /// What was done to a backup, and how it is refused.
    private static let damages: [(SQL, BackupError)] = [
        ("DROP TABLE deliveries", .foreign), ("CREATE TABLE beside (id)", .foreign),
        ("CREATE VIEW beside AS SELECT 1", .foreign), (#"CREATE TABLE "a""; SELECT 1; --" (id)"#, .foreign),
        ("CREATE TRIGGER t AFTER INSERT ON accounts BEGIN DELETE FROM devices; END", .foreign),
        ("DROP TABLE schema_migrations", .foreign),
        (
            """
            DROP TABLE schema_migrations; CREATE TABLE schema_migrations (version, applied_at_microseconds);
            INSERT INTO schema_migrations VALUES ('two', 0)
            """, .foreign
        ),
        ("UPDATE schema_migrations SET version = 0", .foreign),
        ("UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'accounts'", .foreign),
        ("UPDATE sqlite_schema SET name = CAST(name AS BLOB) WHERE name = 'watches'", .foreign),
        ("DELETE FROM accounts", .damaged),
        ("PRAGMA ignore_check_constraints = ON; UPDATE accounts SET data_version = -1", .damaged),
    ]

    @Test(arguments: damages.indices)
    func `what a server could not rely on is refused, and nothing is changed`(index: Int) throws {
        let (damage, error) = Self.damages[index]
        try makeBackup(damage)
        try Database(path: database).executeScript("CREATE TABLE former (id)")
        #expect(throws: error) { try restore() }
        #expect(folder.entries == ["backup.sqlite", "notifier.db"])
        #expect(try Database(path: database).first("SELECT count(*) FROM former") { $0.int(0) } == 0)
    }

    /// With the second it can be looked through, and only a change fails.
    @Test(arguments: [[9, 1], [9, 2]] as [[UInt8]])
    func `a backup that cannot be written any more is damaged`(versions: [UInt8]) throws {
        try makeBackup()
        // The format's versions for writing and reading (sqlite.org/fileformat.html §1.3.3).
        let file = open(backup, O_WRONLY | O_CLOEXEC)
        #expect(pwrite(file, versions, 2, 18) == 2)
        close(file)
        #expect(throws: BackupError.damaged) { try restore() }
        #expect(folder.entries == ["backup.sqlite"])
    }

    @Test func `a pipe is no backup, and is not waited for`() throws {
        #expect(mkfifo(backup, 0o600) == 0)
        let writer = open(backup, O_RDWR | O_CLOEXEC)
        defer { close(writer) }
        #expect(throws: BackupError.foreign) { try restore() }
        #expect(folder.entries == ["backup.sqlite"])
    }

    @Test func `a table of another name is told of as it is called`() throws {
        try makeBackup(#"CREATE TABLE "say ""hello""" (id)"#)
        let lines = try IncidentRecord.lines(of: Database(path: backup), zones: FixedZones(), at: deliveryStart)
        #expect(lines.contains(#"{"kind":"table","name":"say \"hello\"","rows":0}"#))
    }
}
