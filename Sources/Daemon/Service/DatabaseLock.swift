import Glibc

/// Keeps a second server, and what must not happen beside a server, from a database: a lock on `<database>.lock`, which ends with the
/// process however that ends. The file says who has it. It lies beside the database itself, so that whoever names that by a link meets it.
final class DatabaseLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `DaemonError.databaseInUse`, or `databaseUnusable` when the file cannot be made.
    init(_ database: String) throws(DaemonError) {
        let descriptor = open(Self.path(database), O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DaemonError(
                .databaseUnusable,
                "\(Self.path(database)) cannot be made: \(String(cString: strerror(errno)))",
                hint: "does the folder of the database exist, and may this user write there?"
            )
        }
        Self.giveToOwner(of: database, descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw DaemonError(
                .databaseInUse,
                "the database \(database) is in use by another notifierd\(Self.holder(database))",
                hint: "stop it first: systemctl stop notifierd"
            )
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Made by root, for a command, it must not keep the server's user out.
    private static func giveToOwner(of database: String, _ descriptor: Int32) {
        let place = path(database)
        let folder = place.lastIndex(of: "/").map { String(place[..<$0]) } ?? "."
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0 else { return }
        // Best effort: whom this fails for cannot use the database either.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }

    /// Tells others where the API of this process is.
    func announce(port: UInt16) {
        let text = Array("\(getpid()) \(port)\n".utf8)
        // Best effort: the lock holds without it.
        ftruncate(descriptor, 0)
        pwrite(descriptor, text, text.count, 0)
    }

    /// The port of the server that has the lock; nil when there is none.
    static func servingPort(_ database: String) -> UInt16? {
        let descriptor = open(path(database), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
        return words(database).last.flatMap { UInt16($0) }
    }

    /// Whether a server or a command has ever used the database: the file of the lock stays.
    static func hasBeenMade(for database: String) -> Bool { access(path(database), F_OK) == 0 }

    private static func holder(_ database: String) -> String {
        words(database).first.map { ", process \($0)" } ?? ""
    }

    private static func words(_ database: String) -> [Substring] {
        // A file that cannot be read says nothing.
        let bytes = (try? LiveFile.read(path(database))) ?? []
        return String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
    }

    private static func path(_ database: String) -> String { "\(DatabaseFiles.resolved(database)).lock" }
}
