import CSQLite
import Glibc

/// Owns one SQLite connection: open after `init`, closed in `deinit`, also when `init` fails half-way.
///
/// Opened with `SQLITE_OPEN_NOMUTEX`: "the new database connection will use the multi-thread threading mode", so only
/// one thread may use it at a time (sqlite.org/c3ref/open.html). The type is not `Sendable`, which the compiler turns
/// into just that.
final class Connection {
    let handle: OpaquePointer

    /// - Throws: `SQLiteError.cannotOpen` and the like.
    init(path: String, busyTimeout: Duration) throws {
        try Self.createPrivately(path)
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
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
    }

    deinit {
        // `v2` never fails: it waits for statements that are still to be finalised.
        _ = sqlite3_close_v2(handle)
    }

    /// Runs every statement of a script and drops the rows it gives.
    func run(_ script: SQL) throws {
        let code = script.text.withCString { sqlite3_exec(handle, $0, nil, nil, nil) }
        guard code != SQLITE_ERROR else {
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
        let (seconds, attoseconds) = duration.components
        return Int32(clamping: seconds.multipliedReportingOverflow(by: 1_000).partialValue)
            + Int32(attoseconds / 1_000_000_000_000_000)
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
        close(descriptor)
    }
}
