import Platform

/// Decides when items that webhooks named are polled out of turn. Pure: an item and the time in, what to poll out.
///
/// Several hooks for one item are one poll, an item is not polled again right after it was, items that are named within seconds are polled
/// together, as the to-dos are read with them, and over all items only so many polls a minute are made, so that no flood and no replay takes
/// the budget from ordinary polling. What finds no room is left out: polling finds it in its turn.
struct NamedItems: Sendable {
    /// One item is polled out of turn at most once in this time: a published review sends a hook for each of its notes.
    static let spacing = Duration.seconds(5)
    /// Two polls out of turn are so far apart, whatever their items.
    static let pause = Duration.seconds(3)
    /// Items that wait; more are left to ordinary polling.
    static let waitingLimit = 100

    private let perMinute: Int
    private var bucket: NamedItemsBucket
    /// In the order in which they were named, with the instant from which each may be polled.
    private var waiting: [(item: ItemReference, from: MonotonicInstant)] = []
    /// When items were polled out of turn, as long as that keeps them from being so again.
    private var polled: [(item: ItemReference, at: MonotonicInstant)] = []
    /// From when on anything may be polled out of turn.
    private var pausedUntil: MonotonicInstant

    /// Allows so many polls out of turn per minute; none with 0.
    init(perMinute: Int, now: MonotonicInstant) {
        self.perMinute = perMinute
        bucket = NamedItemsBucket(perMinute: perMinute, now: now)
        pausedUntil = now
    }

    /// An item was named. False when that changes nothing: it waits already, or there is no room.
    mutating func name(_ item: ItemReference, at now: MonotonicInstant) -> Bool {
        guard perMinute > 0, waiting.count < Self.waitingLimit, !waiting.contains(where: { $0.item == item }) else {
            return false
        }
        polled.removeAll { $0.at.advanced(by: Self.spacing) <= now }
        let last = polled.last { $0.item == item }
        waiting.append((item, max(now, last?.at.advanced(by: Self.spacing) ?? now)))
        return true
    }

    /// When the next one may be polled; nil while none waits.
    func nextAt(_ now: MonotonicInstant) -> MonotonicInstant? {
        waiting.map(\.from).min().map { max($0, bucket.nextAt(now), pausedUntil) }
    }

    /// Takes those that may be polled now.
    mutating func take(at now: MonotonicInstant) -> [ItemReference] {
        guard pausedUntil <= now else { return [] }
        var taken: [ItemReference] = []
        while let index = waiting.firstIndex(where: { $0.from <= now }), bucket.take(at: now) {
            let item = waiting.remove(at: index).item
            polled.append((item, now))
            taken.append(item)
        }
        if !taken.isEmpty { pausedUntil = now.advanced(by: Self.pause) }
        return taken
    }

    /// Ordinary polling is about to read these.
    mutating func forget(_ items: [ItemReference]) {
        guard !waiting.isEmpty else { return }
        waiting.removeAll { items.contains($0.item) }
    }
}

/// A token bucket that holds a minute's worth at most and fills evenly, so that in any minute at most twice that passes, and in
/// an hour a sixtieth more than the rate.
struct NamedItemsBucket: Sendable {
    private let intervalNanoseconds: Int64
    private let toleranceNanoseconds: Int64
    private var fullAt: MonotonicInstant

    init(perMinute: Int, now: MonotonicInstant) {
        let count = Int64(max(perMinute, 1))
        intervalNanoseconds = 60_000_000_000 / count
        toleranceNanoseconds = intervalNanoseconds * (count - 1)
        fullAt = now
    }

    /// From when one can be taken.
    func nextAt(_ now: MonotonicInstant) -> MonotonicInstant {
        max(now, MonotonicInstant(nanoseconds: fullAt.nanoseconds - toleranceNanoseconds))
    }

    /// Takes one; false while the bucket is empty.
    mutating func take(at now: MonotonicInstant) -> Bool {
        guard nextAt(now) <= now else { return false }
        fullAt = MonotonicInstant(nanoseconds: max(now.nanoseconds, fullAt.nanoseconds) + intervalNanoseconds)
        return true
    }
}
