import Platform

/// How many requests a connection may have open, as far as a handler can see it: a request is open from its arrival until
/// its answer leaves (APNs facts §8).
struct StreamLimit {
    /// One until a request with a valid provider token was answered.
    private(set) var limit = 1
    private(set) var peak = 0
    private var pending: (limit: Int, from: MonotonicInstant)?
    /// When the answers of the open requests leave.
    private var open: [MonotonicInstant] = []

    /// How long a request that arrives now exceeds the limit: zero when a stream is free.
    mutating func wait(at now: MonotonicInstant) -> Duration {
        if let pending, pending.from <= now {
            limit = pending.limit
            self.pending = nil
        }
        open.removeAll { $0 <= now }
        guard let free = freeTime(limit) else { return .zero }
        guard let pending, free >= pending.from else { return now.duration(to: free) }
        return now.duration(to: max(pending.from, freeTime(pending.limit) ?? now))
    }

    /// When fewer than `limit` requests are open; nil when that is so now.
    private func freeTime(_ limit: Int) -> MonotonicInstant? {
        guard open.count >= limit else { return nil }
        return open.sorted()[open.count - limit]
    }

    /// Opens a stream whose answer leaves at `end`.
    mutating func open(until end: MonotonicInstant) {
        open.append(end)
        peak = max(peak, min(open.count, limit))
    }

    /// Announces another limit with the answer that leaves at `instant`.
    mutating func announce(_ limit: Int, from instant: MonotonicInstant) {
        guard limit != (pending?.limit ?? self.limit) else { return }
        pending = (limit, instant)
    }
}
