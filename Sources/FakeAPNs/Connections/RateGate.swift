import Platform

/// How many of something are allowed in a window.
struct RateLimit: Sendable, Hashable {
    /// How many may come at once.
    var count: Int64
    /// How long it takes until as many may come again.
    var window: Duration

    init(count: Int64, window: Duration) {
        precondition(count > 0 && window > .zero, "a rate limit allows something in some time")
        self.count = count
        self.window = window
    }
}

/// The state of one rate limit, by the generic cell rate algorithm: one number, whatever the limit.
struct RateGate {
    private var nextFree: Int64 = .min

    /// Takes one place; false when the limit is reached, which takes nothing.
    mutating func take(_ limit: RateLimit, at now: MonotonicInstant) -> Bool {
        let window = limit.window.wholeNanoseconds
        let interval = window / limit.count
        let start = max(nextFree, now.nanoseconds)
        guard start - now.nanoseconds <= window - interval else { return false }
        nextFree = start + interval
        return true
    }
}
