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

    /// Whether what stands in the database's place can be one, before anything is made beside it.
    ///
    /// - Throws: `DaemonError.settingsInvalid` for a folder, and for anything else that is no file.
    static func checkThatItIsAFile(_ database: String) throws(DaemonError) {
        var status = stat()
        guard stat(database, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        throw DaemonError(
            .settingsInvalid,
            "\"database\" names \(database), which is \(isFolder ? "a folder" : "not a file")",
            hint: isFolder ? "name a file in it, such as \(database)/notifier.db" : "name a file"
        )
    }

    /// Where the file lies, whichever links lead there, also before it is there: what is kept beside it, its lock above all, is kept there
    /// once.
    static func resolved(_ path: String) -> String {
        if let place = real(path) { return place }
        var path = path
        // As many as Linux follows.
        for _ in 0..<40 {
            guard let target = linkTarget(of: path) else { break }
            path = target.hasPrefix("/") ? target : "\(folder(of: path))/\(target)"
        }
        let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        guard !name.isEmpty, let place = real(folder(of: path)) else { return path }
        return place == "/" ? "/\(name)" : "\(place)/\(name)"
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// Where a link leads; nil for what is none.
    private static func linkTarget(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 4_096)
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
