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
        /// The grant is over, as GitLab has said within the hour.
        case giveUp
    }

    /// A grant that GitLab has refused is asked for again so much later: it refuses it also to whom it has blocked, and takes it again when they
    /// are let in. A little less than the hour in which a token that counts as dead is looked into.
    private static let refusedPause = Duration.minutes(55)
    /// So long before its end the token is renewed: long enough to try again several times.
    static let ahead = Duration.minutes(15)
    private static let firstPause = Duration.seconds(20)
    private static let longestPause = Duration.minutes(5)
    /// The same where the token in hand is over: then nothing but this question learns that GitLab answers again, and the probe that comes
    /// every minute must not come too early for it.
    private static let longestPauseWithoutToken = Duration.seconds(50)

    /// Questions without an answer in a row.
    private(set) var failures = 0
    private var notBefore: MonotonicInstant?
    /// The same where the token in hand is over.
    private var notBeforeWithoutToken: MonotonicInstant?

    /// What to do for a request now. `isRejected` says that GitLab has just refused the token in hand.
    func decide(_ grant: OAuthGrant, isRejected: Bool, at now: MonotonicInstant, wallNow: WallTime) -> Decision {
        if let refusedAt = grant.refusedAt, !Self.mayHaveReturned(refusedAt, at: wallNow) { return .giveUp }
        let isOver = isRejected || grant.refusedAt != nil || wallNow >= grant.accessEndsAt
        // A clock that was set back makes a token look longer-lived than any is; it is good until GitLab says otherwise.
        guard isOver || wallNow >= grant.accessEndsAt.advanced(by: .zero - Self.ahead) else { return .use }
        if let start = isOver ? notBeforeWithoutToken : notBefore, now < start { return isOver ? .wait : .useMeanwhile }
        return .renew
    }

    /// Whether a refused grant is asked for again. A refusal that lies ahead was noted by a clock that was set back since.
    private static func mayHaveReturned(_ refusedAt: WallTime, at wallNow: WallTime) -> Bool {
        wallNow < refusedAt || wallNow >= refusedAt.advanced(by: refusedPause)
    }

    /// No answer came, or one that is none; GitLab may have named a pause. `isOutage` says that it was no refusal: what GitLab refuses in so many
    /// words passes when somebody corrects it, and is never asked so often.
    mutating func fail(retryAfter: Duration?, isOutage: Bool, at now: MonotonicInstant) {
        failures += 1
        var pause = Self.firstPause
        for _ in 1..<min(failures, 10) where pause < Self.longestPause { pause += pause }
        pause = min(pause, Self.longestPause)
        let named = retryAfter ?? .zero
        notBefore = now.advanced(by: max(pause, named))
        let pauseWithoutToken = isOutage ? min(pause, Self.longestPauseWithoutToken) : pause
        notBeforeWithoutToken = now.advanced(by: max(pauseWithoutToken, named))
    }
}
