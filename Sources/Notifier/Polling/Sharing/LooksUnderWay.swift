import Platform

/// Who is looking at the lists of an item at this moment, and who waits for what that shows.
///
/// A look is left to another account that knows the list by the same validator: what its answer says of that holds for both. Whoever waits
/// asks again what others have seen once the look has ended, however it has, and looks itself where that is nothing.
struct LooksUnderWay: Sendable {
    /// A look that has begun and not ended.
    struct Look: Sendable {
        var list: ItemLooks.List
        /// What its account knows the list by.
        var validator: String
        var watcher: LookWatcher.ID
        /// When the reading began that it is part of; for others it counts as of then.
        var since: MonotonicInstant
        /// When it began itself.
        var begunAt: MonotonicInstant
    }

    /// How long others wait for a look after it has begun.
    static let longestWait = Duration.seconds(5)
    /// Looks at one item that are known at a time; others are not waited for.
    static let limit = 8

    private var looks: [(look: Look, waiting: [WakeSignal])] = []

    /// A look begins. Where others may wait for one of the same list already, that stays the one to wait for, unless it has taken too long.
    mutating func begin(_ look: Look) {
        let place = looks.firstIndex { $0.look.list == look.list && $0.look.validator == look.validator }
        if let place {
            guard look.begunAt >= looks[place].look.begunAt.advanced(by: Self.longestWait) else { return }
            looks.remove(at: place)
        }
        if looks.count < Self.limit { looks.append((look, [])) }
    }

    /// Waits for another's look at `list`, which `watcher` knows by `validator`, that began at `instant` or later: `signal` is sent when it
    /// ends, and nobody waits longer than until the instant that is returned. Nil when there is none.
    mutating func join(
        _ list: ItemLooks.List,
        knownBy validator: String,
        since instant: MonotonicInstant,
        _ watcher: LookWatcher.ID,
        _ signal: WakeSignal,
        at now: MonotonicInstant
    ) -> MonotonicInstant? {
        let place = looks.firstIndex { $0.look.list == list && $0.look.validator == validator }
        guard let place, looks[place].look.watcher != watcher, looks[place].look.since >= instant else { return nil }
        let until = looks[place].look.begunAt.advanced(by: Self.longestWait)
        guard now < until else { return nil }
        looks[place].waiting.append(signal)
        return until
    }

    /// The look of `watcher` at `list` has its answer, or will not have one; returns whom to wake.
    mutating func end(_ list: ItemLooks.List, of watcher: LookWatcher.ID) -> [WakeSignal] {
        guard let place = looks.firstIndex(where: { $0.look.list == list && $0.look.watcher == watcher }) else {
            return []
        }
        return looks.remove(at: place).waiting
    }

    /// `watcher` looks no more.
    mutating func leave(_ watcher: LookWatcher.ID) {
        looks.removeAll { $0.look.watcher == watcher }
    }
}
