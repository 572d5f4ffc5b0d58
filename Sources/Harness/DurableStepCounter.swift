import Scenarios
import Simulation

/// Counts how often the notifier reaches each step.
///
/// Unchecked: simulation thread.
final class DurableStepCounter: @unchecked Sendable {
    private(set) var counts: [DurableStep: Int] = [:]
    private var reader = DurableStepReader()

    func serialJob(_ moment: JobMoment) {
        counts[DurableStepReader.step(at: moment), default: 0] += 1
    }

    func traceEvent(_ record: TraceRecord) {
        for step in reader.steps(in: record) { counts[step, default: 0] += 1 }
    }
}
