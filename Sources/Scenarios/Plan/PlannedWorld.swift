import Platform

/// What GitLab's state will be at a moment of the plan, as far as it decides which actions are possible.
struct PlannedWorld {
    /// An item's state.
    struct ItemState {
        var kind: ItemKind
        var author: Username
        var state: Item.State
        var isDraft: Bool
        var isConfidential: Bool
        var title: String
        /// False once it was deleted or moved away.
        var isThere = true
        var hasOldNotes: Bool
        /// People's comments, the old ones included.
        var commentCount: Int
        /// Authors of the comments written in the story, oldest first; deleted ones are taken out.
        var commenters: [Username] = []
        var openThreads = 0
        var approvers: [Username] = []
        /// Whose approval a rule asks for.
        var requiredApprovers: [Username] = []
        var assignees: [Username]
        var reviewers: [Username]
        var labels: [String]
        var milestone: String?
        /// Its own, not its milestone's.
        var dueDate: CivilDate?
        /// How the newest pipeline stands.
        var pipeline: PipelineStatus?
        /// To be merged once the pipeline succeeds.
        var isAutoMerge = false
        var hasConflicts = false
    }

    /// A milestone of a project, from when somebody first sets it.
    struct Milestone: Equatable {
        var due: CivilDate?
    }

    let world: World
    /// Every item that exists or existed, in the order in which they came to be.
    private(set) var items: [ItemReference] = []
    private var states: [ItemReference: ItemState] = [:]
    private var roles: [ProjectPath: [Username: Member.Role]] = [:]
    private var locked: [ProjectPath: Set<Username>] = [:]
    private var registered: Set<Username>
    private var blocked: Set<Username> = []
    private var watches: [Username: Set<ItemReference>] = [:]
    /// People none of whose devices has a network, and those of them who have chosen something meanwhile.
    private var offline: Set<Username> = []
    private var waiting: Set<Username> = []
    /// Who takes part in each duty, in the order in which they came.
    private var dutyMembers: [String: [Username]] = [:]
    /// Members of each project who are no bots, in the order of the file.
    private var humans: [ProjectPath: [Username]] = [:]
    /// What GitLab is upgraded to in the course of the story.
    private let upgrades: [GitLabWorld.Version]
    private var milestones: [ProjectPath: [String: Milestone]] = [:]
    private var lastIID: [ProjectPath: [ItemKind: Int64]] = [:]

    init(scenario: Scenario) {
        world = scenario.world
        upgrades = scenario.timeline.compactMap { entry in
            guard case .fault(let fault) = entry.event, case .gitlabUpgrade(let version) = fault.effect else {
                return nil
            }
            return version
        }
        registered = Set(scenario.registeredFromStart.map(\.username))
        for duty in world.duties { dutyMembers[duty.name] = duty.members }
        for person in world.people { watches[person.username] = Set(person.notified?.watches ?? []) }
        let bots = Set(world.people.filter(\.isBot).map(\.username))
        for project in world.projects {
            humans[project.path] = project.members.map(\.username).filter { !bots.contains($0) }
            roles[project.path] = Dictionary(project.members.map { ($0.username, $0.role) }) { first, _ in first }
            for item in project.items { add(item.reference(in: project.path), ItemState(item)) }
        }
        for entry in scenario.timeline { reserve(entry) }
    }

    subscript(reference: ItemReference) -> ItemState? { states[reference] }

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

    private mutating func add(_ reference: ItemReference, _ state: ItemState) {
        items.append(reference)
        states[reference] = state
        noteNumber(reference)
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
        ([world.gitlab.version] + upgrades).allSatisfy { version in
            switch version {
            case .v15_0, .v15_5, .v16_11, .v17_0, .v17_8: false
            case .v17_9, .v17_11, .v18_5: true
            }
        }
    }

    func isRegistered(_ username: Username) -> Bool { registered.contains(username) }

    func isWatching(_ username: Username, _ item: ItemReference) -> Bool { watches[username]?.contains(item) ?? false }

    /// Who takes part in a duty.
    func members(of duty: String) -> [Username] { dutyMembers[duty] ?? [] }

    func takesPart(_ username: Username, in duty: String) -> Bool { members(of: duty).contains(username) }

    /// Nil before somebody has set it on an item of the project.
    func milestone(_ title: String, in project: ProjectPath) -> Milestone? { milestones[project]?[title] }

    // MARK: Effects

    /// Takes note of what the action changes.
    mutating func apply(_ action: Action) {
        switch action {
        case .onItem(let change, let item, let person):
            if case .moveIssue(let project, let number) = change { move(item, to: project, number) }
            if case .setMilestone(let name, let due) = change, milestone(name, in: item.project) == nil {
                milestones[item.project, default: [:]][name] = Milestone(due: due)
            }
            states[item]?.apply(change, by: person)
            if case .push = change, resetsApprovals { states[item]?.approvers = [] }
        case .open(let item, let person):
            add(item.reference, ItemState(item, author: person))
        case .moveMilestone(let name, let due, let project, _): milestones[project]?[name]?.due = due
        case .access(.lost, let user, let project): locked[project, default: []].insert(user)
        case .access(.regained, let user, let project): locked[project]?.remove(user)
        case .register(let person): registered.insert(person)
        case .watch(let item, let person): watches[person, default: []].insert(item)
        case .unwatch(let item, let person): watches[person]?.remove(item)
        case .app(.tapWatch(let item), let person): watches[person, default: []].insert(item)
        case .app(.tapDismiss(let item), let person): watches[person]?.remove(item)
        case .token(.block, let person): blocked.insert(person)
        case .token(.unblock, let person): blocked.remove(person)
        case .duty(.join, let duty, let person, _): dutyMembers[duty, default: []].append(person)
        case .duty(.leave, let duty, let person, _): dutyMembers[duty]?.removeAll { $0 == person }
        case .device(.offline, let person, nil): offline.insert(person)
        case .device(.online, let person, _):
            offline.remove(person)
            waiting.remove(person)
        case .mentionOnCommit, .todo, .token, .app, .program, .duty, .device: break
        }
        if let person = action.queuedBy, offline.contains(person) { waiting.insert(person) }
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
        guard var state = states[item] else { return }
        state.commenters = []
        state.commentCount = 0
        let named = number.map { ItemReference(project: project, kind: item.kind, iid: $0) }
        add(named ?? nextReference(in: project, item.kind), state)
    }
}

extension PlannedWorld.ItemState {
    init(_ item: Item) {
        self.init(
            kind: item.kind,
            author: item.author,
            state: item.state,
            isDraft: item.isDraft,
            isConfidential: item.isConfidential,
            title: item.isDraft && !Self.isMarked(item.title) ? "Draft: " + item.title : item.title,
            hasOldNotes: item.oldNotes > 0,
            commentCount: item.oldNotes,
            assignees: item.assignees,
            reviewers: item.reviewers,
            labels: item.labels
        )
    }

    init(_ item: NewItem, author: Username) {
        self.init(
            kind: item.reference.kind,
            author: author,
            state: .opened,
            isDraft: false,
            isConfidential: false,
            title: item.title,
            hasOldNotes: false,
            commentCount: 0,
            assignees: item.assignees,
            reviewers: item.reviewers,
            labels: []
        )
    }

    /// Takes note of what decides which actions are possible from now on; the rest changes nothing here.
    mutating func apply(_ action: ItemAction, by person: Username) {
        commentCount += action.newComments
        switch action {
        case .comment: commenters.append(person)
        case .reply: commenters.append(person)
        case .diffComment:
            commenters.append(person)
            openThreads += 1
        case .publishReview(let count):
            commenters.append(contentsOf: repeatElement(person, count: count))
            openThreads += count
        case .importBurst: hasOldNotes = true
        case .deleteComment:
            guard let index = commenters.lastIndex(of: person) else { break }
            commenters.remove(at: index)
            commentCount -= 1
        case .resolveThread: openThreads -= 1
        case .approve: approvers.append(person)
        case .unapprove: approvers.removeAll { $0 == person }
        case .merge: state = .merged
        case .close:
            state = .closed
            isAutoMerge = false
        case .reopen: state = .opened
        case .assign(let user): assignees.append(user)
        case .unassign(let user): assignees.removeAll { $0 == user }
        case .requestReview(let user): reviewers.append(user)
        case .requireApproval(let user): requiredApprovers.append(user)
        case .removeReviewRequest(let user): reviewers.removeAll { $0 == user }
        case .addLabel(let label): labels.append(label)
        case .setMilestone(let name, _): milestone = name
        case .setDueDate(let day): dueDate = day
        case .changeTitle(let text):
            title = newTitle(text)
            if kind == .mergeRequest, Self.isMarked(text) { isDraft = true }
        case .markDraft:
            isDraft = true
            title = "Draft: " + title
        case .markReady:
            isDraft = false
            if title.hasPrefix("Draft: ") { title.removeFirst("Draft: ".count) }
            mergeAutomatically()
        case .confidentialOn: isConfidential = true
        case .confidentialOff: isConfidential = false
        case .moveIssue, .deleteItem: isThere = false
        case .pipeline(let status):
            pipeline = status
            mergeAutomatically()
        case .retryPipeline: pipeline = .running
        case .setAutoMerge: isAutoMerge = true
        case .conflict: hasConflicts = true
        case .push:
            hasConflicts = false
            isAutoMerge = false
        default: break
        }
    }

    /// What becomes of a title that somebody writes: a draft keeps its mark.
    func newTitle(_ text: String) -> String { isDraft && !Self.isMarked(text) ? "Draft: " + text : text }

    private static func isMarked(_ text: String) -> Bool { draftMarks.contains(where: text.lowercased().hasPrefix) }

    /// A title that begins so makes a draft (supplement §2).
    private static let draftMarks = ["draft:", "[draft]", "(draft)", "draft - "]

    private mutating func mergeAutomatically() {
        guard isAutoMerge, state == .opened, !isDraft, !hasConflicts, pipeline == .success else { return }
        state = .merged
    }
}
