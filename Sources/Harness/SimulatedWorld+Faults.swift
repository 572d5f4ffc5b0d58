import FakeAPNs
import FakeGitLab
import Platform
import SQLite
package import Scenarios
import SimulatedStorage
import Simulation
import Verdict

/// What goes wrong, and when it is over.
extension SimulatedWorld {
    /// Lets a fault begin; it ends by itself after its length.
    ///
    /// - Throws: `FakeGitLabError` or `RunError` when it cannot begin.
    func begin(_ fault: Fault) throws {
        note(fault)
        switch fault.effect {
        case .link(let kind, let link, let ratio): begin(kind, on: link, ratio, fault)
        case .webhookDuplicate(let ratio):
            duplicates.begin(fault.id, ratio)
            applyWebhookFaults()
            after(fault) { [self] in
                duplicates.end(fault.id)
                applyWebhookFaults()
            }
        case .webhookForged(let ratio):
            forgeries.begin(fault.id, ratio)
            applyWebhookFaults()
            after(fault) { [self] in
                forgeries.end(fault.id)
                applyWebhookFaults()
            }
        case .crash: crash(for: fault.length)
        case .crashAtStep(let step, let occurrence, let restarts, let keeps):
            arm(
                StepCrash(
                    step: step,
                    occurrence: occurrence,
                    restarts: restarts,
                    keeps: keeps,
                    downFor: fault.length
                )
            )
        case .powerLoss(let keeps): crash(for: fault.length, keeping: keeps)
        case .restart: restart(after: fault.length)
        case .restoreBackup: try restoreBackup(fault)
        case .stall: notifier.stall(for: fault.length)
        case .diskFull: failDisk(.full, fault)
        case .diskDamaged: failDisk(.damaged, fault)
        case .diskError(let operation, let ratio): failDisk(.failing(operation, ratio), fault)
        case .clockOffset(let node, let offset):
            clock(of: node).step(by: offset)
            after(fault) { [self] in clock(of: node).step(by: .zero - offset) }
        case .clockStep(let node, let offset): clock(of: node).step(by: offset)
        case .clockDrift(let node, let partsPerMillion): drift(node, partsPerMillion, fault)
        default: try beginInService(fault)
        }
    }

    private func note(_ fault: Fault) {
        let from = recorder.now
        recorder.record.faults.append(
            FaultRecord(id: fault.id, kind: fault.kind, span: Span(from: from, until: from + fault.length))
        )
        if case .link = fault.effect { return }
        simulation.trace.record(.faultBegan(id: fault.id.text, kind: fault.kind.rawValue))
        after(fault) { [simulation] in simulation.trace.record(.faultEnded(id: fault.id.text)) }
    }

    /// Carries `action` out when the fault is over: after its length, or when it is ended before.
    func after(_ fault: Fault, _ action: @escaping @Sendable () -> Void) {
        let ending = FaultEnding(action)
        faultEndings[fault.id, default: []].append(ending)
        simulation.schedule(after: fault.length) { [self] in
            ending.happen()
            faultEndings[fault.id]?.removeAll(where: \.hasHappened)
        }
    }

    /// Ends a fault before its time; false when none of that name is running.
    package func end(_ fault: EntryID) -> Bool {
        let endings = faultEndings.removeValue(forKey: fault) ?? []
        for ending in endings { ending.happen() }
        return !endings.isEmpty
    }

    private func applyWebhookFaults() {
        webhooks.duplicate(duplicates.current ?? .zero)
        webhooks.forge(forgeries.current ?? .zero)
    }

    private func drift(_ node: ClockNode, _ partsPerMillion: Int64, _ fault: Fault) {
        drifts[node, default: FaultsInForce()].begin(fault.id, partsPerMillion)
        clock(of: node).setDrift(microsecondsPerSecond: partsPerMillion)
        after(fault) { [self] in
            drifts[node]?.end(fault.id)
            clock(of: node).setDrift(microsecondsPerSecond: drifts[node]?.current ?? 0)
        }
    }

    private func clock(of node: ClockNode) -> NodeClock {
        switch node {
        case .notifier: notifier.clock
        case .gitlab: gitlabClock
        case .apns: apnsClock
        }
    }

    // MARK: Links

    private func begin(_ kind: LinkFault, on link: Link, _ ratio: Ratio, _ fault: Fault) {
        simulation.network.begin(
            Simulation::LinkFault(
                id: fault.id.text,
                kind: kind.inSimulation,
                numerator: ratio.numerator,
                denominator: ratio.denominator
            ),
            on: link.rawValue
        )
        after(fault) { [simulation] in simulation.network.endFault(id: fault.id.text) }
    }

    // MARK: The notifier's process

    /// `RestartSec` of `deploy/systemd/notifierd.service`.
    private static let supervisorPause = Duration.seconds(5)

    /// A machine that loses its power while the notifier is down may lose what the notifier wrote last.
    private func crash(for length: Duration, keeping: KeptWrites = .all) {
        if let fate = keeping.inSimulation {
            notifier.losePower(fate)
        } else if notifier.isRunning {
            notifier.crash()
        }
        stayDown(for: length)
    }

    private func failDisk(_ disk: DiskFault, _ fault: Fault) {
        diskFaults.begin(fault.id, disk)
        notifier.meet(disk)
        after(fault) { [self] in
            diskFaults.end(fault.id)
            notifier.meet(diskFaults.current)
        }
    }

    private func restart(after length: Duration) {
        if !isDown { notifier.stop() }
        stayDown(for: length)
    }

    /// So long before the fault is over the operator stops the notifier.
    private static let restoreTime = Duration.seconds(30)

    /// - Throws: `RunError` when the database cannot be copied, but for a disk that fails: then there is no backup, and the notifier is
    ///   started again as it was.
    private func restoreBackup(_ fault: Fault) throws {
        let name = "backup-for-\(fault.id.text)"
        do {
            try notifier.backUp(as: name)
        } catch {
            guard diskFaults.current != nil else { throw RunError.notifierRefused("\(error)") }
            return
        }
        simulation.schedule(after: fault.length - Self.restoreTime) { [self] in
            backupToRestore = name
            restart(after: Self.restoreTime)
        }
    }

    /// Where such faults overlap, the process is started again when the last of them has ended.
    private func stayDown(for length: Duration) {
        isDown = true
        let end = recorder.now + length
        downUntil = max(downUntil, end)
        recorder.record.downtimes.append(Span(from: recorder.now, until: end))
        simulation.schedule(after: length) { [self] in startAgain() }
    }

    private func startAgain() {
        guard isDown, recorder.now >= downUntil else { return }
        isDown = false
        do {
            recorder.notifierStarts()
            armWaitingCrashes()
            if let backup = backupToRestore.take() {
                notifier.crash()
                try notifier.restore(backup)
            }
            try notifier.startAgain()
            refusesToStart = false
        } catch let error as SQLiteError {
            startInVain(error)
        } catch {
            failure = failure ?? (error as? RunError) ?? .notifierRefused("\(error)")
        }
    }

    /// Its supervisor tries again, as the shipped unit for systemd does. Only a disk that fails excuses a start in vain.
    private func startInVain(_ error: SQLiteError) {
        // It has died while it was starting, and is started again by whatever killed it.
        guard !isDown else { return }
        notifier.crash()
        if diskFaults.current == nil, !refusesToStart {
            refusesToStart = true
            recorder.notifierEnded("\(error)")
        }
        stayDown(for: Self.supervisorPause)
    }

    /// Crashes the notifier when it reaches that step, unless it would not be up again when the scenario is over: the plan cannot say when
    /// that time comes.
    private func arm(_ crash: StepCrash) {
        guard crash.restarts == 0 else { return stepCrashes.append(crash) }
        let last = plan.scenario.duration - crash.downFor
        var crash = crash
        var listener: Int?
        listener = steps.listen { [unowned self] step in
            guard crash.strikes(at: step) else { return }
            if let listener { steps.end(listener) }
            if recorder.now <= last { self.crash(for: crash.downFor, keeping: crash.keeps) }
        }
    }

    /// The process has been started once more.
    private func armWaitingCrashes() {
        let waiting = stepCrashes
        stepCrashes = []
        for var crash in waiting {
            crash.restarts -= 1
            arm(crash)
        }
    }

    /// Counts the notifier's steps until then.
    func countSteps(until end: Duration) {
        let listener = steps.listen { [unowned self] in stepCounts[$0, default: 0] += 1 }
        simulation.schedule(after: end) { [self] in steps.end(listener) }
    }
}

/// What ends a fault; happens once.
///
/// Unchecked: simulation thread.
final class FaultEnding: @unchecked Sendable {
    private var action: (@Sendable () -> Void)?

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    var hasHappened: Bool { action == nil }

    func happen() {
        action.take()?()
    }
}
