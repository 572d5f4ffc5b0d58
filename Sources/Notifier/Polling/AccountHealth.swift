import Platform

/// Tells a dead token from a 401 that has another reason (GitLab facts §2, trap 21).
struct AccountHealth: Sendable {
    /// What an answer to `GET /user` means after a 401.
    enum Verdict: Hashable, Sendable {
        /// The token works: the 401 was about the question.
        case tokenWorks
        /// Perhaps the token is being rotated: ask again at the instant.
        case askAgain(at: MonotonicInstant)
        /// The token is dead.
        case tokenDead(GitLabError.TokenRejection)
        /// GitLab could not say.
        case undecided
    }

    /// A token of which GitLab says no more than "unauthorized" must be refused so long before it counts as dead.
    let patience: Duration
    private var refusedSince: MonotonicInstant?
    private var deadSince: MonotonicInstant?

    init(patience: Duration = .seconds(60)) {
        self.patience = patience
    }

    /// Judges the answer to `GET /user`: nil stands for a success.
    mutating func judge(_ error: GitLabError?, at now: MonotonicInstant) -> Verdict {
        guard let error else {
            refusedSince = nil
            deadSince = nil
            return .tokenWorks
        }
        guard case .unauthorized(let rejection) = error else { return .undecided }
        switch rejection {
        case .expired, .revoked: return .tokenDead(rejection)
        case .unknown, .other: return judgeUnexplained(rejection, at: now)
        }
    }

    private mutating func judgeUnexplained(
        _ rejection: GitLabError.TokenRejection,
        at now: MonotonicInstant
    ) -> Verdict {
        let since = refusedSince ?? now
        refusedSince = since
        let deadline = since.advanced(by: patience)
        return now >= deadline ? .tokenDead(rejection) : .askAgain(at: deadline)
    }

    /// When a token that counts as dead is tried again, after this answer to `GET /user`; nil where none is known. What GitLab calls
    /// expired or revoked seldom lives again. Any other refusal may come from something before GitLab and end any time, and what is
    /// said meanwhile waits for it. Where GitLab limits the rate, it says how long at least (GitLab facts trap 25).
    mutating func nextRecheck(after error: GitLabError?, at now: MonotonicInstant) -> MonotonicInstant {
        let since = deadSince ?? now
        deadSince = since
        switch error {
        case .unauthorized(.expired), .unauthorized(.revoked): return now.advanced(by: Self.slowRecheck)
        case .rateLimited(let retryAfter):
            let asked = (retryAfter ?? .zero) + Self.limitMargin
            return now.advanced(by: max(asked, recheckInterval(deadSince: since, at: now)))
        default: return now.advanced(by: recheckInterval(deadSince: since, at: now))
        }
    }

    private func recheckInterval(deadSince since: MonotonicInstant, at now: MonotonicInstant) -> Duration {
        since.duration(to: now) < Self.quickRecheckSpan ? Self.quickRecheck : Self.slowRecheck
    }

    private static let quickRecheck = Duration.minutes(2)
    private static let quickRecheckSpan = Duration.hours(1)
    private static let slowRecheck = Duration.hours(1)
    /// Not at the very moment at which all may ask again.
    private static let limitMargin = Duration.seconds(5)
}
