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
        if let place = place(of: look) {
            guard look.begunAt >= looks[place].look.begunAt.advanced(by: Self.longestWait) else { return }
            looks.remove(at: place)
        }
        if looks.count < Self.limit { looks.append((look, [])) }
    }

    /// Waits for a look of another account that stands for `own`, as one does that counts as of the same instant or a later one: `signal`
    /// is sent when it ends, and nobody waits longer than until the instant that is returned. Nil when there is none.
    mutating func join(_ own: Look, _ signal: WakeSignal) -> MonotonicInstant? {
        guard let place = place(of: own), looks[place].look.watcher != own.watcher,
            looks[place].look.since >= own.since
        else { return nil }
        let until = looks[place].look.begunAt.advanced(by: Self.longestWait)
        guard own.begunAt < until else { return nil }
        looks[place].waiting.append(signal)
        return until
    }

    /// A look has its answer, or will not have one; returns whom to wake.
    mutating func end(_ look: Look) -> [WakeSignal] {
        let place = looks.firstIndex { $0.look.list == look.list && $0.look.watcher == look.watcher }
        return place.map { looks.remove(at: $0).waiting } ?? []
    }

    /// `watcher` looks no more.
    mutating func leave(_ watcher: LookWatcher.ID) {
        looks.removeAll { $0.look.watcher == watcher }
    }

    /// Of the look at the same list as known by the same validator.
    private func place(of look: Look) -> Int? {
        looks.firstIndex { $0.look.list == look.list && $0.look.validator == look.validator }
    }
}
