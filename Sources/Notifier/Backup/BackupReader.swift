package import SQLite

/// Copies the database over a connection of its own, beside the one that writes, and looks at the copy. With a write-ahead log that keeps
/// nobody from reading or writing meanwhile, however large the database is.
///
/// SQLite blocks, so the executor is one of its own, too.
package actor BackupReader {
    private let executor: any SerialExecutor
    private let open: @Sendable () throws -> Database

    /// Where the copy is made and looked through.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - executor: where that is done.
    ///   - open: opens the database; the connection is closed when the copy is made.
    package init(executor: any SerialExecutor, opening open: @escaping @Sendable () throws -> Database) {
        self.executor = executor
        self.open = open
    }

    /// Writes a copy of the whole database, as it is when this begins, to an empty place.
    ///
    /// - Throws: `SQLiteError`.
    func copy(to path: String) throws {
        try Store(open()).copy(to: path)
    }

    /// Looks whether what was begun under `name` is a good copy.
    ///
    /// - Throws: `BackupError`, `SQLiteError`.
    func check(_ name: String, in destination: any BackupDestination) throws {
        _ = try Store(destination.open(name)).verify()
    }
}
