package import SQLite
import Synchronization

/// The disk of one simulated machine: databases in memory that outlive the processes which open them.
///
/// It models a process that is killed: what was committed is there for the next process. It does not yet model a power loss,
/// a full disk or an I/O error.
///
/// Isolation: used by the simulation's thread.
package final class SimulatedDisk: @unchecked Sendable {
    // @unchecked: touched only by the thread that runs the loop.

    /// Tells the disks of one process apart; nothing observable depends on it.
    private static let diskCount = Atomic<Int>(0)

    private let number: Int
    /// One connection per database, which keeps it in memory while no process has it open.
    private var anchors: [(name: String, database: Database)] = []

    package init() {
        number = Self.diskCount.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Opens the database of that name, as a new process would.
    ///
    /// - Throws: `SQLiteError`.
    package func open(_ name: String) throws -> sending Database {
        let path = "file:/disk\(number)-\(name)?vfs=memdb"
        if !anchors.contains(where: { $0.name == name }) {
            anchors.append((name, try Database(path: path, options: Self.options)))
        }
        return try Database(path: path, options: Self.options)
    }

    // Nobody else has the lock for longer than a synchronous call, and real waiting has no place in a simulation.
    private static let options = DatabaseOptions(busyTimeout: .zero, synchronous: .off)
}
