import Scenarios

/// When issues were confidential, and to whom they were hidden then, taken from the plan.
struct Confidentiality {
    private struct Change {
        var at: Duration
        var isOn: Bool
    }

    private var changes: [ItemReference: [Change]] = [:]
    private let world: World

    init(_ resolved: ResolvedScenario) {
        world = resolved.scenario.world
        for project in world.projects {
            for item in project.items where item.isConfidential {
                changes[item.reference(in: project.path), default: []].append(Change(at: .zero, isOn: true))
            }
        }
        for step in resolved.steps {
            guard case .onItem(let action, let item, _) = step.action else { continue }
            switch action {
            case .confidentialOn: changes[item, default: []].append(Change(at: step.offset, isOn: true))
            case .confidentialOff: changes[item, default: []].append(Change(at: step.offset, isOn: false))
            default: continue
            }
        }
    }

    /// Whether `item` was hidden from `person` at any time between the two instants.
    func isHidden(_ item: ItemReference, from person: Username, between start: Duration, and end: Duration) -> Bool {
        guard let history = changes[item], !mayRead(item, person) else { return false }
        var isOn = false
        for change in history {
            if change.at > start && isOn { return true }
            guard change.at <= end else { return false }
            isOn = change.isOn
        }
        return isOn
    }

    /// Until when `item` stayed hidden from `person`, for whom it was at `instant`; nil when it was not.
    func hiddenUntil(_ item: ItemReference, from person: Username, at instant: Duration) -> Duration? {
        guard let history = changes[item], !mayRead(item, person) else { return nil }
        guard history.last(where: { $0.at <= instant })?.isOn == true else { return nil }
        return history.first { $0.at > instant && !$0.isOn }?.at ?? .seconds(Int64.max / 2)
    }

    /// Authors, assignees and members from reporter upwards read confidential issues.
    private func mayRead(_ item: ItemReference, _ person: Username) -> Bool {
        if let known = world.item(item), known.author == person || known.assignees.contains(person) { return true }
        let member = world.project(item.project)?.members.first { $0.username == person }
        return member.map { $0.role >= .reporter } ?? false
    }
}
