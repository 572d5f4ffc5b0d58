import HTTP

/// Why a reading of GitLab gave nothing to rely on. Every case leaves what is known as it was.
enum GitLabError: Error, Hashable, Sendable {
    /// 401. Whether the token is dead is a question of its own (GitLab facts §18, trap 21).
    case unauthorized(TokenRejection)
    /// 403.
    case forbidden(Refusal)
    /// 404: gone or invisible, or, when `isRoute`, this GitLab has no such route (GitLab facts §2).
    case notFound(isRoute: Bool)
    /// 429 of either limiter; `retryAfter` is nil when GitLab named no time (GitLab facts §3).
    case rateLimited(retryAfter: Duration?)
    /// 408 and every 5xx.
    case unavailable(status: Int)
    /// No whole response came back.
    case unreachable(HTTPFailure)
    /// A response that cannot be GitLab's answer to the question: HTML, a redirect, broken JSON (trap 24).
    case undecodable(Undecodable)
    /// Any other status, such as 400.
    case rejected(status: Int)
    /// A list had more pages than the limit; `pages` were read.
    case tooManyPages(pages: Int)
    /// A list took longer, or came to more bytes or new rows, than any list may (``ListBounds``).
    case listTooLong
    /// Answers to other questions take the room that this one needs (``ResponseBudget``).
    case crowded
    /// Rows kept vanishing while the list was read, more often than reading again helps (trap 29).
    case unstable
    /// Not asked: the cycle was given up before, since nothing was answered any more.
    case notAsked
    /// Not asked: while the request waited, another account was shown what it would have asked for (``RequestNeed``).
    case spared
    /// Not asked: the account has used its requests up, and would have to wait so long for the next.
    case budgetSpent(retryAfter: Duration)

    /// The bodies a 401 comes with (GitLab facts §2).
    enum TokenRejection: String, Sendable, CaseIterable {
        /// `401 Unauthorized`: token unknown, or something this person may not do.
        case unknown
        case expired, revoked
        /// Another `error` code, such as a token that needs proof of possession.
        case other
    }

    /// The bodies a 403 comes with (GitLab facts §2).
    enum Refusal: String, Sendable, CaseIterable {
        /// The token lacks a scope.
        case scope
        /// The person's account is blocked, deactivated, has terms to accept…
        case accountState
        /// The person may not read this.
        case permission
    }

    /// What was wrong with a response that claims success.
    enum Undecodable: String, Sendable, CaseIterable {
        case redirect, contentType, notJSON, notAnArray, unexpectedShape
        /// More rows than were asked for, or more of something else than any GitLab would give (``ResponseBounds``).
        case outOfBounds
    }

    /// True when GitLab as a whole may be in trouble, rather than the question or the person.
    var isServiceFailure: Bool {
        switch self {
        case .unavailable, .unreachable, .undecodable, .crowded: true
        case .unauthorized, .forbidden, .notFound, .rateLimited, .rejected: false
        case .tooManyPages, .listTooLong, .unstable, .notAsked, .spared, .budgetSpent: false
        }
    }

    /// True when nothing is to be asked for now, which says nothing of the question.
    var isHeldBack: Bool {
        switch self {
        case .rateLimited, .notAsked: true
        default: false
        }
    }

    /// True when this item cannot be read while the account still may (traps 22, 23).
    var isAboutItem: Bool {
        switch self {
        case .notFound(isRoute: false), .forbidden(.permission): true
        default: false
        }
    }

    /// True when a list is larger than any may be, so that asking again will hardly help.
    var isBeyondBounds: Bool {
        switch self {
        case .tooManyPages, .listTooLong, .undecodable(.outOfBounds), .unreachable(.responseTooLarge): true
        default: false
        }
    }

    /// A stable word for log fields.
    var code: String {
        switch self {
        case .unauthorized(let rejection): "unauthorized.\(rejection.rawValue)"
        case .forbidden(let refusal): "forbidden.\(refusal.rawValue)"
        case .notFound(let isRoute): isRoute ? "not_found.route" : "not_found"
        case .rateLimited: "rate_limited"
        case .unavailable(let status): "unavailable.\(status)"
        case .unreachable(let failure): "unreachable.\(failure.rawValue)"
        case .undecodable(let reason): "undecodable.\(reason.rawValue)"
        case .rejected(let status): "rejected.\(status)"
        case .tooManyPages: "too_many_pages"
        case .listTooLong: "list_too_long"
        case .crowded: "crowded"
        case .unstable: "unstable"
        case .notAsked: "not_asked"
        case .spared: "spared"
        case .budgetSpent: "budget_spent"
        }
    }
}
