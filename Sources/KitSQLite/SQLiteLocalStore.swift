package import NotifierKit
package import SQLite

/// Keeps the copy and the queue in a SQLite file that several processes may use at once: each change is one transaction, and writes only
/// the rows that it changes.
///
/// Of the copy, what cannot be read is fetched anew. What waits and cannot be read, as a newer program may have written it, stays where it is. Of a file
/// that is damaged the queue is taken along if all of it can be read; else the call that finds the damage says that it is lost.
package actor SQLiteLocalStore: LocalStore {
    private var database: LazyDatabase

    /// Opens nothing before the first use, and lets `prepare` make its folder then.
    ///
    /// - Parameters:
    ///   - path: as `Database` takes it.
    ///   - prepare: called before the file is opened first.
    package init(path: String, prepare: @escaping @Sendable () throws(KeyValueStoreError) -> Void = {}) {
        // What was chosen has to outlive a loss of power.
        database = LazyDatabase(
            path: path,
            synchronous: .full,
            prepare: prepare,
            makeTables: { try Self.makeTables(in: $0) },
            rescue: { damaged in
                let queue = try SyncRows.readQueue(damaged)
                return { empty in
                    try empty.transaction { try SyncRows.write(queue, over: SyncState(), in: empty) }
                }
            }
        )
    }

    /// As the protocol says.
    package func state() throws(KeyValueStoreError) -> SyncState {
        try database.use { try Self.read($0) }
    }

    /// As the protocol says.
    package func hasPending() throws(KeyValueStoreError) -> Bool {
        try database.use { try SyncRows.hasPending($0) }
    }

    /// As the protocol says.
    package func update<Result: Sendable>(
        _ change: @Sendable (inout SyncState) -> Result
    ) throws(KeyValueStoreError) -> Result {
        try database.use(keeping: true) { database in
            try database.transaction {
                let before = try SyncRows.read(database)
                var state = before
                let result = change(&state)
                try SyncRows.write(state, over: before, in: database)
                return result
            }
        }
    }

    /// All there is in a database that a store has made.
    ///
    /// - Throws: `SQLiteError`.
    package static func read(_ database: Database) throws -> SyncState {
        try database.snapshot { try SyncRows.read(database) }
    }

    private static func makeTables(in database: Database) throws {
        try database.transaction {
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS copy (
                    part TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,
                    PRIMARY KEY (part, kind, key)
                ) STRICT, WITHOUT ROWID
                """
            )
            try database.execute(
                "CREATE TABLE IF NOT EXISTS pending (number INTEGER PRIMARY KEY NOT NULL, value BLOB NOT NULL) STRICT"
            )
            try database.execute(
                "CREATE TABLE IF NOT EXISTS place (key TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) STRICT, WITHOUT ROWID"
            )
        }
    }
}
