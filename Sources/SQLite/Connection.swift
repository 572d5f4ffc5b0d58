import CSQLite
import Glibc

/// Owns one SQLite connection: open after `init`, closed in `deinit`, also when `init` fails half-way.
///
/// Opened with `SQLITE_OPEN_NOMUTEX`: "the new database connection will use the multi-thread threading mode", so only
/// one thread may use it at a time (sqlite.org/c3ref/open.html). The type is not `Sendable`, which the compiler turns
/// into just that.
package final class Connection {
    let handle: OpaquePointer
    /// True after `close`: neither the handle nor a statement made on it may be used any more.
    private(set) var isClosed = false

    /// - Throws: `SQLiteError.cannotOpen` and the like.
    package init(path: String, busyTimeout: Duration, isReadOnly: Bool = false) throws {
        // Refused only when other code in the process opened a database first; then SQLite is slower, not wrong.
        _ = globalConfiguration
        if !isReadOnly { try Self.createPrivately(path) }
        var opened: OpaquePointer?
        // A connection opened with SQLITE_OPEN_READONLY does not even learn the CHECK constraints, and so finds none broken.
        let access = isReadOnly ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let flags = access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let extended = sqlite3_extended_errcode(opened)
            // Even a failed open gives a handle to close; closing one without statements cannot fail.
            _ = sqlite3_close_v2(opened)
            throw SQLiteError(code: opened == nil ? code : extended)
        }
        handle = opened
        try check(sqlite3_extended_result_codes(handle, 1))
        try check(sqlite3_busy_timeout(handle, Self.milliseconds(busyTimeout)))
        // Otherwise the last connection to close takes the log into the file.
        if isReadOnly { try check(wb_sqlite3_db_config_int(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)) }
    }

    deinit {
        close()
    }

    /// Closes the connection, also below statements that nobody will finalise any more. Using its database afterwards traps.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        while let statement = sqlite3_next_stmt(handle, nil) {
            // The code repeats the failure of the last step, which has been reported already.
            _ = sqlite3_finalize(statement)
        }
        // Closing fails only while there are statements.
        _ = sqlite3_close_v2(handle)
    }

    /// Runs every statement of a script and drops the rows it gives.
    func run(_ script: SQL) throws {
        let code = script.text.withCString { sqlite3_exec(handle, $0, nil, nil, nil) }
        guard code & 0xFF != SQLITE_ERROR else {
            // A script has no parameters, so SQLite's message is safe to show.
            throw SQLiteError.invalidSQL(message: String(cString: sqlite3_errmsg(handle)))
        }
        try check(code)
    }

    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else {
            throw SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = max(.zero, min(duration, .seconds(1_000_000))).components
        return Int32(seconds) * 1_000 + Int32(attoseconds / 1_000_000_000_000_000)
    }

    /// Creates the file, readable for its owner alone, before SQLite would create it readable for everyone. The journal
    /// and log files take their mode from it.
    ///
    /// A file that exists is left alone, even unopened: closing any descriptor of a database drops the locks that the
    /// whole process holds on it (sqlite.org/howtocorrupt.html §2.2).
    private static func createPrivately(_ path: String) throws {
        guard let file = DatabasePath.fileToCreate(for: path) else { return }
        let descriptor = open(file, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        // Whatever went wrong, SQLite's own open meets it next and names it.
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
    }
}

/// Set once for the process, before the first connection: without it every allocation of every connection takes one global
/// lock to keep a count that nobody reads, and runs on several threads would queue for it.
///
/// "The sqlite3_config() interface is not threadsafe. The application must ensure that no other SQLite interfaces are
/// invoked by other threads while it is running" (sqlite.org/c3ref/config.html): a global is initialised once, and each
/// connection waits for that.
private let globalConfiguration: Int32 = wb_sqlite3_config_int(SQLITE_CONFIG_MEMSTATUS, 0)
