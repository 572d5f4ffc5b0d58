/// A world with more teams like the one of the file: people, projects, items, and what happens to them. What goes wrong strikes all.
struct GrownTeams {
    private let original: Scenario
    private let people: Set<Username>
    private let projects: Set<ProjectPath>

    init(_ scenario: Scenario) {
        original = scenario
        people = Set(scenario.world.people.map(\.username))
        projects = Set(scenario.world.projects.map(\.path))
    }

    /// The team of the file, and copies of it.
    func scenario(teams: Int) -> Scenario {
        var grown = original
        grown.timeline = original.timeline.map(ownItems)
        for number in stride(from: 2, through: teams, by: 1) {
            grown.world.people += original.world.people.map { copy($0, number) }
            grown.world.projects += original.world.projects.map { copy($0, number) }
            grown.timeline += original.timeline.compactMap { copy($0, number) }
        }
        return grown
    }

    // MARK: the world

    private func copy(_ person: Person, _ number: Int) -> Person {
        var copy = person
        copy.username = name(person.username, number)
        copy.notified?.watches = person.notified?.watches.map { item($0, number) } ?? []
        return copy
    }

    private func copy(_ project: Project, _ number: Int) -> Project {
        var copy = project
        copy.path = path(project.path, number)
        copy.members = project.members.map { Member(username: name($0.username, number), role: $0.role) }
        copy.items = project.items.map { original in
            var item = original
            item.author = name(original.author, number)
            item.assignees = original.assignees.map { name($0, number) }
            item.reviewers = original.reviewers.map { name($0, number) }
            return item
        }
        return copy
    }

    // MARK: the timeline

    /// "Any" item means one of the team's own.
    private func ownItems(_ entry: TimelineEntry) -> TimelineEntry {
        guard case .any? = entry.items else { return entry }
        let items = original.world.itemReferences
        guard !items.isEmpty else { return entry }
        var entry = entry
        entry.items = .oneOf(items)
        return entry
    }

    /// Nil for a fault, which there is once.
    private func copy(_ entry: TimelineEntry, _ number: Int) -> TimelineEntry? {
        if case .fault = entry.event { return nil }
        var copy = ownItems(entry)
        // The name would stand twice.
        copy.id = nil
        copy.items = copy.items.map { items($0, number) }
        switch copy.event {
        case .action(var action):
            action.by = action.by.map { selector($0, number) }
            action.user = action.user.map { selector($0, number) }
            action.mention = action.mention.map { selector($0, number) }
            action.project = action.project.map { path($0, number) }
            action.assignees = action.assignees.map { name($0, number) }
            action.reviewers = action.reviewers.map { name($0, number) }
            copy.event = .action(action)
        case .mix(var mix):
            mix.by = selector(mix.by, number)
            mix.mention = mix.mention.map { selector($0, number) }
            copy.event = .mix(mix)
        case .fault: break
        }
        return copy
    }

    private func selector(_ selector: PersonSelector, _ number: Int) -> PersonSelector {
        switch selector {
        case .oneOf(let people): .oneOf(people.map { name($0, number) })
        case .anyone(let except): .anyone(except: except.map { name($0, number) })
        }
    }

    private func items(_ selector: ItemSelector, _ number: Int) -> ItemSelector {
        switch selector {
        case .oneOf(let items): .oneOf(items.map { item($0, number) })
        case .any: .any
        case .new(let project): .new(in: path(project, number))
        }
    }

    // MARK: names

    /// Names that belong to nobody of the file stay, such as somebody who is only mentioned.
    private func name(_ username: Username, _ number: Int) -> Username {
        guard people.contains(username) else { return username }
        return Username("\(username.text)-\(number)") ?? username
    }

    private func path(_ path: ProjectPath, _ number: Int) -> ProjectPath {
        guard projects.contains(path) else { return path }
        return ProjectPath("\(path.text)-\(number)") ?? path
    }

    private func item(_ item: ItemReference, _ number: Int) -> ItemReference {
        ItemReference(project: path(item.project, number), kind: item.kind, iid: item.iid)
    }
}
