import Platform

/// What GitLab's state will be at a moment of the plan, as far as it decides which actions are possible.
struct PlannedWorld {
    /// A milestone of a project, from when somebody first sets it.
    struct Milestone: Equatable {
        var due: CivilDate?
    }

    let world: World
    /// Every item that exists or existed, in the order in which they came to be.
    private(set) var items: [ItemReference] = []
    private var states: [ItemReference: PlannedItem] = [:]
    private var roles: [ProjectPath: [Username: Member.Role]] = [:]
    private var locked: [ProjectPath: Set<Username>] = [:]
    private var registered: Set<Username>
    /// Who has left the notifier, and does not come back.
    private var departed: Set<Username> = []
    private var blocked: Set<Username> = []
    private var watches: [Username: Set<ItemReference>] = [:]
    /// People none of whose devices has a network, and those of them who have chosen something meanwhile.
    private var offline: Set<Username> = []
    private var waiting: Set<Username> = []
    /// Who takes part in each duty, in the order in which they came.
    private var dutyMembers: [String: [Username]] = [:]
    /// Who takes part in each duty by name alone, and who did.
    private var dutyNames: [String: Set<Username>] = [:]
    private var formerDutyNames: [String: Set<Username>] = [:]
    /// Members of each project who are no bots, in the order of the file.
    private var humans: [ProjectPath: [Username]] = [:]
    /// All that GitLab is in the course of the story.
    private let releases: [GitLabWorld.Version]
    private var milestones: [ProjectPath: [String: Milestone]] = [:]
    private var lastIID: [ProjectPath: [ItemKind: Int64]] = [:]

    init(scenario: Scenario) {
        world = scenario.world
        releases = scenario.releases
        registered = Set(scenario.registeredFromStart.map(\.username))
        for duty in world.duties { dutyMembers[duty.name] = duty.members }
        for person in world.people { watches[person.username] = Set(person.notified?.watches ?? []) }
        let bots = Set(world.people.filter(\.isBot).map(\.username))
        for project in world.projects {
            humans[project.path] = project.members.map(\.username).filter { !bots.contains($0) }
            roles[project.path] = Dictionary(project.members.map { ($0.username, $0.role) }) { first, _ in first }
            for item in project.items { add(PlannedItem(item, item.reference(in: project.path))) }
        }
        for entry in scenario.timeline { reserve(entry) }
    }

    subscript(reference: ItemReference) -> PlannedItem? { states[reference] }

    private var resetsApprovals: Bool {
        world.gitlab.quirks.contains { $0 == .resetsApprovals }
    }

    /// Numbers that later entries claim are not given to other items.
    private mutating func reserve(_ entry: TimelineEntry) {
        guard case .action(let action) = entry.event else { return }
        if let project = action.project, let number = action.number {
            noteNumber(ItemReference(project: project, kind: .issue, iid: number))
        }
        guard case .newItem = action.kind.target else { return }
        guard case .oneOf(let references) = action.on else { return }
        for reference in references { noteNumber(reference) }
    }

    private mutating func noteNumber(_ reference: ItemReference) {
        let last = lastIID[reference.project]?[reference.kind] ?? 0
        lastIID[reference.project, default: [:]][reference.kind] = max(last, reference.iid)
    }

    private mutating func add(_ item: PlannedItem) {
        items.append(item.reference)
        states[item.reference] = item
        noteNumber(item.reference)
    }

    /// The number the next item of that kind gets in the project.
    func nextReference(in project: ProjectPath, _ kind: ItemKind) -> ItemReference {
        ItemReference(project: project, kind: kind, iid: (lastIID[project]?[kind] ?? 0) + 1)
    }

    /// The person's role while they have access; nil otherwise.
    func role(of username: Username, in project: ProjectPath) -> Member.Role? {
        guard locked[project]?.contains(username) != true else { return nil }
        return roles[project]?[username]
    }

    /// Those whom "anyone" may mean in the project.
    func anyone(in project: ProjectPath) -> [Username] { humans[project] ?? [] }

    /// Whether the person was taken out of the project.
    func hasLostAccess(_ username: Username, to project: ProjectPath) -> Bool {
        locked[project]?.contains(username) ?? false
    }

    func isBlocked(_ username: Username) -> Bool { blocked.contains(username) }

    /// Whether to-dos can be snoozed all the time, however GitLab is upgraded meanwhile (17.9 or later, GitLab facts §6.1).
    var hasSnooze: Bool {
        releases.allSatisfy { version in
            switch version {
            case .v15_0, .v15_5, .v16_11, .v17_0, .v17_8: false
            case .v17_9, .v17_11, .v18_5: true
            }
        }
    }

    func isRegistered(_ username: Username) -> Bool { registered.contains(username) }

    func hasLeft(_ username: Username) -> Bool { departed.contains(username) }

    func isWatching(_ username: Username, _ item: ItemReference) -> Bool { watches[username]?.contains(item) ?? false }

    /// Who takes part in a duty and uses the notifier.
    func members(of duty: String) -> [Username] { dutyMembers[duty] ?? [] }

    func takesPart(_ username: Username, in duty: String) -> Bool {
        members(of: duty).contains(username) || isNamed(username, in: duty)
    }

    /// Whether somebody takes part who does not use the notifier.
    func isNamed(_ username: Username, in duty: String) -> Bool { dutyNames[duty]?.contains(username) ?? false }

    /// Whether somebody does not use the notifier, and never took part: nobody is to be taken for another of the same name.
    func isStranger(_ username: Username, to duty: String) -> Bool {
        guard let person = world.person(username), person.notified == nil else { return false }
        return !isNamed(username, in: duty) && formerDutyNames[duty]?.contains(username) != true
    }

    /// Nil before somebody has set it on an item of the project.
    func milestone(_ title: String, in project: ProjectPath) -> Milestone? { milestones[project]?[title] }

    // MARK: Effects

    /// Takes note of what the action changes.
    mutating func apply(_ resolved: ResolvedAction) {
        apply(resolved.action)
        if case .onItem(_, let item, _) = resolved.action { states[item]?.apply(resolved) }
    }

    /// Takes note of what the action changes about the world: what it changes about its item stands in the action's row.
    mutating func apply(_ action: Action) {
        switch action {
        case .onItem(.moveIssue(let project, let number), let item, _): move(item, to: project, number)
        case .onItem(.setMilestone(let name, let due), let item, _):
            if milestone(name, in: item.project) == nil {
                milestones[item.project, default: [:]][name] = Milestone(due: due)
            }
        case .onItem(.push, let item, _): if resetsApprovals { states[item]?.approvers = [] }
        case .open(let item, let person): add(PlannedItem(item, author: person))
        case .moveMilestone(let name, let due, let project, _): milestones[project]?[name]?.due = due
        case .access(.lost, let user, let project): locked[project, default: []].insert(user)
        case .access(.regained, let user, let project): locked[project]?.remove(user)
        case .register(let person): registered.insert(person)
        case .watch(let item, let person): watches[person, default: []].insert(item)
        case .unwatch(let item, let person): watches[person]?.remove(item)
        case .app(.tapWatch(let item), let person): watches[person, default: []].insert(item)
        case .app(.tapDismiss(let item), let person): watches[person]?.remove(item)
        case .app(.leave, let person): leave(person)
        case .token(.block, let person): blocked.insert(person)
        case .token(.unblock, let person): blocked.remove(person)
        case .duty(.join, let duty, let person, _): dutyMembers[duty, default: []].append(person)
        case .duty(.stop, let duty, _, _):
            dutyMembers[duty] = []
            for user in dutyNames[duty] ?? [] { remove(user, from: duty) }
        case .duty(.add(let user), let duty, _, _): dutyNames[duty, default: []].insert(user)
        case .duty(.remove(let user), let duty, _, _): remove(user, from: duty)
        case .duty(.leave, let duty, let person, _): dutyMembers[duty]?.removeAll { $0 == person }
        case .device(.offline, let person, nil): offline.insert(person)
        case .device(.online, let person, _):
            offline.remove(person)
            waiting.remove(person)
        case .onItem, .mentionOnCommit, .todo, .token, .announcement, .app, .program, .duty, .device: break
        }
        if let person = action.queuedBy, offline.contains(person) { waiting.insert(person) }
    }

    private mutating func remove(_ user: Username, from duty: String) {
        dutyNames[duty]?.remove(user)
        formerDutyNames[duty, default: []].insert(user)
    }

    private mutating func leave(_ person: Username) {
        registered.remove(person)
        departed.insert(person)
        watches[person] = []
        for duty in dutyMembers.keys { dutyMembers[duty]?.removeAll { $0 == person } }
    }

    /// Why an action is not possible while the notifier is about to go back to a backup: it would forget it. What waits on a device until then
    /// it hears afterwards.
    func forgets(_ action: Action) -> String? {
        if case .device(.online, let person, _) = action, waiting.contains(person) {
            return
                "the notifier would hear of what \(person) chose offline, and forget it with the backup that is brought back"
        }
        if let person = action.queuedBy, offline.contains(person) { return nil }
        return action.isKeptByNotifier
            ? "the notifier would forget it with the backup that is brought back afterwards" : nil
    }

    /// GitLab opens a copy in the other project and closes the original.
    private mutating func move(_ item: ItemReference, to project: ProjectPath, _ number: Int64?) {
        guard var copy = states[item] else { return }
        copy.commenters = []
        copy.commentCount = 0
        let named = number.map { ItemReference(project: project, kind: item.kind, iid: $0) }
        copy.reference = named ?? nextReference(in: project, item.kind)
        add(copy)
    }
}
