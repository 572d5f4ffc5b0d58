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
    var extras = ItemExtras()
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

/// An item that a cycle reads, and why.
struct DueItem {
    let item: PolledItem
    let reason: DueReason
}
