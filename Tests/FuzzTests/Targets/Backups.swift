import FoundationEssentials
import HTTP
import Live
import Platform
import SQLite

@testable import Daemon
@testable import Notifier

extension FuzzTarget {
    /// A file for `notifierd restore`, as a ``BackupRecipe``; and the same file as the database of a server, of which
    /// `export-incident` tells what it can.
    static let backups = FuzzTarget("backups") { bytes in
        do {
            let file = try BackupRecipe(bytes).file()
            try tell(of: file)
            try restore(file)
        } catch {
            promise(false, "files can be made: \(error)")
        }
    }

    private static let former = ["notifier.db": "the former database", "notifier.db-wal": "its log"]

    private static func restore(_ file: [UInt8]) throws {
        let folder = try ScratchFolder()
        for (name, text) in former { try folder.write(Array(text.utf8), to: name) }
        try folder.write(file, to: "backup.sqlite")
        var settings = DaemonSettings()
        settings.database = "\(folder.path)/notifier.db"
        do {
            _ = try DatabaseCommands.restore(settings, from: "\(folder.path)/backup.sqlite")
            expectFormer(in: folder, beside: true)
            try expectUsable(settings.database)
        } catch let error as DaemonError {
            promise(error.code == .backupUnusable, "what is wrong is the backup: \(error.text)")
            expectFormer(in: folder, beside: false)
        } catch {
            promise(false, "a refusal is told as one, not \(error)")
        }
        promise(folder.read("backup.sqlite") == file, "a backup is only read")
    }

    /// Refused, everything is as it was; restored, the former database is there under another name; and nothing else either way.
    private static func expectFormer(in folder: ScratchFolder, beside isBeside: Bool) {
        var expected = ["backup.sqlite", "notifier.db", "notifier.db.lock"]
        let aside = folder.entries.first { $0.contains(".before-") && !$0.hasSuffix("-wal") } ?? "notifier.db"
        promise(isBeside == (aside != "notifier.db"), "\(folder.entries) has the former database where it belongs")
        expected += isBeside ? [aside, "\(aside)-wal"] : ["notifier.db-wal"]
        promise(folder.entries == expected.sorted(), "nothing is left behind: \(folder.entries)")
        for (name, text) in former {
            let name = name.replacing("notifier.db", with: aside)
            promise(folder.read(name) == Array(text.utf8), "\(name) is the former one")
        }
    }

    /// What was taken is good enough for every command, and for a server.
    private static func expectUsable(_ path: String) throws {
        let options = DatabaseOptions(synchronous: .off)
        try expectJSON(
            IncidentRecord.lines(
                of: Database(path: path, options: options),
                zones: LiveTimeZones(),
                at: VirtualWorld.start
            )
        )
        let now = VirtualWorld.start
        let copies = try ScratchFolder()
        _ = try Maintenance.backUp(path, to: LiveBackupFolder(path: copies.path), at: now)
        // A secret may be one that no key opens, but each is looked at.
        _ = try Maintenance.reseal(
            Database(path: path, options: options),
            keys: FuzzedNotifier.encryptionKeys,
            entropy: LiveEntropy(),
            at: now
        )
        do {
            let server = try FuzzedNotifier(copyOf: path)
            defer { server.discard() }
            server.run(for: .minutes(3))
            let health = server.answer(HTTPRequest(method: .get, origin: FuzzedNotifier.origin, target: "/health"))
            promise(health?.status == 200, "a server goes on from it")
        } catch is SQLiteError {
            promise(false, "what is restored keeps the rules of its tables")
        } catch {
            // One key for all device tokens: a server does not start when it cannot open that.
        }
    }

    /// A server's own database may be damaged, too, and that is when somebody wants to know.
    private static func tell(of file: [UInt8]) throws {
        let folder = try ScratchFolder()
        try folder.write(file, to: "notifier.db")
        let lines = try? IncidentRecord.lines(
            of: Database(path: "\(folder.path)/notifier.db"),
            zones: LiveTimeZones(),
            at: VirtualWorld.start
        )
        expectJSON(lines ?? [])
    }

    private static func expectJSON(_ lines: [String]) {
        for line in lines {
            let isJSON = (try? JSONDecoder().decode(AnyJSON.self, from: Data(line.utf8))) != nil
            promise(isJSON && !line.contains("\n"), "\(line) is a line of JSON")
        }
    }
}
