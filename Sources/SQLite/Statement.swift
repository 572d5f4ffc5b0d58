import CSQLite

/// Owns one prepared statement: valid after `init`, released in `deinit` or, earlier, by `finalize`.
final class Statement {
    let sql: SQL
    let handle: OpaquePointer
    /// Keeps the connection open as long as the statement is there.
    private let connection: Connection
    private let parameterCount: Int32
    /// When it was last taken from the cache, counted in takings.
    var lastUse: UInt64 = 0
    /// True from the binding of its parameters to its reset: a second use of the same text needs a statement of its own.
    var isRunning = false
    private var isFinalized = false

    /// - Throws: `SQLiteError.invalidSQL`, or what the database answers while it reads its schema.
    init(_ sql: SQL, on connection: Connection) throws {
        var prepared: OpaquePointer?
        let (code, isWhole) = sql.withUTF8 { text in
            Self.prepare(text, connection: connection.handle, into: &prepared)
        }
        guard code == SQLITE_OK else { throw Self.preparationError(code, connection: connection.handle) }
        guard let prepared else { preconditionFailure("a statement is not empty: \(sql.text)") }
        precondition(isWhole, "a statement stands alone, only a script holds several: \(sql.text)")
        self.sql = sql
        self.connection = connection
        handle = prepared
        parameterCount = sqlite3_bind_parameter_count(prepared)
    }

    deinit {
        finalize()
    }

    /// Gives every parameter its value.
    func bind(_ bindings: [any SQLiteBindable]) throws {
        precondition(
            bindings.count == parameterCount,
            "\(bindings.count) values for \(parameterCount) parameters: \(sql.text)"
        )
        var index: Int32 = 1
        for binding in bindings {
            try check(bind(binding.sqliteValue, at: index))
            index += 1
        }
    }

    /// Runs to the next row. False when there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// Ends the run. Outside a transaction this is where a statement that gave rows commits, so it may fail.
    func reset() throws {
        try check(sqlite3_reset(handle))
    }

    /// Releases the handle; the statement must not be used again.
    func finalize() {
        // A connection that was closed first has finalised its statements.
        guard !isFinalized, !connection.isClosed else { return }
        isFinalized = true
        // The code repeats the failure of the last step, which has been reported already.
        _ = sqlite3_finalize(handle)
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null:
            sqlite3_bind_null(handle, index)
        case .integer(let number):
            sqlite3_bind_int64(handle, index, number)
        case .text(let text):
            text.withCString { start in
                wb_sqlite3_bind_text_transient(handle, index, start, Int32(clamping: text.utf8.count))
            }
        case .blob(let bytes):
            // A blob without bytes has no address, which would bind NULL.
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : bytes.withUnsafeBytes { buffer in
                    wb_sqlite3_bind_blob_transient(handle, index, buffer.baseAddress, Int32(clamping: buffer.count))
                }
        }
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code, message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }

    /// Prepares `text`; the flag says whether nothing but white space and semicolons stands behind the statement.
    private static func prepare(
        _ text: UnsafeBufferPointer<UInt8>,
        connection: OpaquePointer,
        into statement: inout OpaquePointer?
    ) -> (code: Int32, isWhole: Bool) {
        text.withMemoryRebound(to: CChar.self) { text in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(
                connection,
                text.baseAddress,
                Int32(clamping: text.count),
                UInt32(SQLITE_PREPARE_PERSISTENT),
                &statement,
                &tail
            )
            guard code == SQLITE_OK, let start = text.baseAddress, let tail else { return (code, true) }
            let rest = text[(tail - start)...]
            return (code, rest.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x3B })
        }
    }

    /// Nothing is bound while a text is prepared, so SQLite's message is safe to show.
    private static func preparationError(_ code: Int32, connection: OpaquePointer) -> SQLiteError {
        let message = String(cString: sqlite3_errmsg(connection))
        return code == SQLITE_ERROR ? .invalidSQL(message: message) : SQLiteError(code: code, message: message)
    }
}
