import Platform

/// Decides which items a cycle reads when sweeps tell what has changed.
struct DuePolicy: Hashable, Sendable {
    /// Time between two readings of an item that no sweep covers.
    var pace: Duration
    /// Time between two cycles. Readings happen in cycles only, so what falls due before the middle of the next is due now.
    var cycleInterval: Duration
    /// Whether so many share their looks at what this account watches that the to-dos, which nobody else can read, are a quarter of all that is
    /// asked for: then they are left alone for longer.
    var isCrowded = false

    /// Time between two readings of an item that was touched lately.
    static let hotInterval = Duration.seconds(60)
    /// The same where the last look was another account's: what it shows comes a cycle later.
    static let sharedHotInterval = Duration.seconds(45)

    /// What the decision looks at beside the item's own state.
    struct Circumstances: Hashable, Sendable {
        /// The sweep that would show the item was answered in this cycle.
        var isCovered = true
        /// A to-do about it has come.
        var hasTodo = false
        /// Its lists are due from end to end.
        var mustReconcile = false
        /// Another account was shown that a list has changed.
        var isOutdated = false
        /// How many accounts share their looks at it, this one counted.
        var watchers = 1
    }

    /// Why the item is due in a cycle that begins at `now`; nil when it is not.
    func reason(_ item: ItemAttention.State, _ circumstances: Circumstances, at now: MonotonicInstant) -> DueReason? {
        guard let readAt = item.readAt, item.isRead else { return .unread }
        if item.isChanged { return .changed }
        if circumstances.hasTodo { return .todo }
        if circumstances.isOutdated { return .seenElsewhere }
        if let settlesAt = item.settlesAt {
            if now >= settlesAt { return .settled }
            let interval = item.isLookShared ? Self.sharedHotInterval : Self.hotInterval
            if isDue(readAt.advanced(by: interval), at: now, among: circumstances.watchers) { return .hot }
        }
        if circumstances.mustReconcile { return .reconciliation }
        guard circumstances.isCovered, item.isListed else {
            return isDue(readAt.advanced(by: pace), at: now) ? .uncovered : nil
        }
        guard item.needsPatrol, let patrolAt = item.patrolAt else { return nil }
        return isDue(patrolAt, at: now, among: circumstances.watchers) ? .patrol : nil
    }

    /// Longest time between two readings of the to-dos, unless cycles themselves are further apart.
    static let longestTodosPause = Duration.seconds(60)
    /// The same where at least ``crowd`` share their looks: to the second, since a cycle comes then that would not have come otherwise. It
    /// leaves room within the two minutes in which an assignment elsewhere is told.
    static let crowdedTodosPause = Duration.seconds(105)
    /// So many watch the same item where looks count as crowded.
    static let crowd = 10

    /// Whether a cycle that begins at `now` asks for the to-dos though nothing points to one: every other does, and one a minute at least,
    /// or one in 105 seconds in a crowd.
    /// What happens to watched items points to them, so that only what comes of other items waits for this.
    func areTodosDue(since lookedAt: MonotonicInstant?, at now: MonotonicInstant) -> Bool {
        guard let lookedAt else { return true }
        if let dueAt = crowdedTodosDueAt(since: lookedAt) { return now >= dueAt }
        let pause = min(cycleInterval * 2, max(Self.longestTodosPause, cycleInterval))
        return isDue(lookedAt.advanced(by: pause), at: now)
    }

    /// When the to-dos are due that were read in a cycle which began at `lookedAt`; nil outside a crowd, where cycles come often enough for them.
    func crowdedTodosDueAt(since lookedAt: MonotonicInstant) -> MonotonicInstant? {
        isCrowded ? lookedAt.advanced(by: max(Self.crowdedTodosPause, cycleInterval)) : nil
    }

    /// Whether what was read at `instant`, or never, is due by the pace alone.
    func isPaceOver(since instant: MonotonicInstant?, at now: MonotonicInstant) -> Bool {
        instant.map { isDue($0.advanced(by: pace), at: now) } ?? true
    }

    /// The next cycle of so many `watchers` who could look at the same comes so many times sooner.
    private func isDue(_ instant: MonotonicInstant, at now: MonotonicInstant, among watchers: Int = 1) -> Bool {
        now.duration(to: instant) <= .nanoseconds(cycleInterval.wholeNanoseconds / 2 / Int64(max(watchers, 1)))
    }
}
