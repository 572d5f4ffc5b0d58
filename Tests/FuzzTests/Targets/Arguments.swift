import Platform
import Verdict

@testable import Daemon
@testable import Live
@testable import Notifier
@testable import Workbench

extension FuzzTarget {
    /// What is typed behind `simctl` and `notifierd`, a word a line.
    static let arguments = FuzzTarget("arguments") { bytes in
        let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        do throws(ProgramError) {
            let command = try Command(arguments: words)
            promise((try? Command(arguments: words)) == command, "the same words mean the same")
            if case .run(let run) = command, case .range(let seeds) = run.seeds {
                let most = SeedSelection.maximumCount(parts: run.shard?.count ?? 1)
                promise(seeds.upperBound - seeds.lowerBound < most, "no run takes for ever")
            }
        } catch {
            promise(error.code.exitCode == .usage, "what cannot be understood is a matter of usage")
            promise(!error.text.isEmpty, "and is said")
        }
        do throws(DaemonError) {
            let command = try DaemonCommand(words)
            promise((try? DaemonCommand(words)) == command, "the same words mean the same")
        } catch {
            promise(error.code == .usage, "what cannot be understood is a matter of usage")
        }
    }

    /// Names and small files of this machine: backups in a folder, time zones, addresses, the lock of a database.
    static let machineNames = FuzzTarget("machine-names") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let instant = BackupSchedule.instant(of: text) {
            let again = BackupSchedule.instant(of: BackupSchedule.name(at: instant))
            promise(again == instant, "a backup is of the time in its name")
        }
        promise(BackupSchedule.expired(names: [text], at: VirtualWorld.start).isEmpty, "the newest backup stays")
        promise(BackupSchedule.wait(names: [text], at: VirtualWorld.start) <= .days(1), "the next one is due in a day")
        if let zone = LiveTimeZones().zoneFile(text) {
            promise(zone.starts(with: Array("TZif".utf8)) && !text.contains("."), "a zone is none of the other files")
        }
        do throws(HTTPServerError) {
            _ = try SocketAddress(text, port: 1)
            promise(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "an address is plain")
        } catch {
            promise(error == .badAddress(text), "and what is none is named")
        }
        readLock(bytes)
    }

    private static func readLock(_ bytes: [UInt8]) {
        guard let folder = try? ScratchFolder() else { return promise(false, "a folder can be made") }
        let database = "\(folder.path)/notifier.db"
        do throws(DaemonError) {
            let lock = try DatabaseLock(database)
            defer { withExtendedLifetime(lock) {} }
            try? folder.overwrite(bytes, "notifier.db.lock")
            _ = DatabaseLock.servingPort(database)
            _ = try DatabaseLock(database)
            promise(false, "a database has one holder")
        } catch {
            promise(error.code == .databaseInUse, "whatever the file of the lock says")
        }
        promise(DatabaseLock.servingPort(database) == nil, "without a holder nobody serves")
    }
}
