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
                    id: fault.id,
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
        case .diskSlow(let delay): slowDisk(by: delay, fault)
        case .blockDamage: try damageBlock(fault)
        case .clockOffset(let node, let offset):
            clock(of: node).step(by: offset)
            after(fault) { [self] in clock(of: node).step(by: .zero - offset) }
        case .clockStep(let node, let offset): clock(of: node).step(by: offset)
        case .clockDrift(let node, let partsPerMillion): drift(node, partsPerMillion, fault)
        case .devicePowerLoss, .deviceDiskFull, .deviceDiskError, .deviceBlockDamage, .deviceTokenExpired:
            beginOnDevice(fault)
        default: try beginInService(fault)
        }
    }

    private func note(_ fault: Fault) {
        let from = recorder.now
        recorder.record.faults.append(
            FaultRecord(
                id: fault.id,
                kind: fault.kind,
                span: Span(from: from, until: from + fault.length),
                strikes: fault.kind.place == .gitlab ? 0 : nil
            )
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
