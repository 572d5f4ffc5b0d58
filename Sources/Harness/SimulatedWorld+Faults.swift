import FakeAPNs
import FakeGitLab
import Platform
import SQLite
package import Scenarios
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
        case .crashAtStep(let step, let occurrence): armCrash(at: step, occurrence, downFor: fault.length)
        case .restart: restart(after: fault.length)
        case .stall: notifier.stall(for: fault.length)
        case .diskFull: failWrites(with: .full, fault)
        case .diskDamaged: failWrites(with: .corrupt, fault)
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

    private func crash(for length: Duration) {
        if notifier.isRunning { notifier.crash() }
        stayDown(for: length)
    }

    private func failWrites(with error: SQLiteError, _ fault: Fault) {
        diskFaults.begin(fault.id, error)
        notifier.failWrites(with: error)
        after(fault) { [self] in
            diskFaults.end(fault.id)
            notifier.failWrites(with: diskFaults.current)
        }
    }

    private func restart(after length: Duration) {
        if !isDown { notifier.stop() }
        stayDown(for: length)
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
            try notifier.startAgain()
        } catch {
            failure = failure ?? (error as? RunError) ?? .notifierRefused("\(error)")
        }
    }

    /// Crashes the notifier when it reaches a step for the `occurrence`th time from now, unless it would not be up again when the scenario is
    /// over: the plan cannot say when that time comes.
    private func armCrash(at step: DurableStep, _ occurrence: Int, downFor length: Duration) {
        let last = plan.scenario.duration - length
        let watch = DurableStepObserver(step, occurrence: occurrence) { [self] in
            disarmCrash()
            if recorder.now <= last { crash(for: length) }
        }
        switch step {
        case .beforeCommit, .afterCommit:
            simulation.watchSerialJobs { [notifier] node, moment in
                if node == notifier.nodeNumber { watch.serialJob(moment) }
            }
        case .beforePoll, .afterPollAnswer, .beforePush, .afterPush, .afterPushAnswer, .afterTokenRefresh:
            recorder.onTraceEvent = { watch.traceEvent($0) }
        }
    }

    func disarmCrash() {
        simulation.watchSerialJobs(nil)
        recorder.onTraceEvent = nil
    }

    func watchSteps(with counter: DurableStepCounter) {
        simulation.watchSerialJobs { [notifier] node, moment in
            if node == notifier.nodeNumber { counter.serialJob(moment) }
        }
        recorder.onTraceEvent = { counter.traceEvent($0) }
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
