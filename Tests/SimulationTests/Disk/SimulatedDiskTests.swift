import SQLite
import Simulation
import Testing

@Suite struct SimulatedDiskTests {
    @Test func `what was committed is there for the next process, even when the first closed nothing`() throws {
        let disk = SimulatedDisk()
        let abandoned = Unmanaged.passRetained(try disk.open("notifier"))
        try abandoned.takeUnretainedValue().executeScript("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (7);")
        let rows = try disk.open("notifier").rows("SELECT a FROM t", bindings: []) { $0.int64(0) }
        #expect(rows == [7])
        abandoned.release()
    }

    @Test func `two disks share nothing`() throws {
        let first = SimulatedDisk()
        let second = SimulatedDisk()
        try first.open("notifier").executeScript("CREATE TABLE t (a INTEGER)")
        #expect(throws: SQLiteError.self) {
            try second.open("notifier").rows("SELECT a FROM t", bindings: []) { $0.int64(0) }
        }
    }
}
