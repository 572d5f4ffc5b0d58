import HTTP
import Platform

/// One list as the poller knows it.
struct PolledList {
    private(set) var list: ListRequest
    /// Nil until the list has been read once, and while it must be read in full each time.
    var memory: ListMemory?
    var seen: SeenIDs

    init(list: ListRequest, seen: SeenIDs) {
        self.list = list
        self.seen = seen
    }

    /// After a reading that failed: asks for smaller pages from now on where a page was too large.
    mutating func take(_ error: GitLabError) {
        guard error == .unreachable(.responseTooLarge), let smaller = list.withSmallerPages else { return }
        list = smaller
        memory = nil
    }
}

/// A watched item as the poller knows it. A class, since the cycle's workers change it in place; it never leaves its actor.
final class PolledItem {
    let watched: WatchedItem
    var notes: PolledList
    var stateEvents: PolledList
    var resume: StateEventsScan.Resume?
    var health: ItemHealth
    var fallback = ItemFallback()
    /// Read once, when the item is first looked for in its project's feed; none of it changes.
    var origin: ItemOrigin?
    /// Lists that are read only now and then, or only for who wants them.
    var metadataLists = ItemMetadata()
    /// When the watch began, as far as our own clock tells.
    let watchedAt: MonotonicInstant
    /// What our clock showed then.
    let watchedSince: WallTime
    /// What sweeps showed of it; untouched while there are none.
    var attention: ItemAttention
    /// Since when GitLab does not show the item, for the store.
    var missingSince: WallTime?
    /// When every row that existed had been read and dealt with.
    var completeAt: MonotonicInstant
    /// When both lists are read from end to end again.
    var reconcileAt: MonotonicInstant

    init(
        watched: WatchedItem,
        notes: PolledList,
        stateEvents: PolledList,
        health: ItemHealth,
        watchedAt: MonotonicInstant,
        watchedSince: WallTime,
        missingSince: WallTime?,
        completeAt: MonotonicInstant,
        reconcileAt: MonotonicInstant
    ) {
        self.watched = watched
        self.notes = notes
        self.stateEvents = stateEvents
        self.health = health
        self.watchedAt = watchedAt
        self.watchedSince = watchedSince
        attention = ItemAttention(kind: watched.item.kind)
        self.missingSince = missingSince
        self.completeAt = completeAt
        self.reconcileAt = reconcileAt
    }
}

extension PolledItem {
    /// The item as a cycle reads it.
    func due(_ reason: DueReason) -> DueItem {
        DueItem(watch: watched.watch, item: watched.item, reason: reason)
    }

    /// The item as a cycle that begins at `now` sees it, but for what its sweep tells.
    func prospect(at now: MonotonicInstant) -> ItemProspect {
        ItemProspect(
            watch: watched.watch,
            item: watched.item,
            attention: attention.state,
            isAdmitted: health.isDue(at: now),
            mustReconcile: now >= reconcileAt
        )
    }

    /// A reading that begins at `now`.
    func begin(_ due: DueItem, at now: MonotonicInstant) -> ItemReading {
        ItemReading(due, hasNewState: attention.state.hasNewState, reconcileAt: reconcileAt, resume: resume, at: now)
    }

    /// Below its floor a list shows no late rows any more.
    func raiseFloors(at now: MonotonicInstant, overlap: Duration) {
        notes.seen.raiseFloor(at: now, overlap: overlap)
        stateEvents.seen.raiseFloor(at: now, overlap: overlap)
    }

    /// Moves the scan state; the store has it.
    func take(_ advance: ScanAdvance, at now: MonotonicInstant) {
        notes.seen.insert(advance.notes, at: now)
        stateEvents.seen.insert(advance.stateEvents, at: now)
        for reading in advance.metadataLists { metadataLists.take(reading, at: now) }
    }

    /// Remembers how far a reading went, once all that it brought has been dealt with: only that need not be read again.
    func take(_ reading: ItemReading, at now: MonotonicInstant, pauses: PollPauses) {
        if let page = reading.notes?.beginning { notes.memory = ListMemory(page, of: notes.list) }
        if let events = reading.stateEvents {
            resume = events.scan.resume
            if let page = events.beginning { stateEvents.memory = ListMemory(page, of: stateEvents.list) }
        }
        if reading.countsAsLook {
            attention.take(
                reading.due.reason,
                from: reading.startedAt,
                isComplete: reading.isSatisfied,
                patrol: pauses.patrol()
            )
        }
        if reading.isComplete { completeAt = now }
        if reading.isPartial { reconcileAt = now }
        if reading.isReconciled { reconcileAt = now.advanced(by: pauses.reconciliation()) }
    }

    /// Looks of others at all its lists, the first of which began at `start`, showed nothing that was not known.
    func takeWholeLook(at start: MonotonicInstant) {
        attention.takeWholeLook(at: start)
        if !attention.state.isChanged { completeAt = max(completeAt, start) }
    }

    /// Server times are compared with the server's clock; only the time since the last complete reading is our own.
    ///
    /// By the server's clock, what is much older than the watch lay in its baseline, or in a list that this GitLab did not have
    /// then. Our own clock may be wrong by more than that.
    func moment(of serverTime: WallTime?, at now: MonotonicInstant, wallNow: WallTime) -> FactRules.Moment {
        let server = serverTime ?? wallNow
        var since = completeAt.advanced(by: .zero - .hours(24))
        if let serverTime {
            // A clock that is behind, as after a start without time, would make the watch younger than the news of the downtime.
            let age = watchedSince.duration(to: serverTime)
            let watchedAt = min(watchedAt, now.advanced(by: .zero - age))
            since = max(since, watchedAt.advanced(by: .zero - Self.longestBaseline))
        }
        let elapsed = since.duration(to: now)
        return FactRules.Moment(now: server, backdatedBefore: server.advanced(by: .zero - elapsed))
    }

    /// What is written while a baseline is read is news, and a long thread takes its time.
    private static let longestBaseline = Duration.minutes(10)
}
