import Platform

/// How many requests an account may send: a token bucket that fills evenly, kept as the instant at which it will be full.
///
/// In any hour at most `limit` requests pass: what may go at once is taken out of the rate (GitLab facts §3, trap 26).
struct RequestBudget: Hashable, Sendable {
    /// How long one request takes to fill again.
    let interval: Duration
    private let intervalNanoseconds: Int64
    private let toleranceNanoseconds: Int64
    private var fullAt: MonotonicInstant

    /// A full bucket of `burst` requests, or a tenth of the limit when that is less. Traps unless `limit` is positive.
    init(limitPerHour limit: Int, burst: Int = 100, now: MonotonicInstant) {
        precondition(limit > 0, "a budget of no requests cannot poll")
        let burst = max(1, min(burst, limit / 10))
        intervalNanoseconds = 3_600_000_000_000 / Int64(max(limit - burst, 1))
        interval = .nanoseconds(intervalNanoseconds)
        toleranceNanoseconds = Int64(burst - 1) * intervalNanoseconds
        fullAt = now
    }

    /// When the next request may be sent, or one that so many others precede: `now` unless the bucket is empty.
    func nextStart(at now: MonotonicInstant, after others: Int = 0) -> MonotonicInstant {
        let fullAt = max(now.nanoseconds, fullAt.nanoseconds) + Int64(others) * intervalNanoseconds
        return MonotonicInstant(nanoseconds: max(now.nanoseconds, fullAt - toleranceNanoseconds))
    }

    /// How many requests may be sent at `now`, one after the other.
    func requestsLeft(at now: MonotonicInstant) -> Int {
        let left = now.nanoseconds + toleranceNanoseconds - max(now.nanoseconds, fullAt.nanoseconds)
        return left < 0 ? 0 : Int(left / intervalNanoseconds) + 1
    }

    /// Takes one request; it may be sent at the instant returned, which is `now` unless the bucket is empty.
    mutating func take(at now: MonotonicInstant) -> MonotonicInstant {
        let start = nextStart(at: now)
        fullAt.nanoseconds = max(now.nanoseconds, fullAt.nanoseconds) + intervalNanoseconds
        return start
    }

    /// Gives back one request that was taken and not sent.
    mutating func giveBack() {
        fullAt.nanoseconds -= intervalNanoseconds
    }

    /// Takes requests that have been sent already, such as those of a baseline.
    mutating func charge(_ requests: Int, at now: MonotonicInstant) {
        for _ in 0..<max(requests, 0) { _ = take(at: now) }
    }
}
