import Platform

/// Makes asks of facts.
struct AskSource: Sendable {
    /// Makes their ids.
    var entropy: any EntropySource
    var policy: ReminderPolicy
}

/// What new facts say about who waits for the person: some ask for something, others end that.
struct AskRecord: Sendable {
    var account: AccountID
    var source: AskSource
    var now: WallTime
    /// What GitLab's clock showed with the rows; nil where nobody knows.
    var serverTime: WallTime?

    /// Reminders of any title fit into a push.
    private static let titleLimitBytes = 240

    /// Somebody waits from now on. What the rules have silenced asks for nothing.
    func raise(_ facts: [Fact], toldBy notification: NotificationID?, in store: Store) throws {
        for fact in facts {
            guard let kind = Ask.Kind(fact.action) else { continue }
            let subject = NotificationDraft.Subject.activity([fact])
            let new = NewAsk(
                fact: fact,
                kind: kind,
                publicID: fact.signal?.ask ?? fact.duty?.ask ?? source.entropy.uuidString(),
                title: JSONText.prefix(NotificationText(subject, at: now).title, encodedLimit: Self.titleLimitBytes),
                itemTitle: JSONText.prefix(fact.itemTitle, encodedLimit: Self.titleLimitBytes),
                subject: subject.threadID
            )
            let ask = try store.raise(new, of: account, toldBy: notification, at: now)
            guard let ask else { continue }
            // What is told raises a version by itself.
            if notification == nil { try store.raiseDataVersion(of: account) }
            if kind.isWaiting { try store.planReminders(source.policy.delays, of: ask) }
            if kind == .reviewRequested, let item = fact.item {
                try store.keepNewestReview(on: item, of: account, serverTime: serverTime, at: now)
            }
        }
    }

    /// To-do items say what is asked for, and give asks their end; and what was dealt with is waited for no more.
    ///
    /// - Parameters:
    ///   - candidates: the rows.
    ///   - knownElsewhere: keys of what another source had told. Where the person acted, a note knows when: a list of approvals mostly does
    ///     not, and must not end what was asked since.
    ///   - store: where the asks are.
    /// - Throws: what the store throws.
    func take(_ candidates: [Candidate], knownElsewhere: Set<FactKey>, in store: Store) throws {
        for candidate in candidates {
            let fact = candidate.fact
            if fact.source == .todo, Ask.Kind(fact.action) != nil {
                let keys = [fact.key.text] + (candidate.mention.map { [$0.text] } ?? [])
                let kind: Ask.Kind? = candidate.isAddressed ? .addressed : nil
                for ask in try store.noteTodo(fact.sourceID, keys, kind, of: account) where kind != nil {
                    try store.planReminders(source.policy.delays, of: ask)
                }
            }
            guard let item = fact.item else { continue }
            if fact.source == .todo, fact.action == .reviewRequested {
                try store.noteReviewTodo(fact.sourceID, by: fact.actor.id, on: item, of: account)
            }
            if fact.source == .todo, let ending = candidate.ending {
                try store.settleAsks(endedBy: [fact.sourceID: ending], of: account, at: now)
            }
            // What is read late was done before what was asked since.
            if fact.action == .merged || fact.action == .closed {
                let scope = Store.AskScope.asked(item, until: fact.occurredAt, now: serverTime)
                try store.settleAsks(scope, of: account, by: .itemEnded, at: now)
            } else if Self.isAnswer(candidate) {
                let since = candidate.report?.since
                guard since == nil || !knownElsewhere.contains(fact.key) else { continue }
                // Of what a list shows without a time nobody knows whether it was done before what was asked since the look before; the
                // to-do item, which GitLab takes off its list when the person answers, says so.
                let end = min(since ?? fact.occurredAt, fact.occurredAt)
                let scope = Store.AskScope.asked(item, until: end, now: serverTime)
                try store.settleAsks(scope, of: account, by: .acted, at: now)
            }
        }
    }

    /// Whether the person has done what somebody does who deals with what was asked. A comment in which they name themselves answers as any.
    static func isAnswer(_ candidate: Candidate) -> Bool {
        guard candidate.suppression == .ownAction else { return false }
        switch candidate.fact.action {
        case .commented, .mentioned, .approved, .changesRequested: return true
        default: return false
        }
    }
}

extension FactRules {
    /// Whether the person has answered by a note, as ``AskRecord/isAnswer(_:)`` has it.
    func isAnswer(_ note: NoteRow, on watched: WatchedItem) -> Bool {
        guard note.author?.id == person.id, !note.isSystem, let writtenAt = note.createdAt else { return false }
        let moment = Moment(now: writtenAt, backdatedBefore: writtenAt)
        return candidate(note, on: watched, at: moment).map { AskRecord.isAnswer($0) } ?? false
    }
}
