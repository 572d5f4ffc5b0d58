import HTTP
import Platform

/// How many requests GitLab says that it will still answer a person before it limits the rate, and how to make them last (GitLab facts §3).
///
/// Newer releases say it with every answer. The count is of all that this person's programs ask, so it also shows what others use up.
struct RateQuota: Hashable, Sendable {
    /// What one answer says.
    struct Announcement: Hashable, Sendable {
        /// Requests; 0 and above, and never more than ``mostRemaining``.
        var remaining: Int
        /// Until the whole quota is back, by GitLab's own clock.
        var untilReset: Duration

        /// Nil when the answer does not say both, or nothing to reckon with: a reset that is over or more than a day away.
        init?(_ fields: HTTPFields) {
            guard let remaining = fields["RateLimit-Remaining"].flatMap({ Int($0) }), remaining >= 0,
                let reset = fields["RateLimit-Reset"].flatMap({ Int64($0) }),
                let now = fields["Date"].flatMap(HTTPDate.wallTime)
            else { return nil }
            let day: Int64 = 86_400
            let left = reset.subtractingReportingOverflow(now.secondsSinceEpoch)
            guard !left.overflow, (1...day).contains(left.partialValue) else { return nil }
            self.remaining = min(remaining, Self.mostRemaining)
            untilReset = .seconds(left.partialValue)
        }

        /// More than anybody asks for in a day; it is reckoned with in thousandths.
        private static let mostRemaining = 1_000_000_000
    }

    /// A tenth is left to the person's other programs.
    private static let shareOfOthers = 10
    /// Of a cycle's cost, so many parts are what cycles cost before.
    private static let memory = 8

    private var remaining = 0
    /// Nil while nothing was said.
    private var resetAt: MonotonicInstant?
    /// What a cycle usually costs, in thousandths of a request; zero before the first. One with much news says little of the next.
    private var usualCost: Int64 = 0

    /// An answer came at `now`. Answers overtake each other: within one window the smallest count is the newest.
    mutating func take(_ announcement: Announcement, at now: MonotonicInstant) {
        let isSameWindow = resetAt.map { now < $0 } ?? false
        remaining = isSameWindow ? min(remaining, announcement.remaining) : announcement.remaining
        if !isSameWindow { resetAt = now.advanced(by: announcement.untilReset) }
    }

    /// A cycle of so many requests ended.
    mutating func takeCycle(of requests: Int) {
        guard requests > 0 else { return }
        let cost = Int64(requests) * 1_000
        usualCost = usualCost == 0 ? cost : usualCost + (cost - usualCost) / Int64(Self.memory)
    }

    /// How long from `now` the next cycle must wait so that usual ones come at equal distances until the reset, the first after it
    /// included; zero where nothing is known.
    func wait(at now: MonotonicInstant) -> Duration {
        guard let resetAt, now < resetAt, usualCost > 0 else { return .zero }
        let left = now.duration(to: resetAt)
        let usable = Int64(remaining - remaining / Self.shareOfOthers) * 1_000
        guard usable >= usualCost else { return left }
        let nanoseconds = left.wholeNanoseconds.multipliedFullWidth(by: usualCost)
        return .nanoseconds((usable + usualCost).dividingFullWidth(nanoseconds).quotient)
    }
}
