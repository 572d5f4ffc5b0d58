import Configuration
import Platform

/// Turns rows into facts and judges which of them are news. One actor rule per source (trap 30), no time gate but the one
/// for backdated rows.
struct FactRules: Sendable {
    let person: Person
    /// What the person wants to hear of beyond what is addressed to them.
    let activities: Set<ActivityKind>
    private let mentions: MentionParser

    init(person: Person, activities: Set<ActivityKind> = ActivityKind.standard) {
        self.person = person
        self.activities = activities
        mentions = MentionParser(username: person.username)
    }

    /// When rows are looked at.
    struct Moment: Hashable, Sendable {
        /// Answers tell whole seconds, and come from machines whose clocks differ a little.
        private static let margin: Duration = .minutes(1)

        /// The wall clock, for rows whose time cannot be read.
        var now: WallTime
        /// A row that claims to be older was not made since the last complete reading: it is imported or backdated. Lies a day
        /// before that reading, so that an outage of any length suppresses nothing.
        var backdatedBefore: WallTime

        /// With a list that was not there before `instant`, if one is given: what it shows of the time before is no news either. A time that is
        /// yet to come was noted by a clock that has been set back since.
        func notBefore(_ instant: WallTime?) -> Self {
            guard let instant, instant > backdatedBefore, instant <= now.advanced(by: Self.margin) else {
                return self
            }
            return Self(now: now, backdatedBefore: instant)
        }
    }

    /// A note of a watched item; nil for a system note that says nothing.
    func candidate(_ note: NoteRow, on watched: WatchedItem, at moment: Moment) -> Candidate? {
        let isMention = !note.isSystem && mentions.isMentioned(in: note.body)
        let system = note.isSystem ? SystemNote(body: note.body) : nil
        let action: Action? =
            system.map { $0.action(for: person.username) } ?? (isMention ? .mentioned : .commented)
        guard let action else { return nil }
        let fact = Fact(
            key: .note(watched.item.project, note.id),
            action: action,
            actor: Actor(note.author),
            item: watched.item,
            itemTitle: watched.title,
            projectPath: watched.projectPath,
            webURL: watched.webURL.map { "\($0)#note_\(note.id)" },
            body: system.map(\.detail) ?? note.body,
            occurredAt: note.createdAt ?? moment.now,
            source: note.isSystem ? .activity : .note,
            sourceID: note.id
        )
        var candidate = Candidate(fact: fact)
        if isMention { candidate.mention = .mention(watched.item.project, note: note.id) }
        if !note.isSystem, watched.item.kind == .mergeRequest {
            candidate.review = report(.reviewSubmitted, by: note.author, on: watched.item, source: .item)
        }
        if note.isSystem {
            candidate.report = report(action, by: note.author, on: watched.item, source: .item)
        }
        return judged(candidate, actor: note.author, isImported: note.isImported, at: moment, kind: system?.kind)
    }

    /// A state event of a watched item.
    func candidate(_ event: StateEventRow, on watched: WatchedItem, at moment: Moment) -> Candidate {
        let fact = Fact(
            key: .stateEvent(watched.item.project, event.id),
            action: Self.action(of: event),
            actor: Actor(event.user),
            item: watched.item,
            itemTitle: watched.title,
            projectPath: watched.projectPath,
            webURL: watched.webURL,
            body: nil,
            occurredAt: event.createdAt ?? moment.now,
            source: .activity,
            sourceID: event.id
        )
        var candidate = Candidate(fact: fact)
        candidate.report = report(fact.action, by: event.user, on: watched.item, source: .item)
        return judged(candidate, actor: event.user, isImported: false, at: moment)
    }

    /// A to-do. Its age does not matter: it asks for attention now, whenever it was made (trap 6).
    func candidate(_ todo: TodoRow, at moment: Moment) -> Candidate {
        let note = todo.noteID.flatMap { note in todo.projectID.map { (project: $0, id: note) } }
        let fact = Fact(
            key: note.map { .note($0.project, $0.id) } ?? .todo(todo.id),
            action: todo.action,
            actor: Actor(todo.actor),
            item: todo.item,
            itemTitle: todo.target?.title ?? todo.body,
            projectPath: todo.project?.path,
            webURL: todo.targetURL ?? todo.target?.webURL,
            body: note == nil ? nil : todo.body,
            occurredAt: todo.createdAt ?? moment.now,
            source: .todo,
            sourceID: todo.id
        )
        let isOwn = todo.hasActor && todo.author?.id == person.id
        var candidate = Candidate(
            fact: fact,
            mention: note.map { .mention($0.project, note: $0.id) },
            suppression: isOwn ? .ownAction : nil
        )
        candidate.isNamed = note != nil && mentions.isMentioned(in: todo.body)
        candidate.isAddressed = todo.isAddressed
        candidate.ending = todo.ending(for: person.id)
        if let item = todo.item, note == nil {
            candidate.report = report(todo.action, by: todo.author, on: item, source: .todo)
        }
        return candidate
    }

    /// What may match a row with another source's; nil for what only one source tells.
    func report(_ action: Action, by actor: UserRow?, on item: ItemReference, source: EventSource) -> EventReport? {
        let kind: EventKey.Kind? =
            switch action {
            case .closed: .closed
            case .reopened: .reopened
            case .merged: .merged
            case .approved: .approved
            case .pushed: .pushed
            case .assigned: .assigned
            case .reviewRequested: .reviewRequested
            case .buildFailed, .pipelineFailed: .pipelineFailed
            case .reviewSubmitted: .reviewed
            default: nil
            }
        guard let kind else { return nil }
        // A pipeline has no actor that both its list and the to-do name (GitLab facts §6.1).
        let person = kind == .pipelineFailed ? 0 : actor?.id ?? 0
        return EventReport(key: EventKey(item: item, kind: kind, actor: person), source: source)
    }

    /// Judges a row; `kind` is what it counts as, the action's own unless said otherwise.
    func judged(
        _ candidate: Candidate,
        actor: UserRow?,
        isImported: Bool,
        at moment: Moment,
        kind: ActivityKind? = nil
    ) -> Candidate {
        var candidate = candidate
        // What the person did themselves answers who waits for them, also where they want to hear of no such thing.
        if actor?.id == person.id {
            candidate.suppression = .ownAction
        } else if let kind = kind ?? candidate.fact.action.kind, !activities.contains(kind) {
            candidate.suppression = .switchedOff
        } else if isImported || candidate.fact.occurredAt < moment.backdatedBefore {
            candidate.suppression = .backdated
        }
        return candidate
    }

    private static func action(of event: StateEventRow) -> Action {
        switch event.state {
        case "closed": .closed
        case "reopened": .reopened
        case "merged": .merged
        default: .other(event.state)
        }
    }
}

extension Actor {
    /// The person in a row; one whose account is gone has no name (GitLab facts §1, §10).
    init(_ user: UserRow?) {
        self.init(
            id: user?.id ?? 0,
            username: user?.username ?? "",
            name: user.map { $0.name.isEmpty ? $0.username : $0.name } ?? "Someone",
            avatarURL: user?.avatarURL
        )
    }
}
