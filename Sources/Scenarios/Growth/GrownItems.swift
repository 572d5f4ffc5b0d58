/// A world in which everybody has more items, copies of those of the file, and as much happens to each of them.
struct GrownItems {
    private let original: Scenario
    /// Numbers of the copies of each item, its own first.
    private var numbers: [ItemReference: [Int64]] = [:]

    /// With so many items in all: at least as many as the file has.
    init(_ scenario: Scenario, count: Int) {
        original = scenario
        let items = scenario.world.itemReferences
        for item in items { numbers[item] = [item.iid] }
        let strides = Self.strides(scenario)
        var missing = count - items.count
        var round: Int64 = 1
        while missing > 0 && !items.isEmpty {
            for item in items.prefix(missing) {
                numbers[item, default: []].append(item.iid + round * (strides[item.project] ?? 1))
            }
            missing -= min(missing, items.count)
            round += 1
        }
    }

    var scenario: Scenario {
        var grown = original
        for index in grown.world.projects.indices {
            let path = grown.world.projects[index].path
            grown.world.projects[index].items = grown.world.projects[index].items.flatMap { item in
                copies(of: item.reference(in: path)).map { reference in
                    var copy = item
                    copy.iid = reference.iid
                    return copy
                }
            }
        }
        for index in grown.world.people.indices {
            guard let watches = grown.world.people[index].notified?.watches else { continue }
            grown.world.people[index].notified?.watches = watches.flatMap(copies)
        }
        grown.timeline = original.timeline.map(entry)
        return grown
    }

    /// The item itself for one that is opened later.
    private func copies(of item: ItemReference) -> [ItemReference] {
        (numbers[item] ?? [item.iid]).map { ItemReference(project: item.project, kind: item.kind, iid: $0) }
    }

    private func entry(_ entry: TimelineEntry) -> TimelineEntry {
        guard entry.canBeScaled else { return entry }
        let all = original.world.itemReferences
        guard let selector = entry.items, case .oneOf(let items) = selector, !items.isEmpty else {
            return entry.scaled(by: all.reduce(0) { $0 + copies(of: $1).count }, of: max(1, all.count))
        }
        let grown = items.flatMap(copies)
        var entry = entry.scaled(by: grown.count, of: items.count)
        entry.items = .oneOf(grown)
        return entry
    }

    /// Beyond every number of a project, also of items that are opened later under one of their own.
    private static func strides(_ scenario: Scenario) -> [ProjectPath: Int64] {
        var strides: [ProjectPath: Int64] = [:]
        let opened = scenario.timeline.flatMap { entry -> [ItemReference] in
            guard case .oneOf(let items)? = entry.items else { return [] }
            return items
        }
        for item in scenario.world.itemReferences + opened {
            strides[item.project] = max(strides[item.project] ?? 0, item.iid)
        }
        return strides
    }
}

extension TimelineEntry {
    /// What it is done to; nil for what is done to no item.
    var items: ItemSelector? {
        get {
            switch event {
            case .action(let action): action.on
            case .mix(let mix): mix.on
            case .fault: nil
            }
        }
        set {
            switch event {
            case .action(var action):
                action.on = newValue
                event = .action(action)
            case .mix(var mix):
                mix.on = newValue ?? .any
                event = .mix(mix)
            case .fault: break
            }
        }
    }
}
