import Platform
package import Scenarios
import Simulation
import Verdict

/// Carries out one plan: builds the world, plays the steps, and records what happened.
package enum ScenarioRun {
    /// Runs `resolved` from beginning to end in virtual time, on the calling thread.
    ///
    /// - Throws: `RunError`.
    package static func perform(
        _ resolved: ResolvedScenario,
        options: RunOptions = RunOptions()
    ) throws -> RunOutcome {
        var result: Result<RunOutcome, any Error>?
        let strays = StrayJobTripwire.watch {
            result = Result { try play(resolved, options) }
        }
        guard var outcome = try result?.get() else { preconditionFailure("a watched body always runs") }
        for stray in strays {
            let origin = stray.enqueuedBy.prefix(6).joined(separator: " < ")
            outcome.record.violations.append(
                ViolationRecord(invariant: .strayJob, at: .zero, detail: "\(stray.job) enqueued by \(origin)")
            )
        }
        return outcome
    }

    private static func play(_ resolved: ResolvedScenario, _ options: RunOptions) throws -> RunOutcome {
        var options = options
        options.looksThroughIncident = IncidentCheck.isDone(in: resolved)
        let world = try SimulatedWorld(resolved, options)
        try world.play()
        return try world.outcomeWithIncident()
    }
}
