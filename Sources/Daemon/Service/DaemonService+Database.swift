import Live
import Notifier
import Platform
import SQLite

extension DaemonService {
    /// Sees to it, before anything is written, that the database is one that can be worked with, and that nobody else reads it.
    ///
    /// - Throws: `DaemonError.databaseDamaged`, `databaseUnusable`.
    func prepareDatabase() throws {
        for path in DatabaseFiles.makePrivate(settings.database) {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            log.write(LogEntry(level: .warning, message: "daemon.file_was_readable", fields: [("file", .text(name))]))
        }
        guard case .unread(let bytes) = try examined() else { return }
        log.write(
            LogEntry(level: .notice, message: "daemon.database_unread", fields: [("bytes", .number(Int64(bytes)))])
        )
    }

    /// Looks at a database beside which no server has left its lock, before one is put there and anything is changed: it may be some other
    /// program's, by a path that was mistyped.
    ///
    /// - Throws: `DaemonError.databaseDamaged`, `databaseUnusable`.
    func checkUnknownDatabase() throws {
        guard !DatabaseLock.hasBeenMade(for: settings.database) else { return }
        _ = try examined()
    }

    private func examined() throws -> Maintenance.Examination {
        do {
            return try Maintenance.examine(settings.database)
        } catch let fault as Maintenance.DatabaseFault {
            throw DaemonError(fault, settings.database)
        } catch let error as SQLiteError {
            throw DaemonError(
                .databaseUnusable,
                "the database \(settings.database) cannot be read: \(error)",
                hint: "does its folder exist, is there room, and may this user read and write there?"
            )
        }
    }
}

extension DaemonError {
    /// A database that is not used, and how to go on.
    init(_ fault: Maintenance.DatabaseFault, _ path: String) {
        let way =
            switch fault {
            case .empty: "if it is to be a new one, remove the file; otherwise put a backup in its place"
            case .tooNew: "use the program that wrote it, or a newer one, or put an older backup in its place"
            case .foreign: "does \"database\" in the settings name the right file? If so, put a backup in its place"
            case .damaged: "put the newest backup in its place"
            }
        self.init(
            .databaseDamaged,
            "the database \(path) \(fault)",
            hint: "\(way): notifierd restore --from BACKUP; nothing was changed"
        )
    }
}
