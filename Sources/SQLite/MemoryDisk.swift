import Synchronization

/// Databases in memory that behave as on a disk: what was committed stays until the disk is discarded, whether the programs
/// that used it closed their connections or, as in a simulated crash, abandoned them.
///
/// SQLite alone forgets such a database with its last connection, and keeps it for ever when that one was abandoned.
package final class MemoryDisk: Sendable {
    /// A connection that the disk keeps open and, in the end, closes.
    ///
    /// Unchecked: handed over: the disk never uses it while anyone else may; see `discard`.
    private struct Held: @unchecked Sendable {
        let name: String
        let connection: Connection
    }

    private let number: Int
    private let writing = WriteFailure()
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
        let connection = try Connection(path: path(of: name), busyTimeout: options.busyTimeout)
        connection.writeFailure = writing
        let holding = Held(name: name, connection: connection)
        held.withLock { $0.append(holding) }
        return try Database(connection, options: options)
    }

    /// From now on every transaction that changed rows fails with `error` at its commit, and nothing of it stays, as on a full disk with
    /// a write-ahead log, whose pages are written then; with nil they pass again. Reading, and commits of nothing, go on.
    package func failWrites(with error: SQLiteError?) {
        writing.set(error)
    }

    /// What SQLite calls the database called `name`, for a statement that copies into it. It stays only while it is open.
    package func path(of name: String) -> String { "file:/disk-\(number)/\(name)?vfs=memdb" }

    /// - Throws: what writes fail with at the moment.
    package func checkWrites() throws { try writing.check() }

    /// Closes what was opened of the database called `name`, which nobody may use any more, and forgets it.
    package func removeDatabase(named name: String) {
        let closing = held.withLock { held in
            defer { held.removeAll { $0.name == name } }
            return held.filter { $0.name == name }
        }
        for held in closing { held.connection.close() }
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

/// What the commits of a disk's databases fail with at the moment.
final class WriteFailure: Sendable {
    private let error = Mutex<SQLiteError?>(nil)

    /// - Throws: the error that is set.
    func check() throws {
        if let error = error.withLock({ $0 }) { throw error }
    }

    func set(_ new: SQLiteError?) {
        error.withLock { $0 = new }
    }
}

/// Tells disks apart. The number never shows outside this process's table of open databases.
private let disksMade = Atomic(0)
