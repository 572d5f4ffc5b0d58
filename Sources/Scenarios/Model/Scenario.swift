package import Platform

/// A scenario file, decoded and checked: a story in virtual time with a world, a timeline and what is expected of it.
///
/// Values only. Everything it names exists and every time it gives lies inside `duration`; `ScenarioReader` refuses the
/// rest. What is left to chance is drawn by `plan(seed:)`.
package struct Scenario: Sendable, Equatable {
    /// Short name in lower case, such as `outage`.
    package var name: String
    /// Two sentences a user recognises.
    package var description: String
    /// The seed used when the command line names none.
    package var seed: UInt64
    /// How long the story lasts in virtual time.
    package var duration: Duration
    /// What the true wall clock shows at offset zero.
    package var start: WallTime
    package var world: World
    /// Overrides of the notifier's configuration.
    package var notifier: NotifierOverrides
    package var timeline: [TimelineEntry]
    package var expectations: [Gate]
    /// Paths that must have been reached, without which a run is no evidence.
    package var probes: [Probe]

    package init(
        name: String,
        description: String,
        seed: UInt64,
        duration: Duration,
        start: WallTime,
        world: World,
        notifier: NotifierOverrides = NotifierOverrides(),
        timeline: [TimelineEntry] = [],
        expectations: [Gate] = [],
        probes: [Probe] = []
    ) {
        self.name = name
        self.description = description
        self.seed = seed
        self.duration = duration
        self.start = start
        self.world = world
        self.notifier = notifier
        self.timeline = timeline
        self.expectations = expectations
        self.probes = probes
    }

    /// People who are registered with the notifier when the story begins: all who are notified, except those who register
    /// in the course of the timeline.
    package var registeredFromStart: [Person] {
        let later = Set(timeline.flatMap(\.registrations))
        return world.people.filter { $0.notified != nil && !later.contains($0.username) }
    }

    /// The releases that GitLab is of in the course of the story, the first first.
    package var releases: [GitLabWorld.Version] {
        let upgrades = timeline.compactMap { entry -> GitLabWorld.Version? in
            guard case .fault(let fault) = entry.event, case .gitlabUpgrade(let version) = fault.effect else {
                return nil
            }
            return version
        }
        return [world.gitlab.version] + upgrades
    }
}
