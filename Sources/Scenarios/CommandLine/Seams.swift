// Stand-ins for what other branches bring; this file goes when they are merged.
import Platform
import Simulation

struct RunOptions {
    var keepsTrace = false
    var exploresSchedules = false
}

struct RunOutcome {
    var record: RunRecord
    var traceLines: [String]
}

enum ScenarioRun {
    static func perform(_ resolved: ResolvedScenario, options: RunOptions) throws -> RunOutcome {
        let simulation = Simulation(
            seed: resolved.seed,
            start: resolved.scenario.start,
            retention: options.keepsTrace ? .everything : .digestOnly,
            exploresSchedules: options.exploresSchedules
        )
        _ = simulation.makeNode("notifier")
        simulation.trace.record(.world(kind: "seed", subject: Int64(truncatingIfNeeded: resolved.seed), detail: ""))
        simulation.run(for: resolved.scenario.duration)
        var record = RunRecord(resolved: resolved, simulated: resolved.scenario.duration)
        record.digest = simulation.trace.digestText
        record.steps = simulation.stepCount
        return RunOutcome(record: record, traceLines: simulation.trace.records.map(TraceFile.line))
    }
}
