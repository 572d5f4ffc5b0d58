package import Scenarios
package import Simulation
package import Verdict

/// How a run is carried out, besides what its scenario says. None of it changes what a seed gives, except `exploresSchedules`, and
/// `metricsEvery`, which changes the digest: asking for the page is work of the notifier's.
package struct RunOptions: Sendable {
    /// Which events are kept, for a trace file and for stories; costs memory in proportion, unless `onTraceLine` takes them.
    package var trace: Trace.Retention
    /// Takes the lines of the trace file one after the other while the run lasts, on its thread; nil to have them in the outcome.
    package var onTraceLine: (@Sendable (String) -> Void)?
    /// Picks among runnable jobs by seed instead of first come, first served.
    package var exploresSchedules: Bool
    /// How long the world goes on after the scenario's end, so that what is under way can arrive.
    var tail: Duration
    /// How often the notifier's metrics are asked for; nil for never. Costs memory in proportion.
    package var metricsEvery: Duration?
    /// Until when it is counted how often the notifier reaches each durable step; nil to count nothing. The plan must not crash it at a
    /// step.
    package var countsStepsUntil: Duration?
    /// Whether what the notifier's operator would send with an incident report is asked for in the end.
    package var exportsIncident = false
    /// Whether that is looked through and forgotten; never of a run on sockets.
    var looksThroughIncident = false

    package init(
        trace: Trace.Retention = .digestOnly,
        exploresSchedules: Bool = false,
        tail: Duration = .seconds(1_200),
        metricsEvery: Duration? = nil
    ) {
        self.trace = trace
        self.exploresSchedules = exploresSchedules
        self.tail = tail
        self.metricsEvery = metricsEvery
    }
}

/// What a run leaves behind.
package struct RunOutcome: Sendable {
    package var record: RunRecord
    /// One JSON object a line for every event, in order; empty unless the trace was kept, and nobody took its lines.
    package var traceLines: [String]
    /// The notifier's metrics over virtual time as an OpenMetrics text; empty unless asked for.
    package var metricsLines: [String] = []
    /// How often the notifier reached each step; empty unless asked for.
    package var durableSteps: [DurableStep: Int] = [:]
    /// How often it had reached each of them every time it was started again; empty unless asked for.
    package var stepsBeforeStarts: [[DurableStep: Int]] = []
    /// The lines of `export-incident`; empty unless asked for.
    package var incidentLines: [String] = []
}

/// Why a scenario that passed every check could not be run.
package enum RunError: Error, CustomStringConvertible {
    /// The notifier refused to start.
    case notifierRefused(String)
    /// A fake refused to build the world, or an action in it.
    case worldRefused(step: Int?, String)

    package var description: String {
        switch self {
        case .notifierRefused(let reason): "The notifier did not start: \(reason)"
        case .worldRefused(nil, let reason): "The world could not be built: \(reason)"
        case .worldRefused(let step?, let reason): "Step \(step) could not be carried out: \(reason)"
        }
    }
}
