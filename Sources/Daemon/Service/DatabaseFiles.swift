import Glibc

/// The files that SQLite keeps for one database.
enum DatabaseFiles {
    /// Takes from everybody else what they may do with a database, its log and its index of the log, whatever put the file there: a copy
    /// made as root, say, or a looser umask. None of them is opened: closing any descriptor of a database drops the locks that the whole
    /// process holds on it (sqlite.org/howtocorrupt.html §2.2).
    ///
    /// - Returns: the files for which that was not so. One of somebody else's stays as it is.
    static func makePrivate(_ database: String) -> [String] {
        // The log lies beside the file itself, wherever a link to it lies.
        let path = resolved(database)
        return [path, "\(path)-wal", "\(path)-shm", "\(path)-journal"].filter { file in
            var status = stat()
            guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else {
                return false
            }
            // Best effort: whoever may not change it is told of it by the caller.
            _ = chmod(file, status.st_mode & 0o700)
            return true
        }
    }

    private static func resolved(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }
}
