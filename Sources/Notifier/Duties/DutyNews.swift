import Duties
import Platform

/// What of a change of duties is news, and for whom.
///
/// Whoever takes part hears that somebody else has done a turn or left it out, and whoever a turn comes to hears of the next one that came. The one
/// who made the change hears nothing of it. That a day more is planned is no news: two months ahead nobody wants to know.
struct DutyNews: Sendable {
    /// A fact for each person it is news for, in the order of the accounts.
    private(set) var facts: [(account: AccountID, fact: Fact)] = []

    /// - Parameters:
    ///   - record: the duty as it is now.
    ///   - changes: what came out otherwise, the first first.
    ///   - account: whose change it was.
    ///   - zones: the rules of the duty's zone.
    ///   - now: when it was made here.
    ///   - store: tells of the events that decided.
    /// - Throws: What the store throws.
    init(
        _ record: DutyRecord,
        _ changes: [OccurrenceChange],
        by account: AccountID,
        zones: any TimeZoneSource,
        at now: WallTime,
        in store: Store
    ) throws {
        let others = record.members.compactMap { member in member.account.map { (account: $0, id: member.member.id) } }
            .filter { $0.account != account }.sorted { $0.account < $1.account }
        guard !others.isEmpty else { return }
        let actor = record.member(of: account)?.member.name ?? "Someone"
        let gitlabUser = try store.account(account)?.gitlabUserID ?? 0
        let zone = TimeZone(record.duty.zone, from: zones) ?? .utc
        let ended = changes.filter { $0.after.status.isTerminal && $0.before?.decision != $0.after.decision }
        for other in others {
            func tell(_ action: Action, _ occurrence: Occurrence, _ change: String, by name: String, _ body: String) {
                let fact = Fact(
                    key: .duty(occurrence: occurrence.id.description, change: change),
                    action: action,
                    actor: Actor(id: gitlabUser, username: "", name: name),
                    itemTitle: record.duty.title,
                    body: body,
                    occurredAt: now,
                    source: .duty,
                    sourceID: 0,
                    duty: DutyReference(record.duty, occurrence)
                )
                facts.append((other.account, fact))
            }
            for change in ended {
                guard let id = change.after.decision?.id, let event = try store.dutyEvent(id, of: other.account),
                    case .completion(let done) = event.what
                else { continue }
                let name = record.member(done.by)?.member.name ?? actor
                let due = Self.due(change.after, record.duty, zone)
                let body = done.note.isEmpty ? due : "\(due)\n\(done.note)"
                tell(done.kind == .done ? .dutyDone : .dutySkipped, change.after, "end/\(id)", by: name, body)
            }
            // What is planned only now has come to nobody by what was done.
            let came = changes.first { change in
                guard let before = change.before, before.assignee != other.id else { return false }
                let after = change.after
                return after.assignee == other.id && !after.status.isTerminal
                    && Self.isNews(after, record.duty, at: now)
            }
            guard let turn = came?.after else { continue }
            tell(
                .dutyTurn,
                turn,
                "turn/\(now.microseconds)",
                by: actor,
                Self.due(turn, record.duty, zone)
            )
        }
    }

    /// Whether somebody to whom a turn comes is to hear that: it is still to be due, or was so less than a day ago and the duty does not ask for it.
    private static func isNews(_ turn: Occurrence, _ duty: Duty, at now: WallTime) -> Bool {
        let due = WallTime(secondsSinceEpoch: turn.dueAt)
        return (duty.escalates ? due : due.advanced(by: DutyReminderPolicy.longestDelay)) > now
    }

    /// `Due 2026-03-02 14:30 (Europe/Berlin)`.
    static func due(_ occurrence: Occurrence, _ duty: Duty, _ zone: TimeZone) -> String {
        let date = zone.date(at: WallTime(secondsSinceEpoch: occurrence.dueAt))
        let time = ShownMinute.text(date.hour * 60 + date.minute)
        return "Due \(DueDay(date).text) \(time) (\(duty.zone))"
    }
}

/// A minute of the day as clocks show it.
private enum ShownMinute {
    static func text(_ minute: Int) -> String {
        [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
    }
}

/// Puts the news of duties through the rules and into the outbox, inside the transaction of the change.
struct DutyTeller: Sendable {
    let pipeline: NotificationPipeline
    let book: DutyBook

    /// What became of it for each person, to be reported once the transaction has committed.
    typealias Told = [(account: AccountID, outcome: NotificationPipeline.Outcome)]

    /// Tells everybody who is concerned but the one who made the change.
    ///
    /// - Throws: What the store throws.
    func tell(
        _ outcome: DutyBook.Outcome,
        by account: AccountID,
        at now: WallTime,
        in store: Store
    ) throws -> Told {
        try askAgain(outcome.duty, by: account, at: now, in: store)
        guard !outcome.changes.isEmpty else { return [] }
        try askAnew(outcome, by: account, in: store)
        try noteOwn(outcome, by: account, at: now, in: store)
        let news = try DutyNews(
            outcome.duty,
            outcome.changes,
            by: account,
            zones: book.zones,
            at: now,
            in: store
        )
        var told: Told = []
        for account in Set(news.facts.map(\.account)).sorted() {
            let candidates = news.facts.filter { $0.account == account }.map { Candidate(fact: $0.fact) }
            let commit = FactCommit(account: account, candidates: candidates)
            let taken = try pipeline.take(commit, at: now, in: store)
            try noteTurns(taken.ruleOutcome, of: outcome.duty, to: account, at: now, in: store)
            told.append((account, taken))
        }
        return told
    }

    /// Whoever gets a turn back is asked for it as if they had never had it.
    private func askAnew(_ outcome: DutyBook.Outcome, by account: AccountID, in store: Store) throws {
        for change in outcome.changes where !change.after.status.isTerminal {
            guard let before = change.before, before.assignee != change.after.assignee,
                let other = change.after.assignee.flatMap(outcome.duty.member)?.account, other != account
            else { continue }
            try store.forgetDutyAsk(of: change.after, to: other)
        }
    }

    /// A slip in the duty that is put right again has let somebody off whose turn is due as before: it is asked of them anew, but not of whoever
    /// has put it right.
    private func askAgain(
        _ record: DutyRecord,
        by account: AccountID,
        at now: WallTime,
        in store: Store
    ) throws {
        guard record.duty.escalates else { return }
        let start = now.advanced(by: .zero - DutyReminderPolicy.longestDelay)
        // There is one a day.
        for occurrence in try store.openOccurrences(of: record, from: start, limit: 3) {
            guard WallTime(secondsSinceEpoch: occurrence.dueAt) <= now,
                let other = occurrence.assignee.flatMap(record.member)?.account,
                try store.putAwayPassedAsk(of: occurrence, to: other), other != account
            else { continue }
            try store.forgetDutyAsk(of: occurrence, to: other)
        }
    }

    /// What somebody brought about for themselves they know: nothing whose time has come by that is told to them.
    ///
    /// - Throws: What the store throws.
    func noteOwn(_ outcome: DutyBook.Outcome, by account: AccountID, at now: WallTime, in store: Store) throws {
        guard let own = outcome.duty.member(of: account)?.member.id else { return }
        for change in outcome.changes where change.after.assignee == own {
            guard change.before?.assignee != own || change.before?.dueAt != change.after.dueAt else { continue }
            try note(change.after, of: outcome.duty, to: account, DutyStep.allCases, at: now, in: store)
        }
    }

    /// Whoever hears that a turn came to them when its lead time has begun is not reminded of it beside that.
    private func noteTurns(
        _ outcome: RuleOutcome,
        of duty: DutyRecord,
        to account: AccountID,
        at now: WallTime,
        in store: Store
    ) throws {
        for fact in outcome.notified + outcome.held where fact.action == .dutyTurn {
            guard let id = (fact.duty?.occurrence).flatMap(EntityID.init),
                let index = try store.occurrencePlace(id)?.index,
                let occurrence = try store.occurrence(index, of: duty)
            else { continue }
            try note(occurrence, of: duty, to: account, [.ahead], at: now, in: store)
        }
    }

    private func note(
        _ occurrence: Occurrence,
        of record: DutyRecord,
        to account: AccountID,
        _ steps: [DutyStep],
        at now: WallTime,
        in store: Store
    ) throws {
        let zone = TimeZone(record.duty.zone, from: book.zones) ?? .utc
        let slots = DutyReminderPolicy(duty: record.duty, zone: zone).slots(of: occurrence)
        for slot in slots where slot.from <= now && steps.contains(slot.step) {
            try store.finish(slot, of: occurrence, to: account, at: now)
        }
    }
}
