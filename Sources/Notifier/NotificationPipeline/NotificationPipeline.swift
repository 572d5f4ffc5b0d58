import Platform

/// The way from facts to notifications, and the heart of the product: what was notified is left out (``FactMerge``), the person's rules
/// judge the rest (``RuleOutcome``), what they tell now is batched into notifications and put into the outbox, and all of it is recorded.
///
/// It runs inside one transaction of its caller, so that a crash at any point loses nothing and tells nothing twice.
struct NotificationPipeline: Sendable {
    /// Where notifications wait for their delivery.
    var outbox: Outbox
    /// The rules of the time zones in which quiet hours are meant.
    var zones: any TimeZoneSource
    /// Makes asks of facts; nil where nobody is reminded.
    var asks: AskSource?

    /// Somebody removed the watch, or left, while its item was read.
    struct WatchRemoved: Error {}

    /// The person chose other kinds of activity while the rows were read that the commit judges.
    struct KindsChanged: Error {}

    /// What a commit came to.
    struct Outcome: Sendable {
        var merge: FactMerge
        var ruleOutcome: RuleOutcome
        var notifications: [(enqueued: Outbox.Enqueued, facts: [Fact])]
    }

    /// Takes a commit through every stage. A fact that the rules suppress is recorded like one that is notified, so that no other source
    /// brings it up.
    ///
    /// - Throws: `WatchRemoved`, `KindsChanged`, or what the store throws.
    func take(_ commit: FactCommit, at now: WallTime, in store: Store) throws -> Outcome {
        try checkPresence(of: commit, in: store)
        try checkKinds(of: commit, in: store)
        let merge = try merge(commit, in: store)
        let late = try LateMentions(merge.lateMentions, of: commit.account, in: store)
        let ruleOutcome = try RuleOutcome(merge.facts + late.held) { facts in
            try rules(on: facts, of: commit.account, at: now, in: store)
        }
        try late.replace(by: ruleOutcome, of: commit.account, in: store)
        let notifications = try enqueue(ruleOutcome.notified, of: commit.account, at: now, in: store)
        if let source = self.asks {
            let serverTime = commit.serverTime
            let asks = AskRecord(account: commit.account, source: source, now: now, serverTime: serverTime)
            for told in notifications { try asks.raise(told.facts, toldBy: told.enqueued.id, in: store) }
            try asks.raise(ruleOutcome.held, toldBy: nil, in: store)
            try raise(late, by: asks, in: store)
            try asks.take(commit.candidates, knownElsewhere: merge.correlated, in: store)
        }
        try record(merge, ruleOutcome, of: commit, at: now, in: store)
        try store.store(commit.advance, of: commit.account, watch: commit.watch, at: now)
        return Outcome(merge: merge, ruleOutcome: ruleOutcome, notifications: notifications)
    }

    private func checkPresence(of commit: FactCommit, in store: Store) throws {
        if let watch = commit.watch {
            guard try store.hasWatch(watch, of: commit.account) else { throw WatchRemoved() }
        } else {
            guard try store.hasAccount(commit.account) else { throw WatchRemoved() }
        }
    }

    /// Rows count by what the person wants as they are recorded. A list that begins anew meanwhile, since its kind was switched off, has not
    /// been read before, also where the kind is on again.
    private func checkKinds(of commit: FactCommit, in store: Store) throws {
        guard let kinds = commit.kinds else { return }
        let wanted = try store.settings(of: commit.account).activities(orElse: kinds.standard)
        guard wanted == kinds.wanted else { throw KindsChanged() }
        guard let watch = commit.watch else { return }
        for list in commit.continuedLists {
            guard try store.isRead(list, of: watch) else { throw KindsChanged() }
        }
    }

    private func merge(_ commit: FactCommit, in store: Store) throws -> FactMerge {
        let known = try items(correlatedIn: commit).flatMap { try store.correlatedEvents(on: $0, of: commit.account) }
        let merge = try FactMerge(commit.candidates, correlator: EventCorrelator(known: known)) { key in
            try store.notifiedFact(key, to: commit.account)
        }
        try store.store(merge.correlator, of: commit.account)
        return merge
    }

    /// The items of which another source may have told the same.
    private func items(correlatedIn commit: FactCommit) -> [ItemReference] {
        var items: [ItemReference] = []
        for candidate in commit.candidates {
            guard candidate.suppression != .switchedOff,
                let item = (candidate.report ?? candidate.review)?.key.item
            else { continue }
            if !items.contains(item) { items.append(item) }
        }
        return items
    }

    private func rules(
        on facts: [Fact],
        of account: AccountID,
        at now: WallTime,
        in store: Store
    ) throws -> NotificationRules {
        try store.notificationRules(of: account, on: facts.compactMap(\.item), zones: zones, at: now)
    }

    /// What was told as a comment asks for something, by what told of it.
    private func raise(_ late: LateMentions, by asks: AskRecord, in store: Store) throws {
        guard !late.told.isEmpty else { return }
        let rules = try rules(on: late.told.map(\.fact), of: asks.account, at: asks.now, in: store)
        for told in late.told
        where rules.suppression(item: told.fact.item, actor: told.fact.actor.id, duty: nil) == nil {
            try asks.raise([told.fact], toldBy: told.notification, in: store)
        }
    }

    private func enqueue(
        _ facts: [Fact],
        of account: AccountID,
        at now: WallTime,
        in store: Store
    ) throws -> [(enqueued: Outbox.Enqueued, facts: [Fact])] {
        try Batching.batches(facts).map { facts in
            let draft = NotificationDraft(account: account, subject: .activity(facts))
            return (enqueued: try outbox.enqueue(draft, at: now, in: store), facts: facts)
        }
    }

    /// Keeps what was notified, held and suppressed, what is to be watched from now on, and what was answered before it was read.
    private func record(
        _ merge: FactMerge,
        _ ruleOutcome: RuleOutcome,
        of commit: FactCommit,
        at now: WallTime,
        in store: Store
    ) throws {
        let account = commit.account
        if let answer = commit.datedAnswer {
            try store.settleAsks(.asked(answer.item, until: answer.at, now: nil), of: account, by: .acted, at: now)
        }
        for tag in ruleOutcome.tagged { try store.insertAutoWatchRequest(tag, of: account, at: now) }
        if let moved = commit.movedIssue(at: now) { try store.insertMovedIssue(moved) }
        for fact in ruleOutcome.held { try store.insertHeldFact(HeldFact(fact), of: account, at: now) }
        let reasons = Self.reasons(merge, ruleOutcome)
        for record in merge.records {
            try store.insertNotifiedFact(
                record.key,
                to: account,
                occurredAt: record.occurredAt,
                at: now,
                silencedFor: reasons[record.key]
            )
        }
    }

    /// Why facts that are recorded are told to nobody.
    private static func reasons(
        _ merge: FactMerge,
        _ ruleOutcome: RuleOutcome
    ) -> [FactKey: Candidate.SuppressionReason] {
        var reasons: [FactKey: Candidate.SuppressionReason] = [:]
        for reason in Candidate.SuppressionReason.allCases where reason.isRecorded {
            for key in (merge.suppressed[reason] ?? []) + (ruleOutcome.suppressed[reason] ?? []) {
                reasons[key] = reason
            }
        }
        return reasons
    }
}
