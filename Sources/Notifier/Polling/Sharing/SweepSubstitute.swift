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

    /// At `now`, for an account that sweeps every `cycleInterval` and came to ask at `askedAt`: a look stands for one of its own during three
    /// fifths of that interval, so that the accounts that share a list look at it more often than one alone would, and whoever is woken by it
    /// is not later. While the account has waited longer than that for its turn, a look that began after it came is as fresh as its own
    /// would have been.
    init(cycleInterval: Duration, askedAt: MonotonicInstant, now: MonotonicInstant) {
        freshFrom = min(askedAt, now.advanced(by: .nanoseconds(-cycleInterval.wholeNanoseconds / 5 * 3)))
        secondedFrom = min(askedAt, now).advanced(by: .zero - Self.longestUnseconded)
    }

    /// Takes what others have seen of the next row since the account's own last look, or one that stands for it, which began at `since`; nil
    /// where nobody else looks at it. False when the account must look itself: while its last look is as fresh as others' have to be, only
    /// if these have seen a change. Who is woken by one list need not ask for the others again.
    mutating func take(_ standing: ListLooks.Standing, since: MonotonicInstant? = nil) -> Bool {
        if standing == .outdated { return false }
        guard let at = freshLook(standing) ?? since, at >= freshFrom else { return false }
        lookedAt = min(lookedAt ?? at, at)
        return true
    }

    /// Takes what is known of the item whose row the account knows as `validator`.
    mutating func take(_ looks: borrowing ItemLooks, of validator: String, since: MonotonicInstant) -> Bool {
        take(looks.standing(of: validator, since: since, at: .row), since: looks.isShared ? since : nil)
    }

    private func freshLook(_ standing: ListLooks.Standing) -> MonotonicInstant? {
        guard case .current(let look) = standing, look.at >= freshFrom else { return nil }
        guard let secondedAt = look.secondedAt, secondedAt >= secondedFrom else { return nil }
        return look.at
    }
}
