import Scenarios
import Simulation

/// Hears which durable steps the notifier reaches, whichever process it is at the time, and tells whoever listens. It costs nothing
/// while nobody does.
///
/// Unchecked: simulation thread.
final class DurableStepMonitor: @unchecked Sendable {
    private let simulation: Simulation
    private let notifier: any NotifierHost
    private let recorder: Recorder
    private var listeners: [Int: (DurableStep) -> Void] = [:]
    private var listenersSoFar = 0
    private var reader = DurableStepReader()

    init(_ notifier: any NotifierHost, _ recorder: Recorder, _ simulation: Simulation) {
        (self.notifier, self.recorder, self.simulation) = (notifier, recorder, simulation)
    }

    /// Calls `listener` at each step from now on, in the order in which listeners came.
    ///
    /// - Returns: what ends it.
    func listen(_ listener: @escaping (DurableStep) -> Void) -> Int {
        if listeners.isEmpty { begin() }
        listenersSoFar += 1
        listeners[listenersSoFar] = listener
        return listenersSoFar
    }

    func end(_ listener: Int) {
        listeners[listener] = nil
        if listeners.isEmpty { end() }
    }

    /// Nobody hears of a step any more.
    func end() {
        listeners = [:]
        simulation.watchSerialJobs(nil)
        notifier.watchDisk(nil)
        recorder.onTraceEvent = nil
    }

    private func begin() {
        reader = DurableStepReader()
        simulation.watchSerialJobs { [unowned self] node, moment in
            if node == notifier.nodeNumber { reach(DurableStepReader.step(at: moment)) }
        }
        notifier.watchDisk { [unowned self] in reach(DurableStepReader.step(before: $0)) }
        recorder.onTraceEvent = { [unowned self] in
            for step in reader.steps(in: $0) { reach(step) }
        }
    }

    private func reach(_ step: DurableStep) {
        for (_, listener) in listeners.sorted(by: { $0.key < $1.key }) { listener(step) }
    }
}
