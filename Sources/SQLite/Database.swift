import CSQLite

/// One connection to a SQLite database, with its prepared statements.
///
/// Not `Sendable`: one owner, usually an actor, uses it. Every call is synchronous, so a transaction cannot be split by an
/// `await`. An object that is simply dropped, without `deinit`, holds no lock unless it is inside a transaction.
package final class Database {
    /// What the database answered when asked for a write-ahead log: `wal` on a file, `memory` in memory.
    let journalMode: String

    private let connection: Connection
    private var cache: StatementCache
    /// Whether a transaction or a snapshot is open.
    package private(set) var isInTransaction = false

    /// Opens or creates the database at `path`: a file path, `:memory:`, or an SQLite URI such as
    /// `file:/name?vfs=memdb`, which names a database in memory that all connections of this process share.
    ///
    /// A new file can be read by its owner alone (mode 0600). Foreign keys are enforced.
    ///
    /// - Throws: `SQLiteError.cannotOpen`, `corrupt` for a file that is no database, `busy`, `ioError`.
    package convenience init(path: String, options: DatabaseOptions = DatabaseOptions()) throws {
        let connection = try Connection(path: path, busyTimeout: options.busyTimeout, isReadOnly: options.isReadOnly)
        try self.init(connection, options: options)
    }

    /// Opens what lies at `path` as an empty database whatever stands there: what is damaged is read no more, and its tables are gone
    /// (sqlite.org/c3ref/c_dbconfig_defensive.html, `SQLITE_DBCONFIG_RESET_DATABASE`).
    ///
    /// - Throws: `SQLiteError.busy` while another connection is at it, `full`, `ioError`.
    package convenience init(emptying path: String, options: DatabaseOptions = DatabaseOptions()) throws {
        let connection = try Connection(path: path, busyTimeout: options.busyTimeout)
        try connection.check(wb_sqlite3_db_config_int(connection.handle, SQLITE_DBCONFIG_RESET_DATABASE, 1))
        try connection.run("VACUUM")
        try connection.check(wb_sqlite3_db_config_int(connection.handle, SQLITE_DBCONFIG_RESET_DATABASE, 0))
        try self.init(connection, options: options)
    }

    /// Makes a database of a connection that its owner may close below it.
    ///
    /// - Throws: `SQLiteError.corrupt` for a file that is no database, `busy`, `ioError`.
    package init(_ connection: Connection, options: DatabaseOptions) throws {
        try connection.run("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;")
        if options.isReadOnly { try connection.run("PRAGMA query_only = ON") }
        let journal = try Statement(
            options.isReadOnly ? "PRAGMA journal_mode" : "PRAGMA journal_mode = WAL",
            on: connection
        )
        journalMode = try journal.step() ? Row(journal).text(0) : ""
        journal.finalize()
        try connection.run(SQL(text: "PRAGMA synchronous = \(options.synchronous.rawValue)"))
        self.connection = connection
        cache = StatementCache(capacity: options.statementCacheCapacity)
    }

    /// How many rows the last `INSERT`, `UPDATE` or `DELETE` touched.
    var changes: Int { Int(sqlite3_changes64(connection.handle)) }

    /// How many rows all statements of this connection have touched since it was opened, those of transactions that were rolled back
    /// among them.
    package var totalChanges: Int64 { sqlite3_total_changes64(connection.handle) }

    /// The row id that the last successful `INSERT` gave.
    package var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(connection.handle) }

    /// How many prepared statements are kept at the moment.
    var cachedStatementCount: Int { cache.count }

    /// Runs `body` inside `BEGIN IMMEDIATE … COMMIT`; everything is rolled back when it, or the commit, throws.
    ///
    /// Transactions do not nest: a second one inside the first traps.
    ///
    /// - Throws: what `body` throws, or `SQLiteError.busy`, `full`, `ioError` from the database.
    @discardableResult
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try transaction(begunBy: "BEGIN IMMEDIATE", body)
    }

    /// Runs `body`, which must not write, inside `BEGIN … COMMIT`: all that it reads is as it was when it read first, whatever other
    /// connections write meanwhile. It keeps none of them from writing, and does not nest.
    ///
    /// - Throws: what `body` throws, or `SQLiteError` from the database.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        let before = totalChanges
        return try transaction(begunBy: "BEGIN") {
            let result = try body()
            precondition(totalChanges == before, "a snapshot is only read")
            return result
        }
    }

    private func transaction<Result>(begunBy begin: SQL, _ body: () throws -> Result) throws -> Result {
        precondition(!isInTransaction, "transactions do not nest")
        try execute(begin, bindings: [])
        isInTransaction = true
        defer { isInTransaction = false }
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Moves what stands in the write-ahead log into the database, makes sure of it and empties the log (sqlite.org/pragma.html,
    /// `wal_checkpoint`); false where another connection is reading, which keeps the log.
    ///
    /// - Throws: `SQLiteError.full`, `ioError` from the database.
    package func emptyLog() throws -> Bool {
        precondition(!isInTransaction, "a log is emptied between transactions")
        return try first("PRAGMA wal_checkpoint(TRUNCATE)", bindings: []) { $0.int(0) } == 0
    }

    /// Runs one statement to its end and drops the rows it gives; returns how many rows it touched (meaningful for
    /// `INSERT`, `UPDATE` and `DELETE`).
    ///
    /// - Throws: `SQLiteError`; the statement then leaves the cache.
    @discardableResult
    package func execute(_ sql: SQL, bindings: [any SQLiteBindable]) throws -> Int {
        try withStatement(sql, bindings) { statement in
            while try statement.step() {}
        }
        return changes
    }

    /// Gives `body` each row of one statement, in order.
    ///
    /// - Throws: `SQLiteError`, or what `body` throws; the statement then leaves the cache.
    func query(_ sql: SQL, bindings: [any SQLiteBindable], _ body: (borrowing Row) throws -> Void) throws {
        try withStatement(sql, bindings) { statement in
            while try statement.step() {
                try body(Row(statement))
            }
        }
    }

    /// What `decode` makes of each row of one statement, in order.
    ///
    /// - Throws: `SQLiteError`, or what `decode` throws; the statement then leaves the cache.
    package func rows<Element>(
        _ sql: SQL,
        bindings: [any SQLiteBindable],
        _ decode: (borrowing Row) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        try withStatement(sql, bindings) { statement in
            while try statement.step() {
                elements.append(try decode(Row(statement)))
            }
        }
        return elements
    }

    /// What `decode` makes of the first row; nil when there is none. The rows behind it are not read.
    ///
    /// - Throws: `SQLiteError`, or what `decode` throws; the statement then leaves the cache.
    package func first<Element>(
        _ sql: SQL,
        bindings: [any SQLiteBindable],
        _ decode: (borrowing Row) throws -> Element
    ) throws -> Element? {
        var element: Element?
        try withStatement(sql, bindings) { statement in
            if try statement.step() { element = try decode(Row(statement)) }
        }
        return element
    }

    /// Runs a script of several statements without parameters, such as a migration.
    func executeScript(_ script: SQL) throws {
        precondition(!connection.isClosed, "a discarded database is not used any more")
        try connection.run(script)
    }

    private func withStatement(
        _ sql: SQL,
        _ bindings: [any SQLiteBindable],
        _ body: (Statement) throws -> Void
    ) throws {
        precondition(!connection.isClosed, "a discarded database is not used any more")
        let statement = try preparedStatement(for: sql)
        statement.isRunning = true
        do {
            try statement.bind(bindings)
            try body(statement)
            try statement.reset()
            statement.isRunning = false
        } catch {
            cache.remove(statement)
            statement.finalize()
            throw error
        }
    }

    private func preparedStatement(for sql: SQL) throws -> Statement {
        if let statement = cache.take(sql) { return statement }
        let statement = try Statement(sql, on: connection)
        cache.insert(statement)
        return statement
    }

    private func rollBack() {
        // SQLite itself rolls back on some errors (disk full, say); asking again would be an error of its own. A rollback
        // that fails leaves nothing to do: the error that led here is the one to report.
        guard sqlite3_get_autocommit(connection.handle) == 0 else { return }
        try? connection.run("ROLLBACK")
    }
}
