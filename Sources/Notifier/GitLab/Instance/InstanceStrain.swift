import Platform

/// What a GitLab says of how it bears the requests: it limits the rate of several people, or it takes much longer than it used to. Then it is
/// asked for half as much, and little by little for more again.
struct InstanceStrain: Sendable {
    /// How a request ended.
    struct Answer: Hashable, Sendable {
        /// From sending to the whole answer.
        var took: Duration
        /// True when it was refused with 429.
        var isLimited = false
        /// False when nothing came: then it says nothing of how fast GitLab is.
        var isAnswered = true
    }

    /// A person's own limit is that person's; from two people on within so long it is the instance's.
    static let limitWindow = Duration.minutes(1)
    /// Between two changes.
    static let step = Duration.seconds(10)
    /// Answers faster than this are never slow.
    static let slow = Duration.seconds(5)
    /// How many times as long as usual is slow.
    private static let slowFactor = 3
    /// The slowest that it gets.
    private static let leastPermille = 50
    private static let recoveryPermille = 50

    private let mostAtATime: Int
    /// How many requests may be under way.
    private(set) var atATime: Int
    /// The rate, in thousandths of what is configured.
    private(set) var pacePermille = 1_000
    private var limitedAt: [(account: AccountID?, at: MonotonicInstant)] = []
    /// How long the last answers took, and how long they take usually; zero until there was one.
    private var lately = Duration.zero
    private var usually = Duration.zero
    private var changedAt: MonotonicInstant?

    init(atATime: Int) {
        mostAtATime = atATime
        self.atATime = atATime
    }

    /// True while GitLab is asked for less than is configured.
    var isNarrowed: Bool { atATime < mostAtATime || pacePermille < 1_000 }

    /// Takes how a request of `account` ended.
    mutating func take(_ answer: Answer, of account: AccountID?, at now: MonotonicInstant) {
        if answer.isLimited { return takeLimit(of: account, at: now) }
        guard answer.isAnswered else { return }
        lately = lately == .zero ? answer.took : Self.mean(lately, answer.took, weight: 8)
        usually = usually == .zero ? answer.took : Self.mean(usually, answer.took, weight: 512)
        guard isSlow, mayChange(at: now) else { return }
        atATime = max(atATime / 2, 1)
        changedAt = now
    }

    /// Widens again what time has passed for.
    mutating func recover(at now: MonotonicInstant) {
        guard isNarrowed, !isSlow, mayChange(at: now) else { return }
        atATime = min(atATime + 1, mostAtATime)
        pacePermille = min(pacePermille + Self.recoveryPermille, 1_000)
        changedAt = now
    }

    private var isSlow: Bool { lately > Self.slow && lately > usually * Self.slowFactor }

    private mutating func takeLimit(of account: AccountID?, at now: MonotonicInstant) {
        limitedAt.removeAll { $0.at.duration(to: now) >= Self.limitWindow || $0.account == account }
        let isInstance = !limitedAt.isEmpty
        limitedAt.append((account, now))
        guard isInstance, mayChange(at: now) else { return }
        pacePermille = max(pacePermille / 2, Self.leastPermille)
        changedAt = now
    }

    private func mayChange(at now: MonotonicInstant) -> Bool {
        changedAt.map { $0.duration(to: now) >= Self.step } ?? true
    }

    private static func mean(_ old: Duration, _ new: Duration, weight: Int64) -> Duration {
        .nanoseconds(old.wholeNanoseconds + (new.wholeNanoseconds - old.wholeNanoseconds) / weight)
    }
}
