import Notifier
import SQLite
import SimulatedStorage
import Synchronization

/// The folder of backups on a simulated machine: as durable as its disk, and as full.
final class SimulatedBackups: BackupDestination {
    private struct State {
        var begun = 0
        /// Names of finished and unfinished backups, with the name of their database on the disk.
        var finished: [String: String] = [:]
        var unfinished: [String: String] = [:]
    }

    private let disk: SimulatedDisk
    private let state = Mutex(State())

    init(on disk: SimulatedDisk) {
        self.disk = disk
    }

    func names() throws -> [String] { state.withLock { $0.finished.keys.sorted() } }

    func unfinished() throws -> [String] { state.withLock { $0.unfinished.keys.sorted() } }

    func begin(_ name: String) throws -> String {
        let (place, former) = state.withLock { state in
            state.begun += 1
            let place = "backup-\(state.begun)"
            return (place, state.unfinished.updateValue(place, forKey: name))
        }
        if let former { disk.removeDatabase(named: former) }
        return disk.path(of: place)
    }

    func open(_ name: String) throws -> Database {
        guard let place = state.withLock({ $0.unfinished[name] }) else { throw BackupError.damaged }
        return try disk.openDatabase(named: place)
    }

    func finish(_ name: String) throws -> Int {
        guard let place = state.withLock({ $0.unfinished[name] }) else { throw BackupError.damaged }
        let size = try disk.openDatabase(named: place).first(
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        ) { $0.int(0) }
        disk.sync(named: place)
        let former = state.withLock { state in
            state.unfinished[name] = nil
            return state.finished.updateValue(place, forKey: name)
        }
        if let former { disk.removeDatabase(named: former) }
        return size ?? 0
    }

    func remove(_ name: String) throws {
        let places = state.withLock { state in
            [state.finished.removeValue(forKey: name), state.unfinished.removeValue(forKey: name)].compactMap { $0 }
        }
        for place in places { disk.removeDatabase(named: place) }
    }
}
