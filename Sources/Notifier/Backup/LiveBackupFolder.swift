import Glibc
package import SQLite

/// A folder of backups on a disk. What is under way has another ending, so that only whole backups look like some.
package struct LiveBackupFolder: BackupDestination {
    private static let unfinished = ".part"
    /// What SQLite may put beside a file, too.
    private static let endings = ["", "-wal", "-shm", "-journal"]
    /// More entries than any folder of backups has.
    private static let entryLimit = 10_000

    private let path: String

    /// Makes the folder when there is none, for its owner alone.
    ///
    /// - Throws: `BackupError.folder`.
    package init(path: String) throws {
        self.path = path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw BackupError.folder(step: "mkdir", code: errno) }
    }

    package func names() throws -> [String] {
        try entries { BackupSchedule.instant(of: $0) == nil ? nil : $0 }
    }

    package func unfinished() throws -> [String] {
        try entries { entry in
            let places = Self.endings.map { Self.unfinished + $0 }
            guard let place = places.first(where: { entry.hasSuffix($0) }) else { return nil }
            let name = String(entry.dropLast(place.count))
            return BackupSchedule.instant(of: name) == nil ? nil : name
        }
    }

    /// What `reading` makes of the entries, each once.
    private func entries(_ reading: (String) -> String?) throws -> [String] {
        guard let folder = opendir(path) else { throw BackupError.folder(step: "opendir", code: errno) }
        defer { closedir(folder) }
        var names: Set<String> = []
        while names.count < Self.entryLimit, let entry = readdir(folder) {
            let text = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name = reading(text) { names.insert(name) }
        }
        return names.sorted()
    }

    package func begin(_ name: String) throws -> String {
        let place = "\(path)/\(name)\(Self.unfinished)"
        for leftover in Self.endings { unlink(place + leftover) }
        let descriptor = Glibc.open(place, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BackupError.folder(step: "open", code: errno) }
        close(descriptor)
        return place
    }

    package func open(_ name: String) throws -> Database {
        try Database(path: "\(path)/\(name)\(Self.unfinished)")
    }

    package func finish(_ name: String) throws -> Int {
        let (place, final) = ("\(path)/\(name)\(Self.unfinished)", "\(path)/\(name)")
        var status = stat()
        guard stat(place, &status) == 0 else { throw BackupError.folder(step: "stat", code: errno) }
        try synchronize(place)
        guard rename(place, final) == 0 else { throw BackupError.folder(step: "rename", code: errno) }
        try synchronize(path)
        return Int(status.st_size)
    }

    package func remove(_ name: String) throws {
        for place in ["\(path)/\(name)", "\(path)/\(name)\(Self.unfinished)"] {
            for ending in Self.endings {
                guard unlink(place + ending) == 0 || errno == ENOENT else {
                    throw BackupError.folder(step: "unlink", code: errno)
                }
            }
        }
    }

    private func synchronize(_ path: String) throws {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupError.folder(step: "open", code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw BackupError.folder(step: "fsync", code: errno) }
    }
}
