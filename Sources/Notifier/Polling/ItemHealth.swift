import Platform

/// Decides when a watched item that cannot be read is asked for again. It never ends the account's polling and never
/// deletes the watch (GitLab facts §18, traps 22, 23, 36).
struct ItemHealth: Hashable, Sendable {
    /// How a reading of the item ended.
    enum Reading: Hashable, Sendable {
        case read
        /// 404, or 403 without a word about the account.
        case missing
        /// Anything else that concerns this item alone while others can be read.
        case failed
        /// The connection broke, which says nothing about the item: the next cycle asks as usual.
        case interrupted
    }

    /// What the store must learn of it.
    enum Change: Hashable, Sendable {
        case none
        /// The item is missing; so many readings in a row said so.
        case missing(count: Int)
        /// The watch is paused: asked for rarely from now on.
        case paused(count: Int)
        /// The item can be read again.
        case returned
    }

    /// How long and how often an item must be missing before its watch is paused.
    static let missesBeforePause = 3
    static let timeBeforePause = Duration.minutes(10)
    /// How often a paused watch is asked for.
    static let recheckInterval = Duration.minutes(30)
    /// Chance can make an item fail several times in a row, and nobody may wait five minutes for news because of that.
    private static let longestPause = Duration.minutes(3)

    private(set) var missingCount: Int
    private var missingSince: MonotonicInstant?
    private(set) var isPaused = false
    private var failures = 0
    private var notBefore: MonotonicInstant?

    /// Goes on where the store left off; `missingFor` is how long the item has been missing.
    init(missingCount: Int = 0, missingFor: Duration? = nil, now: MonotonicInstant) {
        self.missingCount = missingCount
        missingSince = missingFor.map { now.advanced(by: .zero - $0) }
        isPaused = isMissingForGood(at: now)
    }

    /// True while GitLab does not show the item.
    var isMissing: Bool { missingCount > 0 }

    /// Whether the item belongs into a cycle that begins at `now`.
    func isDue(at now: MonotonicInstant) -> Bool {
        notBefore.map { now >= $0 } ?? true
    }

    /// Takes the result of a reading; `interval` is the time between two cycles.
    mutating func take(_ reading: Reading, at now: MonotonicInstant, interval: Duration) -> Change {
        switch reading {
        case .read: return takeSuccess()
        case .missing: return takeMiss(at: now)
        case .failed:
            failures += 1
            // The next cycle tries again; from the second failure on the pauses double.
            if failures > 1 { notBefore = now.advanced(by: pause(interval)) }
            return .none
        case .interrupted: return .none
        }
    }

    /// A list shows the item: a missing one is asked for again at once.
    mutating func show() {
        if missingCount > 0 { notBefore = nil }
    }

    /// Forgets failures that turned out to be GitLab's, not the item's.
    mutating func forgive() {
        failures = 0
        if !isPaused { notBefore = nil }
    }

    private mutating func takeSuccess() -> Change {
        let wasMissing = missingCount > 0
        missingCount = 0
        missingSince = nil
        isPaused = false
        failures = 0
        notBefore = nil
        return wasMissing ? .returned : .none
    }

    private mutating func takeMiss(at now: MonotonicInstant) -> Change {
        failures = 0
        missingCount += 1
        missingSince = missingSince ?? now
        let wasPaused = isPaused
        isPaused = isMissingForGood(at: now)
        notBefore = isPaused ? now.advanced(by: Self.recheckInterval) : nil
        if isPaused { return wasPaused ? .none : .paused(count: missingCount) }
        return .missing(count: missingCount)
    }

    private func isMissingForGood(at now: MonotonicInstant) -> Bool {
        guard let missingSince, missingCount >= Self.missesBeforePause else { return false }
        return missingSince.duration(to: now) >= Self.timeBeforePause
    }

    private func pause(_ interval: Duration) -> Duration {
        var pause = interval
        for _ in 1..<min(failures, 16) where pause < Self.longestPause { pause += pause }
        return min(pause, Self.longestPause)
    }
}
