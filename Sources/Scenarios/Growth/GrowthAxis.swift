import Configuration

/// In which way a world grows, as teams do: the habits of its people stay what they are.
package enum GrowthAxis: String, Sendable, CaseIterable {
    /// More teams like the one of the file, each with projects, items and news of its own.
    case people
    /// More items each, as busy as those of the file.
    case items
    /// More news on the same items.
    case rate

    /// What a size counts, behind the number.
    package var unit: String {
        switch self {
        case .people: "people"
        case .items: "items"
        case .rate: "% of the rate"
        }
    }

    /// The largest size that a search tries, and why there is an end.
    package struct Ceiling: Sendable, Equatable {
        package var size: Int
        package var reason: String

        package init(size: Int, reason: String) {
            self.size = size
            self.reason = reason
        }
    }

    /// What a search does by itself is at most so many times the file.
    private static let mostTimes = 64

    /// The size of the file itself: people who are notified, items, or 100 %. Nil when there is nothing that could grow.
    package func size(of scenario: Scenario) -> Int? {
        let size =
            switch self {
            case .people: scenario.notifiedCount
            case .items: scenario.world.itemReferences.count
            case .rate: scenario.timeline.contains(where: \.canBeScaled) ? 100 : 0
            }
        return size > 0 ? size : nil
    }

    /// Sizes are multiples of it: a team grows by whole teams.
    package func step(of scenario: Scenario) -> Int { self == .people ? max(1, scenario.notifiedCount) : 1 }

    /// Where a search ends without a bound of its own.
    package func ceiling(of scenario: Scenario) -> Ceiling {
        let start = size(of: scenario) ?? 1
        var ceilings = [Ceiling(size: start * Self.mostTimes, reason: "\(Self.mostTimes) times the file")]
        switch self {
        case .people:
            let teams = min(
                ScenarioShape.mostPeople / max(1, scenario.world.people.count),
                ScenarioShape.mostProjects / max(1, scenario.world.projects.count)
            )
            ceilings.append(
                Ceiling(
                    size: max(1, teams) * start,
                    reason: "a scenario has at most \(ScenarioShape.mostPeople) people and "
                        + "\(ScenarioShape.mostProjects) projects"
                )
            )
        case .items:
            let limit = ((try? scenario.notifier.configuration()) ?? NotifierConfiguration()).watchLimit
            let watched = scenario.world.people.compactMap { $0.notified?.watches.count }.max() ?? 0
            if watched > 0 {
                let size = max(start, start * limit / watched)
                ceilings.append(Ceiling(size: size, reason: "watchLimit lets a person watch \(limit) items"))
            }
            ceilings.append(
                Ceiling(
                    size: max(start, start * ScenarioShape.mostItems / max(1, scenario.mostItemsOfAKind)),
                    reason: "a project of a scenario has at most \(ScenarioShape.mostItems) items of a kind"
                )
            )
        case .rate: break
        }
        // The first of equal ones, so that the reason does not depend on chance.
        return ceilings.min { $0.size < $1.size } ?? ceilings[0]
    }

    /// The world at a size, from that of the file on; multiples of `step(of:)`. The world of the file is in it.
    package func grown(_ scenario: Scenario, to size: Int) -> Scenario {
        let start = self.size(of: scenario) ?? 1
        guard size > start else { return scenario }
        var grown: Scenario
        switch self {
        case .people: grown = GrownTeams(scenario).scenario(teams: size / start)
        case .items: grown = GrownItems(scenario, count: size).scenario
        case .rate:
            grown = scenario
            grown.timeline = scenario.timeline.map { $0.canBeScaled ? $0.scaled(by: size, of: start) : $0 }
        }
        grown.description = "\(scenario.description) Grown to \(size) \(unit)."
        return grown
    }
}

extension Scenario {
    /// In one project.
    fileprivate var mostItemsOfAKind: Int {
        let counts = world.projects.flatMap { project in
            ItemKind.allCases.map { kind in project.items.count { $0.kind == kind } }
        }
        return counts.max() ?? 0
    }

    fileprivate var notifiedCount: Int { world.people.count { $0.notified != nil } }
}
