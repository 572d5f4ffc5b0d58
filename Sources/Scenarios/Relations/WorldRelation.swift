import Configuration
import JSON
import Platform

/// One thing in which a world and its twin differ, and which must not matter for what people are told.
package enum WorldRelation: String, Sendable, CaseIterable {
    /// Changes are noticed the other way: by sweeps, or by reading every item.
    case detection
    /// The notifier is restarted once more, while nothing is going on.
    case quietRestart = "quiet-restart"
    /// GitLab is asked for pages of another length.
    case pageSize = "page-size"
    /// Nothing goes wrong. The twin may tell more.
    case withoutFaults = "without-faults"
    /// The notifier's machine loses its power in the middle of commits.
    case powerLosses = "power-losses"

    /// Whether people may be told of something in the twin alone.
    package var mayTellMore: Bool { self == .withoutFaults }

    /// How long the notifier is down at a quiet restart.
    static let downFor = Duration.seconds(10)
    /// Lists of any length have several pages of so few rows.
    private static let smallPage = 3
    /// The most that GitLab gives, and the default.
    private static let largePage = 100

    /// The world with that one thing changed; nil where there is nothing to change, or no moment for it.
    package func twin(of world: Scenario) -> Scenario? {
        var twin = world
        twin.name = "\(world.name)-\(rawValue)"
        twin.description = "\(world.description) Its twin for \(rawValue)."
        switch self {
        case .detection:
            let isPerItem = world.notifier["changeDetection"] == .string("perItem")
            twin.notifier["changeDetection"] = .string(isPerItem ? "sweep" : "perItem")
        case .quietRestart:
            guard let restart = Self.quietRestart(in: world) else { return nil }
            twin.timeline.append(restart)
        case .pageSize:
            let asked = (try? world.notifier.configuration())?.perPage ?? Self.largePage
            let isSmall = asked < Self.largePage / 2
            twin.notifier["perPage"] = .integer(isSmall ? Int64(Self.largePage) : Self.shortPage(for: world))
        case .withoutFaults:
            twin.timeline.removeAll(where: \.canBeSpared)
            guard twin.timeline.count < world.timeline.count else { return nil }
        case .powerLosses:
            let losses = PowerLossDraw.entries(for: world)
            guard !losses.isEmpty else { return nil }
            twin.timeline += losses
        }
        return twin
    }

    /// Longer where items have a long past, which would be read for minutes in pages of a few rows.
    private static func shortPage(for world: Scenario) -> Int64 {
        let oldNotes = world.world.projects.flatMap(\.items).reduce(0) { $0 + Int64($1.oldNotes) }
        let least = PageLoad([], oldNotes: oldNotes).leastPerPage
        return min(max(Int64(smallPage), least), Int64(largePage / 4))
    }

    private static func quietRestart(in world: Scenario) -> TimelineEntry? {
        guard let plan = try? world.plan(seed: world.seed), let moment = plan.quietMoment,
            let id = EntryID(Self.quietRestart.rawValue)
        else { return nil }
        return TimelineEntry(
            id: id,
            occurrence: .at(moment),
            event: .fault(Fault(id: id, effect: .restart, length: downFor))
        )
    }
}

extension TimelineEntry {
    /// Whether it is something that goes wrong. After an upgrade GitLab is another one, which shows other things.
    fileprivate var canBeSpared: Bool {
        guard case .fault(let fault) = event else { return false }
        return fault.kind != .gitlabUpgrade
    }
}
