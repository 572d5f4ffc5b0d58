import Platform
import SQLite
import SimulatedStorage
import Testing

/// What a database keeps when the power goes in the middle of a commit.
struct PowerLossTests {
    /// What was called committed, what was found afterwards, and whether SQLite finds the file sound.
    private struct Outcome: Equatable {
        var acknowledged = 0
        var found = 0
        var isSound = false
        var wasCut = false
    }

    /// Writes twenty transactions, with checkpoints between them, and takes the power away before the operation of that number.
    private func outcome(
        _ fate: UnsyncedWrites,
        beforeOperation operation: Int,
        _ synchronous: DatabaseOptions.Synchronous = .full
    ) throws -> Outcome {
        let disk = SimulatedDisk(random: RandomStream(seed: UInt64(operation), stream: "disk"))
        defer { disk.discard() }
        let options = DatabaseOptions(busyTimeout: .zero, synchronous: synchronous)
        let database = try disk.openDatabase(named: "notifier", options: options)
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB NOT NULL) STRICT")
        _ = try database.rows("PRAGMA wal_autocheckpoint = 6") { $0.int(0) }
        var outcome = Outcome()
        cutPower(of: disk, fate, before: operation) { outcome.wasCut = true }
        while outcome.acknowledged < 20, (try? writeNext(outcome.acknowledged + 1, to: database)) != nil {
            outcome.acknowledged += 1
        }
        disk.onOperation = nil
        if !outcome.wasCut { disk.losePower(fate) }
        guard let again = try? disk.openDatabase(named: "notifier", options: options) else { return outcome }
        outcome.isSound = (try? again.first("PRAGMA integrity_check") { $0.text(0) }) == "ok"
        outcome.found = (try? again.first("SELECT coalesce(max(a), 0) FROM t") { $0.int(0) }) ?? 0
        return outcome
    }

    private func cutPower(
        of disk: SimulatedDisk,
        _ fate: UnsyncedWrites,
        before last: Int,
        _ tell: @escaping () -> Void
    ) {
        var operations = 0
        disk.onOperation = { [unowned disk] _ in
            operations += 1
            guard operations == last else { return }
            tell()
            disk.losePower(fate)
        }
    }

    /// New pages and changed ones in each transaction.
    private func writeNext(_ number: Int, to database: Database) throws {
        try database.transaction {
            try database.execute("INSERT INTO t VALUES (?, randomblob(2500))", number)
            try database.execute("UPDATE t SET b = zeroblob(?) WHERE a <= ?", number, number - 3)
        }
    }

    /// One outcome for each operation that a whole run asks of the disk.
    private func outcomes(
        _ fate: UnsyncedWrites,
        _ synchronous: DatabaseOptions.Synchronous = .full
    ) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        repeat {
            outcomes.append(try outcome(fate, beforeOperation: outcomes.count + 1, synchronous))
        } while outcomes.last?.wasCut == true && outcomes.count < 1_000
        return outcomes
    }

    @Test(arguments: UnsyncedWrites.allCases)
    func `wherever the power goes, every commit that was acknowledged is there, and the file is sound`(
        fate: UnsyncedWrites
    ) throws {
        let outcomes = try outcomes(fate)
        #expect((100..<1_000).contains(outcomes.count))
        for (number, outcome) in outcomes.enumerated() {
            #expect(outcome.isSound, "before operation \(number + 1)")
            let possible = outcome.acknowledged...outcome.acknowledged + (outcome.wasCut ? 1 : 0)
            #expect(possible.contains(outcome.found), "before operation \(number + 1): \(outcome)")
        }
    }

    @Test func `a commit that is not made sure of is lost, and damages nothing`() throws {
        let outcomes = try outcomes(.nothing, .normal)
        #expect(outcomes.contains { $0.found < $0.acknowledged })
        #expect(!outcomes.contains { !$0.isSound })
    }

    @Test func `a database that makes sure of nothing is damaged`() throws {
        #expect(try outcomes(.torn, .off).contains { !$0.isSound })
    }

    @Test func `the same stream leaves the same`() throws {
        let (first, second) = (try outcomes(.garbage), try outcomes(.garbage))
        #expect(first == second)
    }

    @Test func `a commit whose sync fails was not acknowledged, and the next one holds`() throws {
        let disk = SimulatedDisk()
        defer { disk.discard() }
        let database = try disk.openDatabase(named: "notifier")
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT")
        disk.meet(.failing(.sync, numerator: 1, denominator: 1))
        #expect(throws: SQLiteError.self) {
            try database.transaction { try database.execute("INSERT INTO t VALUES (1)") }
        }
        disk.meet(nil)
        try database.transaction { try database.execute("INSERT INTO t VALUES (2)") }
        disk.losePower(.nothing)
        #expect(try disk.openDatabase(named: "notifier").rows("SELECT a FROM t") { $0.int(0) } == [2])
    }
}
