import Platform

/// Decides whether others' looks at the rows of a list stand for this account's own sweep: takes what they have seen of one row after the
/// other.
struct SweepSubstitute: Hashable, Sendable {
    /// How long looks of one account are believed that were not shown the row, while nobody else's say the same. Who may not see an item any
    /// more is shown no change of it, as if there were none.
    static let longestUnseconded = Duration.seconds(90)

    private let freshFrom: MonotonicInstant
    private let secondedFrom: MonotonicInstant
    /// When the oldest of the looks began; nil before the first.
    private(set) var lookedAt: MonotonicInstant?

    /// At `now`, for an account that sweeps every `cycleInterval` and came to ask at `askedAt`: a look stands for one of its own during two
    /// thirds of that interval, so that the accounts that share a list look at it more often than one alone would, and whoever is woken by it
    /// is not later. While the account has waited longer than that for its turn, a look that began after it came is as fresh as its own
    /// would have been.
    init(cycleInterval: Duration, askedAt: MonotonicInstant, now: MonotonicInstant) {
        freshFrom = min(askedAt, now.advanced(by: .nanoseconds(-cycleInterval.wholeNanoseconds / 3 * 2)))
        secondedFrom = min(askedAt, now).advanced(by: .zero - Self.longestUnseconded)
    }

    /// Takes what others have seen of the next row; false when the account must look itself.
    mutating func take(_ standing: ListLooks.Standing) -> Bool {
        guard case .current(let look) = standing, look.at >= freshFrom else { return false }
        guard let secondedAt = look.secondedAt, secondedAt >= secondedFrom else { return false }
        lookedAt = min(lookedAt ?? look.at, look.at)
        return true
    }
}
