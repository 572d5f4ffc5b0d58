import Platform

/// Decides when a person hears that their GitLab token is about to expire: once some days ahead and once more when a day is
/// left, for each expiry date. What was notified is stored, so a restart repeats nothing.
struct TokenExpiry: Hashable, Sendable {
    /// How far the person was warned of a date. Rises only.
    enum Warning: String, Sendable, CaseIterable {
        case none, ahead
        case lastDay = "last_day"
    }

    /// How often GitLab is asked for the date, which an administrator may change.
    static let readInterval = Duration.hours(24)
    /// Beyond this the second warning is due.
    private static let lastDay = Duration.days(1)

    /// `YYYY-MM-DD`, as GitLab says it; nil for a token that does not expire, or that GitLab tells nothing of.
    private(set) var expiresOn: String?
    /// Of ``expiresOn``.
    private(set) var warned: Warning = .none
    /// When GitLab was asked last; nil for never.
    private(set) var readAt: WallTime?

    /// The first instant at which the token is dead: the start of its date in UTC (GitLab facts §2). Nil for what is no date, or of a
    /// year that no calendar has.
    static func deadFrom(_ expiresOn: String) -> WallTime? {
        DueDay(expiresOn)?.clock(after: .zero).wallTime()
    }

    /// True when GitLab should be asked: a day after it was asked last, and before each warning, since the date may have moved.
    func isReadDue(daysAhead: Int, at now: WallTime) -> Bool {
        guard let readAt else { return true }
        // A clock that was set back must not keep the question away for ever.
        guard readAt <= now, now < readAt.advanced(by: Self.readInterval) else { return true }
        guard let due = warning(daysAhead: daysAhead, at: now) else { return false }
        return warning(due, daysAhead: daysAhead).map { readAt < $0 } ?? false
    }

    /// Takes over that the token could not be asked: what GitLab said before holds, and so does how far the person was warned.
    mutating func keep(at now: WallTime) { readAt = now }

    /// Takes over what GitLab said. Another date begins anew, also with the warnings.
    mutating func read(_ expiresOn: String?, at now: WallTime) {
        readAt = now
        guard expiresOn != self.expiresOn else { return }
        self.expiresOn = expiresOn
        warned = .none
    }

    /// What the person must be told now; nil when nothing is new, or when it is too late and they hear that it expired.
    func warning(daysAhead: Int, at now: WallTime) -> Warning? {
        guard let end = expiresOn.flatMap(Self.deadFrom), now < end else { return nil }
        let left = now.duration(to: end)
        if left <= Self.lastDay { return warned == .lastDay ? nil : .lastDay }
        return left <= .days(daysAhead) && warned == .none ? .ahead : nil
    }

    /// Takes over that the person was notified.
    mutating func recordNotified(_ warning: Warning) {
        warned = warning
    }

    /// From when on a warning is due.
    private func warning(_ warning: Warning, daysAhead: Int) -> WallTime? {
        let end = expiresOn.flatMap(Self.deadFrom)
        switch warning {
        case .none: return nil
        case .ahead: return end?.advanced(by: .zero - .days(daysAhead))
        case .lastDay: return end?.advanced(by: .zero - Self.lastDay)
        }
    }
}
