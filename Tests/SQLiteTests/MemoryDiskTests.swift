import SQLite
import Testing

struct MemoryDiskTests {
    private func makeTable(on disk: MemoryDisk, holding number: Int) throws {
        let database = try disk.openDatabase(named: "notifier")
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT")
        try database.execute("INSERT INTO t VALUES (?)", number)
    }

    private func numbers(on disk: MemoryDisk) throws -> [Int] {
        try disk.openDatabase(named: "notifier").rows("SELECT a FROM t ORDER BY a") { $0.int(0) }
    }

    @Test func `what was committed outlives a closed connection`() throws {
        let disk = MemoryDisk()
        try makeTable(on: disk, holding: 7)
        #expect(try numbers(on: disk) == [7])
        disk.discard()
    }

    @Test func `what was committed outlives an abandoned connection, and a discard frees it`() throws {
        let disk = MemoryDisk()
        let database = try disk.openDatabase(named: "notifier")
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT")
        try database.execute("INSERT INTO t VALUES (7)")
        let abandoned = Unmanaged.passRetained(database)
        #expect(try numbers(on: disk) == [7])
        disk.discard()
        #expect(try disk.openDatabase(named: "notifier").first("SELECT count(*) FROM sqlite_schema") { $0.int(0) } == 0)
        // Whoever still lets go of the abandoned one afterwards does no harm.
        abandoned.release()
    }

    @Test func `a disk whose writes fail keeps what it has, takes commits of nothing, and works again afterwards`()
        throws
    {
        let disk = MemoryDisk()
        defer { disk.discard() }
        try makeTable(on: disk, holding: 1)
        let database = try disk.openDatabase(named: "notifier")
        disk.failWrites(with: .full)
        for _ in 1...2 {
            #expect(throws: SQLiteError.full) {
                try database.transaction { try database.execute("INSERT INTO t VALUES (2)") }
            }
        }
        try database.transaction {}
        #expect(try numbers(on: disk) == [1])
        disk.failWrites(with: nil)
        try database.transaction { try database.execute("INSERT INTO t VALUES (3)") }
        #expect(try numbers(on: disk) == [1, 3])
    }

    @Test func `disks and names are apart`() throws {
        let disk = MemoryDisk()
        try makeTable(on: disk, holding: 1)
        let other = MemoryDisk()
        try makeTable(on: other, holding: 2)
        #expect(try numbers(on: disk) == [1])
        #expect(try numbers(on: other) == [2])
        let second = try disk.openDatabase(named: "second")
        #expect(try second.first("SELECT count(*) FROM sqlite_schema") { $0.int(0) } == 0)
        disk.discard()
        other.discard()
    }

    @Test func `a discarded database traps`() async {
        await #expect(processExitsWith: .failure) {
            let disk = MemoryDisk()
            let database = try disk.openDatabase(named: "notifier")
            disk.discard()
            try database.execute("SELECT 1")
        }
    }
}

struct OwnershipTests {
    private actor Store {
        private let database: Database

        init(_ database: sending Database) {
            self.database = database
        }

        func addAll(_ names: [String]) throws -> Int {
            try database.transaction {
                for name in names { try database.execute("INSERT INTO items (name) VALUES (?)", name) }
                return try database.first("SELECT count(*) FROM items") { $0.int(0) } ?? 0
            }
        }
    }

    @Test func `an actor can own a database`() async throws {
        let database = try Database(path: ":memory:")
        try database.execute("CREATE TABLE items (name TEXT NOT NULL) STRICT")
        let store = Store(database)
        #expect(try await store.addAll(["a", "b"]) == 2)
    }
}
