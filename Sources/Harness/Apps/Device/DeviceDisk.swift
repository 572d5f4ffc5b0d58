import KitSQLite
import NotifierKit
import Platform
import SQLite
import Scenarios
import SimulatedStorage

/// The disk of a device, with the file in which the app keeps what all devices keep alike.
///
/// Unchecked: simulation thread.
final class DeviceDisk: @unchecked Sendable {
    private static let name = "sync"

    private let disk: SimulatedDisk
    private var faults = FaultsInForce<DiskFault>()
    /// Deaths of the battery that wait for operations of the disk.
    private var waiting: [Death] = []

    private struct Death {
        var occurrence: Int
        let happen: () -> Void
    }

    init(random: RandomStream) {
        disk = SimulatedDisk(random: random)
        disk.onOperation = { [weak self] _ in self?.count() }
    }

    /// The kit's store on it, for a process that begins now.
    func makeStore() -> SQLiteLocalStore {
        disk.beginProcess()
        return SQLiteLocalStore(path: disk.path(of: Self.name))
    }

    /// The process of the app has ended where it stood.
    func endProcess() { disk.endProcess() }

    /// The power has gone, and with it what `fate` says of writes before their sync; nothing with nil.
    func losePower(_ fate: UnsyncedWrites?) {
        if let fate { disk.losePower(fate) } else { disk.endProcess() }
    }

    /// A block of the file is spoilt. No process of the app is there.
    func damageBlock() { disk.damageBlock(of: Self.name) }

    func begin(_ id: EntryID, _ fault: DiskFault) {
        faults.begin(id, fault)
        disk.meet(fault)
    }

    func end(_ id: EntryID) {
        faults.end(id)
        disk.meet(faults.current)
    }

    /// `happen` is called in the middle of the nth operation from now on.
    func arm(occurrence: Int, _ happen: @escaping () -> Void) {
        waiting.append(Death(occurrence: occurrence, happen: happen))
    }

    private func count() {
        for index in waiting.indices { waiting[index].occurrence -= 1 }
        guard let index = waiting.firstIndex(where: { $0.occurrence == 0 }) else { return }
        waiting.remove(at: index).happen()
    }

    /// What the next process would find, whatever is wrong with the disk now; nil when the app has never kept anything. For the end of a run.
    ///
    /// - Throws: `SQLiteError` when it could not read it.
    func read() throws -> SyncState? {
        disk.endProcess()
        disk.meet(nil)
        guard disk.size(of: Self.name) != nil else { return nil }
        return try SQLiteLocalStore.read(disk.openDatabase(named: Self.name))
    }

    /// Gives its memory back. For the end of a run.
    func discard() { disk.discard() }
}
