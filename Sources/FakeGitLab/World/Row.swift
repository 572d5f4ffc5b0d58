import Platform

/// One database row: from when to when it can be read, how it looks, and how it looked in the recent past.
///
/// The past serves reads from a lagging replica (GitLab facts §16); nothing older than `replicaHorizon` is kept.
struct Row<Value: Sendable>: Sendable {
    /// How far back a replica may lag: rows remember what they were for this long.
    static var replicaHorizon: Duration { .seconds(120) }

    /// Increases within a table in the order in which rows were inserted.
    let id: Int64
    /// When the inserting transaction committed.
    let visibleFrom: WallTime
    /// When the row was or will be deleted.
    var visibleUntil: WallTime = .distantFuture
    /// How the row looks on the primary now.
    private(set) var current: Value
    /// The row as JSON, empty until someone asks; only for `current`.
    var json: [UInt8] = []
    private var past: [(until: WallTime, value: Value)] = []

    init(id: Int64, visibleFrom: WallTime, value: Value) {
        self.id = id
        self.visibleFrom = visibleFrom
        current = value
    }

    /// The row as a reader of the state at `instant` sees it; nil when it does not exist then.
    func value(at instant: WallTime) -> Value? {
        guard exists(at: instant) else { return nil }
        if isCurrent(at: instant) { return current }
        return past.first { instant < $0.until }?.value ?? current
    }

    func exists(at instant: WallTime) -> Bool { visibleFrom <= instant && instant < visibleUntil }

    /// True when `value(at:)` is `current`, so that `json` applies.
    func isCurrent(at instant: WallTime) -> Bool {
        past.last.map { instant >= $0.until } ?? true
    }

    /// Changes the row from `now` on. While an earlier change waits for its commit, this one waits with it, as the row
    /// is locked; the instant from which both show is returned.
    @discardableResult
    mutating func change(at now: WallTime, _ body: (inout Value) -> Void) -> WallTime {
        let horizon = now.advanced(by: .zero - Self.replicaHorizon)
        if let first = past.first, first.until < horizon { past.removeAll { $0.until < horizon } }
        // What was changed twice at one instant nobody has seen in between.
        let instant = max(now, past.last?.until ?? now)
        if past.last?.until != instant { past.append((instant, current)) }
        body(&current)
        json = []
        return instant
    }
}

extension WallTime {
    static var distantFuture: WallTime { WallTime(microseconds: .max) }
    static var distantPast: WallTime { WallTime(microseconds: .min) }
}

/// Says when what a list shows changes, so that a rendered page can be kept until then.
struct ListClock: Sendable {
    /// Grows with every change, also with several at one instant.
    private(set) var version: Int64 = 0
    private var changes: [WallTime] = []

    /// Notes that the list looks different from `instant` on, which may lie in the future.
    mutating func changed(at instant: WallTime, now: WallTime) {
        version += 1
        guard changes.last != instant else { return }
        prune(now: now)
        let place = changes.firstIndex { $0 >= instant } ?? changes.count
        if place == changes.count || changes[place] != instant { changes.insert(instant, at: place) }
    }

    /// The span around `instant` in which the list looks the same: lower bound included, upper bound excluded.
    func span(around instant: WallTime) -> (from: WallTime, until: WallTime) {
        let next = changes.firstIndex { $0 > instant } ?? changes.count
        return (next > 0 ? changes[next - 1] : .distantPast, next < changes.count ? changes[next] : .distantFuture)
    }

    private mutating func prune(now: WallTime) {
        let horizon = now.advanced(by: .zero - Row<Int>.replicaHorizon)
        while changes.count > 1, changes[1] < horizon { changes.removeFirst() }
    }
}
