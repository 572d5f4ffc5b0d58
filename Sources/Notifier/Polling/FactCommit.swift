import Platform

/// Everything that one item's readings, or the to-dos on nothing watched, come to: committed in one transaction or not at
/// all, so that a crash at any point loses nothing and tells nothing twice.
struct FactCommit: Sendable {
    let account: AccountID
    /// Nil for to-dos on what is not watched.
    var watch: WatchID?
    /// Notes and state events first, to-dos behind them.
    var candidates: [Candidate] = []
    var noteIDs: [Int64] = []
    var stateEventIDs: [Int64] = []
    var todoIDs: [Int64] = []
    /// What else the store learns of the item's lists.
    var effects: [ListEffect] = []
    /// System notes that say nothing to the person, for the log.
    var droppedSystemNotes = 0

    /// True when the store has nothing to learn.
    var isEmpty: Bool {
        noteIDs.isEmpty && stateEventIDs.isEmpty && todoIDs.isEmpty && candidates.isEmpty && effects.isEmpty
    }

    /// Somebody removed the watch, or left, while its item was read.
    struct WatchRemoved: Error {}

    /// What a commit came to.
    struct Result: Sendable {
        var merge: FactMerge
        var ruling: Ruling
        var notifications: [(enqueued: Outbox.Enqueued, facts: [Fact])]
    }

    /// Writes notifications, held and told facts and seen rows into the caller's transaction. A fact that the rules silence is
    /// recorded like one that is told, so that no other source brings it up.
    ///
    /// - Throws: `WatchRemoved`, or what the store throws.
    func write(
        at now: WallTime,
        outbox: Outbox,
        zones: any TimeZoneSource,
        in store: Store
    ) throws -> Result {
        if let watch {
            guard try store.hasWatch(watch, of: account) else { throw WatchRemoved() }
        } else {
            guard try store.hasAccount(account) else { throw WatchRemoved() }
        }
        let ledger = try HappeningLedger(known: knownHappenings(in: store))
        let merge = try FactMerge(candidates, happenings: ledger) { try store.toldFact($0, to: account) }
        try store.store(merge.happenings, of: account)
        let ruling = try Ruling(merge.facts) { facts in
            let items = facts.compactMap(\.item)
            return try store.notificationRules(of: account, on: items, zones: zones, at: now)
        }
        let notifications = try Batching.batches(ruling.told).map { facts in
            let draft = NotificationDraft(account: account, subject: .activity(facts))
            return (enqueued: try outbox.enqueue(draft, at: now, in: store), facts: facts)
        }
        for item in ruling.tagged { try store.insertAutoWatchRequest(item, of: account, at: now) }
        for fact in ruling.held { try store.insertHeldFact(HeldFact(fact), of: account, at: now) }
        for record in merge.records {
            try store.insertToldFact(record.key, to: account, occurredAt: record.occurredAt, at: now)
        }
        try store.insertSeenTodos(todoIDs, of: account, at: now)
        if let watch {
            try store.insertSeenNotes(noteIDs, of: watch, at: now)
            try store.insertSeenStateEvents(stateEventIDs, of: watch, at: now)
            for effect in effects { try store.apply(effect, to: watch, at: now) }
        }
        return Result(merge: merge, ruling: ruling, notifications: notifications)
    }

    private func knownHappenings(in store: Store) throws -> [WitnessedHappening] {
        var items: [ItemReference] = []
        for candidate in candidates {
            guard candidate.silence != .switchedOff, let item = candidate.testimony?.happening.item else { continue }
            if !items.contains(item) { items.append(item) }
        }
        return try items.flatMap { try store.happenings(on: $0, of: account) }
    }
}
