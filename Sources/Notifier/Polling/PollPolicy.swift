import Configuration
import Platform

/// Decides when an account is polled next, and how much is asked.
///
/// Three ways: at the pace of the watch list while GitLab answers; not at all while it limits the rate; by single cheap
/// requests while it does not answer, so that its return is noticed soon and a full cycle follows at once.
struct PollPolicy: Sendable {
    /// What is done next.
    enum Action: String, Hashable, Sendable {
        /// Read every source.
        case cycle
        /// Ask for one page, to see whether GitLab answers.
        case probe
    }

    /// What is done next, and when.
    struct Plan: Hashable, Sendable {
        var action: Action
        var at: MonotonicInstant
    }

    /// How the last cycle or probe went.
    enum Outcome: Hashable, Sendable {
        /// At least one source could be read.
        case answered
        /// GitLab said 429 and perhaps how long to wait.
        case rateLimited(retryAfter: Duration?)
        /// Nothing could be read: 5xx, no connection, no JSON.
        case failed
        /// GitLab answers but lets this person read nothing: account blocked, scope missing.
        case refused
    }

    /// What was done and what it cost.
    struct Report: Hashable, Sendable {
        var outcome: Outcome
        var action: Action
        var startedAt: MonotonicInstant
        var endedAt: MonotonicInstant
        var items: Int
        /// How many sweeps there are; nil with detection per item.
        var sweeps: Int?
        /// True when a sweep showed a change or a to-do came.
        var hasNews = false
        /// The time that the cycle's requests take to earn in the budget.
        var budgetInterval: Duration
        /// The time for which its requests must last, since GitLab says that it will not answer many more; zero where it does not say.
        var quotaInterval = Duration.zero
        /// How many requests were answered.
        var answers = 0

        /// No cycle comes sooner after it.
        var leastInterval: Duration { max(budgetInterval, quotaInterval) }
    }

    /// The paces, with the notifier's configuration as defaults.
    struct Pace: Hashable, Sendable {
        var small: Duration = .seconds(60)
        var medium: Duration = .seconds(90)
        var large: Duration = .seconds(120)
        var sweep: Duration = .seconds(30)
        var requestsPerHour = 6_000
        var jitterPercent = 10
        var backoffInitial: Duration = .seconds(30)
        var backoffMaximum: Duration = .minutes(10)
        var probeInterval: Duration = .seconds(60)
        /// The pause after a 429 that names none (trap 25).
        var rateLimitPause: Duration = .seconds(60)

        init() {}

        init(_ configuration: NotifierConfiguration) {
            small = configuration.intervalSmall
            medium = configuration.intervalMedium
            large = configuration.intervalLarge
            sweep = configuration.sweepInterval
            requestsPerHour = configuration.requestsPerHour
            jitterPercent = configuration.jitterPercent
            backoffInitial = configuration.backoffInitial
            backoffMaximum = configuration.backoffMaximum
            probeInterval = configuration.outageProbeInterval
        }

        /// The time between two readings of an item that is read by itself.
        func interval(items: Int) -> Duration {
            items <= 20 ? small : items <= 50 ? medium : large
        }

        /// The time between two cycles. With sweeps it is so long that they and the to-dos leave two thirds of the budget to what
        /// they find, but never longer than the pace of reading each item.
        func cycleInterval(items: Int, sweeps: Int?) -> Duration {
            let single = interval(items: items)
            guard let sweeps else { return single }
            let thrifty = Duration.nanoseconds(3_600_000_000_000 / Int64(requestsPerHour) * 3 * Int64(sweeps + 1))
            return min(max(sweep, thrifty), max(sweep, single))
        }
    }

    /// When nothing has happened for so long, as at night, sweeps come half as often.
    static let idleAfter = Duration.minutes(10)

    let pace: Pace
    private var newsAt: MonotonicInstant?
    /// True while sweeps come half as often.
    private(set) var isIdle = false
    /// Outcomes of the same kind in a row, the last one included; none after an answer.
    private(set) var failures = 0
    private(set) var limits = 0
    /// How long all sweeps and the to-dos take to be asked, and as much again for what they point to, where a limit lets through as little as in
    /// its last round; zero before the second in a row.
    private var turns = Duration.zero

    init(pace: Pace = Pace()) {
        self.pace = pace
    }

    /// The time between two cycles as things stand: never longer than the pace of reading each item.
    func cycleInterval(items: Int, sweeps: Int?) -> Duration {
        let interval = pace.cycleInterval(items: items, sweeps: sweeps)
        guard sweeps != nil, isIdle else { return interval }
        return max(interval, min(interval * 2, pace.interval(items: items)))
    }

    /// True while GitLab answers and does not limit the rate.
    var isAnswered: Bool { failures == 0 && limits == 0 }

    /// Whether what was asked at that instant may wait for another cycle: the last one met a limit, and it was asked a moment ago. A limit that
    /// is met after a few requests would be met at the same place again and again; so the next cycle goes on with what that one did not come to.
    /// A moment is as long as it takes until all have had their turn: where as little as one request a minute is let through, longer than the pace.
    func maySkip(askedAt: MonotonicInstant, at now: MonotonicInstant, items: Int) -> Bool {
        limits > 0 && now < askedAt.advanced(by: max(pace.interval(items: items), turns))
    }

    /// True while single requests stand for whole cycles.
    var isProbing: Bool { failures > 0 }

    /// What follows, given 64 random bits.
    mutating func next(after report: Report, draw: UInt64) -> Plan {
        switch report.outcome {
        case .answered: return answered(report, draw: draw)
        case .rateLimited(let retryAfter): return limited(retryAfter, report, draw: draw)
        case .failed: return failed(report, limit: pace.probeInterval, draw: draw)
        case .refused: return failed(report, limit: pace.backoffMaximum, draw: draw)
        }
    }

    private mutating func answered(_ report: Report, draw: UInt64) -> Plan {
        limits = 0
        turns = .zero
        failures = 0
        if report.action == .probe { return Plan(action: .cycle, at: report.endedAt) }
        if report.hasNews || newsAt == nil { newsAt = report.startedAt }
        isIdle = newsAt.map { $0.duration(to: report.startedAt) >= Self.idleAfter } ?? false
        let cycle = cycleInterval(items: report.items, sweeps: report.sweeps)
        let interval = Jitter.around(cycle, percent: pace.jitterPercent, draw: draw)
        // When the budget or the quota is short the interval widens; no source is left out.
        let start = report.startedAt.advanced(by: max(interval, report.leastInterval))
        return Plan(action: .cycle, at: max(start, report.endedAt))
    }

    /// The pause counts from the answer. Its end is where every client of this GitLab may ask again, so one goes a little later.
    private mutating func limited(_ retryAfter: Duration?, _ report: Report, draw: UInt64) -> Plan {
        limits += 1
        let pause = retryAfter ?? doubled(pace.rateLimitPause, times: limits - 1, limit: pace.backoffMaximum)
        let twentieth = Duration.nanoseconds(pause.wholeNanoseconds / 20)
        let margin = max(Duration.seconds(5), min(twentieth, Duration.seconds(30)))
        let at = report.endedAt.advanced(by: pause + .seconds(1) + Jitter.below(margin, draw: draw))
        // A limit that is met again though its pause was kept lets through less than a cycle asks for.
        if limits > 1, report.answers > 0 {
            let each = report.startedAt.duration(to: at).wholeNanoseconds / Int64(report.answers)
            turns = .nanoseconds(each * 2 * Int64((report.sweeps ?? 0) + 1))
        }
        return Plan(action: .cycle, at: at)
    }

    private mutating func failed(_ report: Report, limit: Duration, draw: UInt64) -> Plan {
        failures += 1
        let pause = doubled(pace.backoffInitial, times: failures - 1, limit: limit)
        let wait = Jitter.around(pause, percent: pace.jitterPercent, draw: draw)
        return Plan(action: .probe, at: report.endedAt.advanced(by: wait))
    }

    private func doubled(_ base: Duration, times: Int, limit: Duration) -> Duration {
        var pause = base
        for _ in 0..<min(times, 32) where pause < limit { pause += pause }
        return min(pause, limit)
    }
}
