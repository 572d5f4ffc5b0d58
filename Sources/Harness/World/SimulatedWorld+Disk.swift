import Notifier
import Platform
import Scenarios
import SimulatedStorage
import Simulation
import Verdict

/// What becomes of the notifier's disk and of what stands on it.
extension SimulatedWorld {
    func failDisk(_ disk: DiskFault, _ fault: Fault) {
        diskFaults.begin(fault.id, disk)
        notifier.meet(disk)
        after(fault) { [self] in
            diskFaults.end(fault.id)
            notifier.meet(diskFaults.current)
        }
    }

    func slowDisk(by delay: Duration, _ fault: Fault) {
        diskDelays.begin(fault.id, delay)
        notifier.slowDisk(by: delay)
        after(fault) { [self] in
            diskDelays.end(fault.id)
            notifier.slowDisk(by: diskDelays.current ?? .zero)
        }
    }

    /// So long before the fault is over the operator stops the notifier.
    private static let restoreTime = Duration.seconds(30)

    /// - Throws: `RunError` when the database cannot be copied, but for a disk that fails: then there is no backup, and the notifier is
    ///   started again as it was.
    func restoreBackup(_ fault: Fault) throws {
        guard let name = try backUp(for: fault) else { return }
        simulation.schedule(after: fault.length - Self.restoreTime) { [self] in
            backupToRestore = name
            restart(after: Self.restoreTime)
        }
    }

    /// The name of a backup of this instant, or of the one that waits to be brought back because the database is damaged; nil where a disk that
    /// fails keeps one from being made.
    ///
    /// - Throws: `RunError` when nothing excuses that.
    private func backUp(for fault: Fault) throws -> String? {
        if let former = damage?.backup ?? backupToRestore { return former }
        let name = "backup-for-\(fault.id.text)"
        do {
            try notifier.backUp(as: name)
            return name
        } catch {
            guard diskFaults.current != nil else { throw RunError.notifierRefused("\(error)") }
            return nil
        }
    }

    /// The process dies, the block is spoilt, and its supervisor starts it again. Where nobody reads the block, it goes on.
    ///
    /// - Throws: as `restoreBackup` does.
    func damageBlock(_ fault: Fault) throws {
        guard let name = try backUp(for: fault) else { return }
        damage = (name, recorder.now + fault.length)
        crash(for: Self.supervisorPause)
        notifier.damageDisk()
    }

    /// The operator reads why the notifier did not start, and brings the last backup back; false when there is none.
    func restoreAfterDamage() -> Bool {
        guard let (name, end) = damage.take() else { return false }
        backupToRestore = name
        stayDown(for: max(end - recorder.now, Self.supervisorPause))
        return true
    }
}
