import Platform

/// Limiter A: fixed windows aligned to the epoch, counted per person, or per address without one (GitLab facts §3).
struct RequestLimiter: Sendable {
    /// Whose requests are counted together.
    enum Client: Hashable, Sendable {
        case person(Int)
        case address(String)
    }

    /// Where a request stands in its window.
    struct Standing: Sendable {
        let limit: FakeGitLab.RequestLimit
        /// `RateLimit-Name`.
        let name: String
        let observed: Int
        /// When the window ends, in seconds since the epoch.
        let reset: Int64
        let retryAfter: Int64

        var isThrottled: Bool { observed > limit.requests }
        var remaining: Int { max(0, limit.requests - observed) }

        /// Normalised to a minute, unlike the other figures.
        var perMinute: Int {
            let seconds = max(1, Int(limit.period.wholeMilliseconds / 1_000))
            return (limit.requests * 60 + seconds - 1) / seconds
        }
    }

    var limit: FakeGitLab.RequestLimit?
    var faultID: String?
    private var window: Int64 = .min
    private var observed: [Client: Int] = [:]

    init(limit: FakeGitLab.RequestLimit?) {
        self.limit = limit
    }

    mutating func observe(_ client: Client, at now: WallTime) -> Standing? {
        guard let limit else { return nil }
        let period = max(1, limit.period.wholeMilliseconds / 1_000)
        let second = now.secondsSinceEpoch
        let current = second / period
        if current != window {
            window = current
            observed.removeAll(keepingCapacity: true)
        }
        observed[client, default: 0] += 1
        let retryAfter = period - second % period
        let isPerson = if case .person = client { true } else { false }
        return Standing(
            limit: limit,
            name: isPerson ? "throttle_authenticated_api" : "throttle_unauthenticated_api",
            observed: observed[client, default: 0],
            reset: second + retryAfter,
            retryAfter: retryAfter
        )
    }
}

/// Limiter B: notes per person in a minute (GitLab facts §3).
struct NoteLimiter: Sendable {
    static var intervalSeconds: Int64 { 60 }

    var limit: Int?
    var faultID: String?
    private var window: Int64 = .min
    private var created: [Int: Int] = [:]

    init(limit: Int?) {
        self.limit = limit
    }

    /// True when the person may create one more note now.
    mutating func admits(_ person: Int, at now: WallTime) -> Bool {
        guard let limit else { return true }
        let current = now.secondsSinceEpoch / Self.intervalSeconds
        if current != window {
            window = current
            created.removeAll(keepingCapacity: true)
        }
        created[person, default: 0] += 1
        return created[person, default: 0] <= limit
    }
}
