import Platform

/// Decides what becomes of an account during whose cycle the process has died.
///
/// Once may be chance: a power cut, a kill, another account's answers. Twice without a successful cycle in between, and it is set aside:
/// it is tried again after a minute, and each time that ends the process again, after twice as long, up to a day. A cycle that
/// brings an answer and that the process survives clears it of everything.
struct PollDeaths: Hashable, Sendable {
    /// So many deaths set an account aside.
    static let limit = 2
    static let firstPause = Duration.minutes(1)
    static let longestPause = Duration.hours(24)

    /// Deaths since the last successful cycle.
    private(set) var count: Int = 1
    /// When the process died last.
    private(set) var lastAt: WallTime

    /// True when GitLab is not read for the account for a while after each death.
    var isSetAside: Bool { count >= Self.limit }

    /// True when this death is the one that sets the account aside, so that its person is to be told.
    var isNewlySetAside: Bool { count == Self.limit }

    /// How long the account is left alone after the last death.
    var pause: Duration {
        guard isSetAside else { return .zero }
        var pause = Self.firstPause
        for _ in Self.limit..<min(count, 32) where pause < Self.longestPause { pause += pause }
        return min(pause, Self.longestPause)
    }

    /// The process died once more while the account was read.
    mutating func add(at now: WallTime) {
        count = min(count + 1, 1_000)
        lastAt = now
    }

    /// How much of the pause is left; a clock that was set back does not make it longer.
    func pauseLeft(at now: WallTime) -> Duration {
        min(max(pause - lastAt.duration(to: now), .zero), pause)
    }
}
