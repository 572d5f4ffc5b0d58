import Scenarios
import Simulation

/// Counts how often the notifier reaches a step, and acts at the last time.
///
/// Unchecked: simulation thread.
final class DurableStepObserver: @unchecked Sendable {
    private let step: DurableStep
    private var remaining: Int
    private let action: () -> Void
    private var reader = DurableStepReader()

    init(_ step: DurableStep, occurrence: Int, _ action: @escaping () -> Void) {
        self.step = step
        remaining = occurrence
        self.action = action
    }

    func serialJob(_ moment: JobMoment) {
        if DurableStepReader.step(at: moment) == step { reach() }
    }

    func traceEvent(_ record: TraceRecord) {
        for reached in reader.steps(in: record) where reached == step { reach() }
    }

    private func reach() {
        guard remaining > 0 else { return }
        remaining -= 1
        if remaining == 0 { action() }
    }
}
