import Glibc
package import Platform
import SQLite

extension Maintenance {
    /// Puts a backup in the place of the database at `path`, which nobody may be using, and keeps the former database beside it.
    ///
    /// The backup is copied, and the copy is looked through, before anything is changed; the backup itself is only read. What apps compare
    /// to learn of news leaps ahead in the copy: they have seen later numbers than the backup's (``AccountVersions``).
    ///
    /// - Returns: What was restored, and where the former database is; nil when there was none.
    /// - Throws: `BackupError`, `SQLiteError`.
    package static func restore(
        _ backup: String,
        to path: String,
        at now: WallTime
    ) throws -> (summary: Summary, former: String?) {
        try checkThatItMayGo(path)
        let place = "\(path).restoring"
        removeFiles(place)
        let bytes: Int
        let version: Int64
        let rows: Int
        do {
            bytes = try copyFile(backup, to: place)
            (version, rows) = try blamingContent { try inspect(Database(path: place)) }
            try blamingContent { try leap(Database(path: place), over: highestVersion(of: path), at: now) }
        } catch {
            removeFiles(place)
            throw error
        }
        // Closing the copy took its log into it; one that stayed has nothing that was committed.
        for ending in ["-wal", "-shm"] { unlink(place + ending) }
        let former = try moveAside(path, freePlace("\(path).before-\(now.secondsSinceEpoch)"))
        try step("rename", rename(place, path))
        return (Summary(schemaVersion: version, rows: rows, bytes: bytes), former)
    }

    /// A file may also say of itself that nobody may write it, or only programs of another day.
    private static func blamingContent<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError where error.blamesContent {
            throw BackupError.damaged
        }
    }

    /// Of the database that gives way. Nil when it cannot tell, as when it is damaged; then the clock alone says where to go on.
    private static func highestVersion(of path: String) -> Int64? {
        let options = DatabaseOptions(busyTimeout: .zero, isReadOnly: true)
        let version = try? Store(Database(path: path, options: options)).highestVersion()
        // Made by reading, of what nobody uses: a refused backup leaves everything as it was.
        unlink("\(path)-shm")
        return version
    }

    /// A folder in the database's place would be moved away with all that is in it.
    private static func checkThatItMayGo(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw BackupError.folder(step: "rename", code: EISDIR)
    }

    /// The place itself, or the first of those numbered on where nothing stands: no former database gives way to a later one.
    private static func freePlace(_ place: String) -> String {
        var (free, number) = (place, 1)
        while ["", "-wal", "-shm"].contains(where: { isTaken(free + $0) }) {
            number += 1
            free = "\(place)-\(number)"
        }
        return free
    }

    /// Also by a link that leads nowhere.
    private static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The log goes first: beside another database it would be taken for that one's. Interrupted in the middle, the former database is
    /// whole under its new name once the rest is moved.
    private static func moveAside(_ path: String, _ aside: String) throws -> String? {
        guard access(path, F_OK) == 0 else { return nil }
        unlink("\(path)-shm")
        if access("\(path)-wal", F_OK) == 0 { try step("rename", rename("\(path)-wal", "\(aside)-wal")) }
        try step("rename", rename(path, aside))
        return aside
    }

    private static func copyFile(_ source: String, to place: String) throws -> Int {
        // What a program that uses the file has not yet put into it would be missing.
        var status = stat()
        guard stat("\(source)-wal", &status) != 0 || status.st_size == 0 else { throw BackupError.inUse }
        let input = open(source, O_RDONLY | O_CLOEXEC)
        try step("open", input)
        defer { close(input) }
        // A pipe or device may never end.
        guard fstat(input, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw BackupError.foreign }
        let output = open(place, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        try step("create", output)
        defer { close(output) }
        try takeOwner(of: place, output)
        var buffer = [UInt8](repeating: 0, count: 1_048_576)
        var total = 0
        while true {
            let count = read(input, &buffer, buffer.count)
            try step("read", Int32(clamping: count))
            guard count > 0 else { break }
            try step("write", write(output, buffer, count) == count ? 0 : -1)
            total += count
        }
        try step("fsync", fsync(output))
        return total
    }

    /// Run by root, the server's user must be able to use the file: it belongs to whom the folder belongs to.
    private static func takeOwner(of place: String, _ descriptor: Int32) throws {
        let folder = place.lastIndex(of: "/").map { place[..<$0] } ?? "."
        var status = stat()
        guard geteuid() == 0, stat(String(folder), &status) == 0 else { return }
        try step("fchown", fchown(descriptor, status.st_uid, status.st_gid))
    }

    private static func removeFiles(_ place: String) {
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(place + ending) }
    }

    private static func step(_ name: String, _ result: Int32) throws {
        guard result >= 0 else { throw BackupError.folder(step: name, code: errno) }
    }
}

extension SQLiteError {
    /// Whether it tells of what stands in a file that this process alone uses, and not of the disk.
    fileprivate var blamesContent: Bool {
        switch self {
        case .constraint, .corrupt, .readOnly, .misuse, .invalidSQL, .other: true
        case .busy, .full, .ioError, .cannotOpen, .schemaTooNew: false
        }
    }
}
