import Synchronization

/// Databases in memory that behave as on a disk: what was committed stays until the disk is discarded, whether the programs
/// that used it closed their connections or, as in a simulated crash, abandoned them.
///
/// SQLite alone forgets such a database with its last connection, and keeps it for ever when that one was abandoned.
package final class MemoryDisk: Sendable {
    /// A connection that the disk keeps open and, in the end, closes.
    ///
    /// `@unchecked Sendable`: the disk never uses it while anyone else may; see `discard`.
    private struct Held: @unchecked Sendable {
        let connection: Connection
    }

    private let number: Int
    private let held = Mutex<[Held]>([])

    /// An empty disk, apart from every other one.
    package init() {
        number = disksMade.add(1, ordering: .relaxed).newValue
    }

    /// Opens or creates the database called `name`, made of letters, digits and `-`.
    ///
    /// Every opening stays in memory until the disk is discarded.
    ///
    /// - Throws: as `Database.init` does.
    package func openDatabase(
        named name: String,
        options: DatabaseOptions = DatabaseOptions(busyTimeout: .zero)
    ) throws -> Database {
        let path = "file:/disk-\(number)/\(name)?vfs=memdb"
        let connection = try Connection(path: path, busyTimeout: options.busyTimeout)
        let holding = Held(connection: connection)
        held.withLock { $0.append(holding) }
        return try Database(connection, options: options)
    }

    /// Closes every connection, also abandoned ones, and frees the memory. The disk is empty then and can be used anew.
    ///
    /// Only for the end of a run, when no job that knows one of the databases can run any more; using such a database
    /// afterwards traps.
    package func discard() {
        let connections = held.withLock { held in
            defer { held = [] }
            return held
        }
        for held in connections { held.connection.close() }
    }
}

/// Tells disks apart. The number never shows outside this process's table of open databases.
private let disksMade = Atomic(0)
