/// A scenario in which nothing is left to chance: its world and every step in the order in which they happen.
package struct ResolvedScenario: Sendable, Equatable {
    /// The scenario it was made from, whose timeline `steps` replaces.
    package var scenario: Scenario
    /// The seed the choices were drawn with.
    package var seed: UInt64
    /// Sorted by offset; steps of one instant stand in the order of the file.
    package var steps: [Step]
    /// Occurrences left out because nothing of their kind was possible at that moment.
    package var skippedOccurrences: Int

    package init(scenario: Scenario, seed: UInt64, steps: [Step], skippedOccurrences: Int = 0) {
        self.scenario = scenario
        self.seed = seed
        self.steps = steps
        self.skippedOccurrences = skippedOccurrences
    }
}

/// One thing that happens at one instant.
package struct Step: Sendable, Equatable {
    /// What happens.
    package enum Event: Sendable, Equatable {
        case action(ResolvedAction)
        /// The fault begins; it ends `length` later.
        case fault(Fault)
    }

    /// Position in the plan, from 0.
    package var sequence: Int
    /// Since the start, in whole milliseconds.
    package var offset: Duration
    package var event: Event

    package init(sequence: Int, offset: Duration, event: Event) {
        self.sequence = sequence
        self.offset = offset
        self.event = event
    }

    /// What is done; nil for a fault.
    package var action: Action? {
        guard case .action(let resolved) = event else { return nil }
        return resolved.action
    }
}

/// An action of a plan: what is done, and how a scenario file says just that. See `ActionTemplate.resolved()`.
package struct ResolvedAction: Sendable, Equatable {
    package let action: Action
    /// The template that leaves no choice but `action`.
    let template: ActionTemplate
}
