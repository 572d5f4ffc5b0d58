import Crypto
import Glibc
import Live
import Notifier
import SQLite

/// Commands that work on the database's file. Each gives the sentence to print.
enum DatabaseCommands {
    /// - Throws: `DaemonError`.
    static func backUp(_ settings: DaemonSettings, to folder: String?) throws -> String {
        guard let folder = folder ?? settings.backups else {
            throw DaemonError(
                .settingsInvalid,
                "there is no folder for the backup",
                hint: "give one by --to, or by \"backups\" in the settings"
            )
        }
        try DatabaseFiles.checkThatItIsAFile(settings.database)
        try requireFile(settings.database)
        _ = DatabaseFiles.makePrivate(settings.database)
        return try translating(settings.database, folder: folder) {
            let now = LiveTime().wallNow
            let (name, summary) = try Maintenance.backUp(settings.database, to: LiveBackupFolder(path: folder), at: now)
            return "\(folder)/\(name): \(counted(summary.rows, "row", "rows")) in \(summary.bytes) bytes, verified"
        }
    }

    /// - Throws: `DaemonError`.
    static func restore(_ settings: DaemonSettings, from backup: String) throws -> String {
        try DatabaseFiles.checkThatItIsAFile(settings.database)
        let lock = try DatabaseLock(settings.database)
        defer { withExtendedLifetime(lock) {} }
        try requireFile(backup, hint: "--from takes the path of a backup; they are named notifier-<seconds>.sqlite")
        // The former database stays, beside the new one. Where a link names it, what the link leads to gives way, and not the link.
        _ = DatabaseFiles.makePrivate(settings.database)
        let place = DatabaseFiles.resolved(settings.database)
        return try translating(backup) {
            let (summary, former) = try Maintenance.restore(backup, to: place, at: LiveTime().wallNow)
            let kept = former.map { "; the former database is \($0)" } ?? ""
            return "\(settings.database): \(summary.rows) rows restored and verified\(kept)"
        }
    }

    /// - Throws: `DaemonError`.
    static func rotateKeys(_ inputs: DaemonInputs) throws -> String {
        let path = inputs.settings.database
        try DatabaseFiles.checkThatItIsAFile(path)
        let lock = try DatabaseLock(path)
        defer { withExtendedLifetime(lock) {} }
        try requireFile(path)
        _ = DatabaseFiles.makePrivate(path)
        let found = try translating(path) {
            try Maintenance.reseal(
                Database(path: path),
                keys: inputs.secrets.encryptionKeys,
                entropy: LiveEntropy(),
                at: LiveTime().wallNow
            )
        }
        guard found.unreadable == 0 else {
            throw DaemonError(
                .keysIncomplete,
                "\(counted(found.unreadable, "secret does", "secrets do")) not open; "
                    + "\(counted(found.resealed, "was", "were")) sealed again",
                hint: "the keys that they were sealed with belong to ENCRYPTION_KEYS_OLD"
            )
        }
        return "\(path): \(counted(found.resealed, "secret", "secrets")) sealed again; "
            + "the current key alone opens all of them"
    }

    /// - Throws: `DaemonError`.
    static func announce(
        _ settings: DaemonSettings,
        _ title: String,
        _ text: String,
        to person: String?
    ) throws -> String {
        guard let announcement = Announcement(title: title, body: text) else {
            throw DaemonError(
                .usage,
                "the title or the text is empty, too long, or holds control characters",
                hint: "at most \(Announcement.titleLimit) characters in one line, and \(Announcement.bodyLimit) of text"
            )
        }
        try DatabaseFiles.checkThatItIsAFile(settings.database)
        try requireFile(settings.database)
        _ = DatabaseFiles.makePrivate(settings.database)
        // As people write a name of GitLab's.
        let person = person.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
        let announced = try translating(settings.database) {
            try Maintenance.announce(
                announcement,
                to: person,
                in: settings.database,
                settings.notifier,
                (LiveTime(), LiveEntropy(), LiveTimeZones())
            )
        }
        guard announced.accounts > 0 else {
            let whom = person.map { "nobody is called \"\($0)\" here" } ?? "nobody is connected to this server"
            throw DaemonError(.nobodyToTell, whom, hint: "--person takes GitLab's name of somebody who is connected")
        }
        let waiting = announced.waiting > 0 ? "; \(announced.waiting) of them when their quiet hours end" : ""
        return "told to \(counted(announced.accounts, "person", "people")) on "
            + "\(counted(announced.devices, "device", "devices"))\(waiting)"
    }

    private static func counted(_ count: Int, _ one: String, _ several: String) -> String {
        "\(count) \(count == 1 ? one : several)"
    }

    static func requireFile(
        _ path: String,
        hint: String = "\"database\" in the settings says where it is"
    ) throws(DaemonError) {
        guard access(path, F_OK) != 0 else { return }
        guard errno != EACCES else {
            throw DaemonError(
                .databaseUnusable,
                "\(path) cannot be reached: \(String(cString: strerror(EACCES)))",
                hint: "run it as the server's user: sudo -u notifierd notifierd"
            )
        }
        throw DaemonError(.databaseMissing, "there is no file \(path)", hint: hint)
    }

    /// Tells people what stands in the way of working on `path`, and on the folder of its backups where one is written.
    static func translating<Result>(
        _ path: String,
        folder: String? = nil,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as BackupError {
            throw DaemonError(error, path, folder)
        } catch let error as SQLiteError {
            let isContent = error == .corrupt || error.isOfNewerProgram
            throw DaemonError(
                isContent ? .backupUnusable : .databaseUnusable,
                "\(path) cannot be used: \(error)",
                hint: isContent
                    ? "is it a database of this version of the server?"
                    : "is the disk full, and may this user write there?"
            )
        }
    }
}

extension SQLiteError {
    fileprivate var isOfNewerProgram: Bool {
        guard case .schemaTooNew = self else { return false }
        return true
    }
}

extension DaemonError {
    /// What stands in the way of a backup.
    fileprivate init(_ error: BackupError, _ path: String, _ folder: String?) {
        switch error {
        case .damaged:
            self.init(.backupUnusable, "\(path) is damaged", hint: "take another backup; nothing was changed")
        case .incomplete:
            self.init(.backupUnusable, "the copy of \(path) lacks rows", hint: "try again; please report this")
        case .foreign:
            self.init(
                .backupUnusable,
                "\(path) is not a database of the notifier",
                hint: "backups are named notifier-<seconds>.sqlite"
            )
        case .inUse:
            self.init(.backupUnusable, "\(path) is in use by a program", hint: "make a backup of it: notifierd backup")
        case .folder(let step, let code):
            let reason = String(cString: strerror(code))
            self.init(
                .cannotWrite,
                folder.map { "no backup can be written to \($0): \(reason) (\(step))" } ?? "\(step): \(reason)",
                hint: "is the disk full, does the folder above it exist, and may this user write there?"
            )
        }
    }
}
