import Platform

/// Decides what a sweep asks next: now and then for all its items, in between for those that moved since then.
///
/// The bound lies an overlap before the last answer about everything, by the server's clock, and stays where it is until the
/// next: rows that show late fall into it, and an unchanged answer costs no body (GitLab facts §1, §16, trap 4).
struct SweepProgress: Hashable, Sendable {
    enum Question: Hashable, Sendable {
        /// How all items look.
        case everything
        /// How those look whose `updated_at` is not before the instant.
        case changes(since: WallTime)
    }

    /// Longest pause before a sweep that keeps failing is tried again.
    static let longestPause = Duration.minutes(10)
    /// Longest time for which everything is left to others, whatever shows that this account may see it.
    static let longestLeave = Duration.hours(1)

    /// True when the last question was answered.
    private(set) var isAnswered = false
    private var bound: WallTime?
    private var everythingAt: MonotonicInstant?
    /// When everything was last asked.
    private var everythingAskedAt: MonotonicInstant?
    /// How long it may be left to others who are shown everything.
    private var everythingLeave = Duration.zero
    private var failures = 0
    private var notBefore: MonotonicInstant?

    init() {}

    /// What to ask in a cycle that begins at `now`; nil while it has failed so often that it must wait.
    mutating func question(at now: MonotonicInstant) -> Question? {
        if let notBefore, now < notBefore {
            isAnswered = false
            return nil
        }
        guard let bound, let everythingAt, now < everythingAt else { return .everything }
        return .changes(since: bound)
    }

    /// Whether a question about everything may wait while others are shown everything that this account knows: once as long again, so that
    /// what they may see and this account may not any more is noticed all the same.
    ///
    /// GitLab last answered this account at `admittedAt` what it answers only to who may see everything; nil when it never did. That
    /// counts as if everything had been asked then.
    func mayLeaveEverything(at now: MonotonicInstant, admittedAt: MonotonicInstant?) -> Bool {
        guard isAnswered, bound != nil, let askedAt = everythingAskedAt else { return false }
        let lastAt = askedAt.advanced(by: max(everythingLeave, Self.longestLeave))
        return now < min(max(askedAt, admittedAt ?? askedAt).advanced(by: everythingLeave), lastAt)
    }

    /// GitLab answered. `serverTime` is nil when it gave no time, which an unchanged answer need not: then the bound stays.
    mutating func take(
        answerTo question: Question,
        serverTime: WallTime?,
        overlap: Duration,
        at now: MonotonicInstant,
        next: Duration
    ) {
        isAnswered = true
        failures = 0
        notBefore = nil
        guard question == .everything else { return noticeStepBack(serverTime) }
        everythingAt = now.advanced(by: next)
        everythingAskedAt = now
        everythingLeave = next * 2
        if let serverTime { bound = serverTime.advanced(by: .zero - overlap) }
    }

    /// A clock that was set back stamps what moves now with a time before the bound, which no question since the bound would find.
    private mutating func noticeStepBack(_ serverTime: WallTime?) {
        guard let serverTime, let bound, serverTime < bound else { return }
        self.bound = nil
    }

    /// There was no answer to rely on; the next one has to be about everything. From the second failure on the sweep is left
    /// out for a while, `pace` at first, and its items are read one by one.
    mutating func takeFailure(at now: MonotonicInstant, pace: Duration) {
        isAnswered = false
        bound = nil
        failures += 1
        guard failures > 1 else { return }
        var pause = pace
        for _ in 2..<max(min(failures, 16), 2) where pause < Self.longestPause { pause += pause }
        notBefore = now.advanced(by: min(pause, Self.longestPause))
    }

    /// Forgets failures that turned out to be GitLab's as a whole.
    mutating func forgive() {
        failures = 0
        notBefore = nil
    }
}
