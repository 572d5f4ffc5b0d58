import JSON
import Platform

/// Plays the plan through once, so that a step GitLab would refuse is found before anything runs.
enum PlanCheck {
    /// Throws `InvalidScenario` when the plan for the scenario's own seed contains the impossible.
    static func check(
        _ scenario: Scenario,
        timeline: JSONNode?,
        report: ProblemReport
    ) throws(InvalidScenario) {
        var report = report
        func note(_ code: ProblemCode, _ entry: Int, _ message: String, hint: String?) {
            let offset = timeline?.elements.flatMap { $0.indices.contains(entry) ? $0[entry].offset : nil }
            report.add(code, at: offset ?? 0, JSONPointer.text(["timeline", String(entry)]), message, hint: hint)
        }
        do throws(PlanError) {
            var planner = try Planner(scenario: scenario, seed: scenario.seed)
            _ = planner.plan()
            for step in planner.impossible {
                let place = DurationNotation.text(step.offset)
                note(.impossibleAction, step.entry, "At \(place) this cannot happen: \(step.reason).", hint: nil)
            }
        } catch {
            let hint = "Make the story shorter, or the entry rarer."
            note(.tooManySteps, error.entry, "The plan would have more than \(PlanError.limit) steps.", hint: hint)
        }
        try report.throwIfAny()
    }
}
