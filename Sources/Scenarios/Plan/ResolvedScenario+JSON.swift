import JSON
import Platform

extension ResolvedScenario {
    /// The plan as a scenario of its own, in which every entry happens once and says everything: its plan has the same
    /// steps under any seed.
    var asScenario: Scenario {
        var resolved = scenario
        resolved.seed = seed
        resolved.timeline = steps.map(\.asEntry)
        return resolved
    }

    /// The text of `scenario.resolved.json`: a valid scenario file, the same bytes every time, with a newline at its end.
    package var json: String { asScenario.json }
}

extension Step {
    /// The timeline entry that says exactly this.
    package var asEntry: TimelineEntry {
        switch event {
        case .fault(let fault): TimelineEntry(id: fault.id, occurrence: .at(offset), event: .fault(fault))
        case .action(let resolved): TimelineEntry(occurrence: .at(offset), event: .action(resolved.template))
        }
    }
}

extension Scenario {
    /// A scenario file that reads back as this scenario, with a newline at its end.
    package var json: String { ScenarioEncoder.scenario(self).text(indented: true) + "\n" }
}
