import Platform

/// Decides when an access token is renewed.
struct OAuthRenewal: Sendable {
    enum Decision: Hashable, Sendable {
        /// The access token is good.
        case use
        /// Ask for another.
        case renew
        /// Asked in vain a moment ago; the old token still lives.
        case useMeanwhile
        /// Asked in vain a moment ago, and the old token is over.
        case wait
        /// The grant is over.
        case giveUp
    }

    /// So long before its end the token is renewed: long enough to try again several times.
    static let ahead = Duration.minutes(15)
    private static let firstPause = Duration.seconds(20)
    private static let longestPause = Duration.minutes(5)

    /// Questions without an answer in a row.
    private(set) var failures = 0
    private var notBefore: MonotonicInstant?

    /// What to do for a request now. `isRejected` says that GitLab has just refused the token in hand.
    func decide(_ grant: OAuthGrant, isRejected: Bool, at now: MonotonicInstant, wallNow: WallTime) -> Decision {
        if grant.refusedAt != nil { return .giveUp }
        let isOver = isRejected || wallNow >= grant.accessEndsAt
        // A clock that was set back makes a token look longer-lived than any is; it is good until GitLab says otherwise.
        guard isOver || wallNow >= grant.accessEndsAt.advanced(by: .zero - Self.ahead) else { return .use }
        if let notBefore, now < notBefore { return isOver ? .wait : .useMeanwhile }
        return .renew
    }

    /// No answer came, or one that is none; GitLab may have named a pause.
    mutating func fail(retryAfter: Duration?, at now: MonotonicInstant) {
        failures += 1
        var pause = Self.firstPause
        for _ in 1..<min(failures, 10) where pause < Self.longestPause { pause += pause }
        notBefore = now.advanced(by: max(min(pause, Self.longestPause), retryAfter ?? .zero))
    }
}
