import Platform
import SimulatedStorage
import Testing

@testable import Notifier
@testable import SQLite

struct StoreActorTests {
    private struct Refusal: Error {}

    @Test func `without an executor the store runs like any actor`() async throws {
        let actor = StoreActor(database: try makeDeliveryDatabase(), executor: nil)
        let versions = try await actor.read { store in
            try store.database.rows("SELECT version FROM schema_migrations") { $0.int64(0) }
        }
        #expect(versions == Schema.migrations.map(\.version))
    }

    @Test func `a body that throws leaves nothing behind`() async throws {
        let actor = StoreActor(database: try makeDeliveryDatabase(), executor: nil)
        await #expect(throws: Refusal.self) {
            try await actor.transaction { store in
                try store.database.execute("INSERT INTO schema_migrations VALUES (99, 0)")
                throw Refusal()
            }
        }
        let count = try await actor.read { store in
            try store.database.first("SELECT count(*) FROM schema_migrations") { $0.int64(0) }
        }
        #expect(count == Int64(Schema.migrations.count))
    }

    /// What a process reads that started while syncs failed, and what is there once the power has gone.
    private func numbers(afterLossOn disk: SimulatedDisk) throws -> [Int] {
        disk.losePower(.nothing)
        return try disk.openDatabase(named: "notifier").rows("SELECT a FROM t ORDER BY a", bindings: []) { $0.int(0) }
    }

    @Test func `nothing is built on a log that the disk may never have got`() async throws {
        let disk = SimulatedDisk(random: RandomStream(seed: 1))
        defer { disk.discard() }
        let database = try disk.openDatabase(named: "notifier")
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT")
        disk.meet(.failing(.sync, numerator: 1, denominator: 1))
        // Its frames are in the log, whatever is said of it.
        _ = try? database.execute("INSERT INTO t VALUES (1)")
        disk.endProcess()
        let actor = StoreActor(database: try disk.openDatabase(named: "notifier"), executor: nil)
        await #expect(throws: SQLiteError.self) {
            _ = try await actor.transaction { try $0.database.execute("INSERT INTO t VALUES (2)") }
        }
        disk.meet(nil)
        _ = try await actor.transaction { try $0.database.execute("INSERT INTO t VALUES (3)") }
        #expect(try numbers(afterLossOn: disk).contains(3))
    }

    @Test func `a disk without room keeps nobody from what needs none`() async throws {
        let disk = SimulatedDisk(random: RandomStream(seed: 1))
        defer { disk.discard() }
        let database = try disk.openDatabase(named: "notifier")
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT")
        disk.endProcess()
        let actor = StoreActor(database: try disk.openDatabase(named: "notifier"), executor: nil)
        disk.meet(.full)
        #expect(try await actor.transaction { try $0.database.first("SELECT count(*) FROM t") { $0.int(0) } } == 0)
    }

    @Test func `a given executor runs every job of the store`() async throws {
        let executor = CountingExecutor()
        let actor = StoreActor(database: try makeDeliveryDatabase(), executor: executor)
        for _ in 0..<3 { _ = try await actor.read { _ in 1 } }
        #expect(executor.count >= 3)
    }
}
