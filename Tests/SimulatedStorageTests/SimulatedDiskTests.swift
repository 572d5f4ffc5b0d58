import Platform
import SQLite
import SimulatedStorage
import Testing

struct SimulatedDiskTests {
    private func makeTable(on disk: SimulatedDisk, holding number: Int) throws {
        let database = try disk.openDatabase(named: "notifier")
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT")
        try database.execute("INSERT INTO t VALUES (?)", number)
    }

    private func numbers(on disk: SimulatedDisk) throws -> [Int] {
        try disk.openDatabase(named: "notifier").rows("SELECT a FROM t ORDER BY a") { $0.int(0) }
    }

    @Test func `what was committed outlives a closed connection`() throws {
        let disk = SimulatedDisk()
        try makeTable(on: disk, holding: 7)
        #expect(try numbers(on: disk) == [7])
        disk.discard()
    }

    @Test func `what was committed outlives an abandoned connection, and a discard frees it`() throws {
        let disk = SimulatedDisk()
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

    @Test func `a damaged block is one block of the file, and SQLite notices`() throws {
        var noticed = 0
        for seed in UInt64(1)...8 {
            let disk = SimulatedDisk(random: RandomStream(seed: seed))
            defer { disk.discard() }
            let database = try disk.openDatabase(named: "notifier")
            try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT) STRICT")
            for number in 1...200 { try database.execute("INSERT INTO t VALUES (?, hex(zeroblob(300)))", number) }
            #expect(try database.emptyLog())
            disk.endProcess()
            let size = try #require(disk.size(of: "notifier"))
            disk.damageBlock(of: "notifier")
            #expect(disk.size(of: "notifier") == size)
            let complaint = try? disk.openDatabase(named: "notifier").first("PRAGMA integrity_check(1)") { $0.text(0) }
            noticed += complaint == "ok" ? 0 : 1
        }
        #expect(noticed == 8)
        #expect(SimulatedDisk().size(of: "notifier") == nil)
    }

    @Test func `a database that is renamed takes its log along, also through a loss of power`() throws {
        let disk = SimulatedDisk()
        defer { disk.discard() }
        try makeTable(on: disk, holding: 7)
        let other = try disk.openDatabase(named: "copy")
        try other.execute("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT")
        try other.execute("INSERT INTO t VALUES (8)")
        disk.endProcess()
        disk.rename("notifier", to: "former")
        disk.rename("copy", to: "notifier")
        disk.losePower(.nothing)
        #expect(try numbers(on: disk) == [8])
        #expect(try disk.openDatabase(named: "former").rows("SELECT a FROM t") { $0.int(0) } == [7])
    }

    @Test func `a disk whose writes fail keeps what it has, takes commits of nothing, and works again afterwards`()
        throws
    {
        let disk = SimulatedDisk()
        defer { disk.discard() }
        try makeTable(on: disk, holding: 1)
        let database = try disk.openDatabase(named: "notifier")
        disk.meet(.full)
        for _ in 1...2 {
            #expect(throws: SQLiteError.full) {
                try database.transaction { try database.execute("INSERT INTO t VALUES (2)") }
            }
        }
        try database.transaction {}
        #expect(try numbers(on: disk) == [1])
        disk.meet(nil)
        try database.transaction { try database.execute("INSERT INTO t VALUES (3)") }
        #expect(try numbers(on: disk) == [1, 3])
    }

    @Test func `disks and names are apart`() throws {
        let disk = SimulatedDisk()
        try makeTable(on: disk, holding: 1)
        let other = SimulatedDisk()
        try makeTable(on: other, holding: 2)
        #expect(try numbers(on: disk) == [1])
        #expect(try numbers(on: other) == [2])
        let second = try disk.openDatabase(named: "second")
        #expect(try second.first("SELECT count(*) FROM sqlite_schema") { $0.int(0) } == 0)
        disk.discard()
        other.discard()
    }

    @Test func `a process that ends keeps what it committed, and holds nothing any more`() throws {
        let disk = SimulatedDisk()
        defer { disk.discard() }
        try makeTable(on: disk, holding: 1)
        let abandoned = try disk.openDatabase(named: "notifier")
        try abandoned.execute("BEGIN IMMEDIATE")
        try abandoned.execute("INSERT INTO t VALUES (2)")
        let other = try disk.openDatabase(named: "notifier")
        #expect(throws: SQLiteError.busy) { try other.transaction {} }
        disk.endProcess()
        #expect(throws: SQLiteError.self) { try abandoned.execute("COMMIT") }
        let next = try disk.openDatabase(named: "notifier")
        try next.transaction { try next.execute("INSERT INTO t VALUES (3)") }
        #expect(try numbers(on: disk) == [1, 3])
    }

    @Test func `a reader keeps what it saw while another commits`() throws {
        let disk = SimulatedDisk()
        defer { disk.discard() }
        try makeTable(on: disk, holding: 1)
        let reader = try disk.openDatabase(named: "notifier")
        let writer = try disk.openDatabase(named: "notifier")
        try reader.execute("BEGIN")
        #expect(try reader.first("SELECT count(*) FROM t") { $0.int(0) } == 1)
        try writer.execute("INSERT INTO t VALUES (2)")
        #expect(try reader.first("SELECT count(*) FROM t") { $0.int(0) } == 1)
        try reader.execute("COMMIT")
        #expect(try reader.first("SELECT count(*) FROM t") { $0.int(0) } == 2)
    }

    @Test func `a database that is removed is gone, with its log`() throws {
        let disk = SimulatedDisk()
        defer { disk.discard() }
        try makeTable(on: disk, holding: 1)
        disk.removeDatabase(named: "notifier")
        let anew = try disk.openDatabase(named: "notifier")
        #expect(try anew.first("SELECT count(*) FROM sqlite_schema") { $0.int(0) } == 0)
    }

    @Test func `a copy on the same disk is a database of its own, which a loss of power leaves`() throws {
        let disk = SimulatedDisk()
        defer { disk.discard() }
        try makeTable(on: disk, holding: 4)
        try disk.openDatabase(named: "notifier").execute("VACUUM INTO ?", disk.path(of: "copy"))
        disk.sync(named: "copy")
        disk.losePower(.nothing)
        #expect(try disk.openDatabase(named: "copy").rows("SELECT a FROM t") { $0.int(0) } == [4])
    }

    /// How many tables a copy has whose making ends with its process at an operation; nil when it is damaged.
    private func copied(endingAt last: Int) throws -> (tables: Int?, hasEnded: Bool) {
        let disk = SimulatedDisk()
        defer { disk.discard() }
        try makeTable(on: disk, holding: 4)
        let database = try disk.openDatabase(named: "notifier")
        try database.execute("CREATE TABLE u AS SELECT zeroblob(9000) AS b UNION ALL SELECT zeroblob(9001)")
        var operations = 0
        disk.onOperation = { [unowned disk] _ in
            operations += 1
            if operations == last { disk.endProcess() }
        }
        let isWhole = (try? database.execute("VACUUM INTO ?", disk.path(of: "copy"))) != nil
        disk.onOperation = nil
        let copy = try disk.openDatabase(named: "copy")
        guard (try? copy.first("PRAGMA integrity_check") { $0.text(0) }) == "ok" else { return (nil, !isWhole) }
        return (try copy.first("SELECT count(*) FROM sqlite_schema") { $0.int(0) }, !isWhole)
    }

    @Test func `nothing that is left of a dead process opens a file`() throws {
        let disk = SimulatedDisk()
        defer { disk.discard() }
        try makeTable(on: disk, holding: 4)
        disk.endProcess()
        #expect(throws: SQLiteError.cannotOpen) { try Database(path: disk.path(of: "notifier")) }
        #expect(try numbers(on: disk) == [4])
    }

    @Test func `a copy whose making ends anywhere with its process is whole, or taken back`() throws {
        var operation = 0
        var outcome: (tables: Int?, hasEnded: Bool)
        repeat {
            operation += 1
            outcome = try copied(endingAt: operation)
            // The journal takes the half of a copy back.
            #expect(outcome.tables == 0 || outcome.tables == 2, "before operation \(operation)")
        } while outcome.hasEnded && operation < 200
        #expect(operation > 5 && outcome.tables == 2)
    }

    @Test func `a file that nothing made sure of is gone with the power`() throws {
        let disk = SimulatedDisk()
        defer { disk.discard() }
        let options = DatabaseOptions(busyTimeout: .zero, synchronous: .off)
        let database = try disk.openDatabase(named: "notifier", options: options)
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT")
        disk.losePower(.nothing)
        #expect(
            try disk.openDatabase(named: "notifier").first("SELECT count(*) FROM sqlite_schema") { $0.int(0) } == 0
        )
    }

    @Test func `a discarded database traps`() async {
        await #expect(processExitsWith: .failure) {
            let disk = SimulatedDisk()
            let database = try disk.openDatabase(named: "notifier")
            disk.discard()
            try database.execute("SELECT 1")
        }
    }
}
