/// What a person is told when something fails, in the words of the product's error catalogue. Anything that stands in no row is told in
/// the server's own words, which name what is wrong and what to do.
public enum ErrorCatalogue: String, Sendable, CaseIterable {
    case gitlabSessionExpired, itemGone, gitlabRateLimited, gitlabUnavailable
    case sessionExpired, serverFailed, offline, serverUnreachable

    /// The sentence.
    public var message: String {
        switch self {
        case .gitlabSessionExpired: "GitLab session expired. Please reconnect your account."
        case .itemGone: "This item no longer exists or you don't have access to it."
        case .gitlabRateLimited: "GitLab is rate limiting requests. Notifications may be delayed."
        case .gitlabUnavailable: "GitLab is temporarily unavailable. We'll keep trying."
        case .sessionExpired: "Session expired. Please sign in again."
        case .serverFailed: "Something went wrong on our end. Try again in a moment."
        case .offline: "No internet connection. Changes will sync when you're back online."
        case .serverUnreachable: "Cannot reach notification server."
        }
    }

    /// The row for a refusal; nil when the server's own sentence is the one to show. GitLab's 403 is such a case: the server knows
    /// which scope is missing, and whether it is a scope at all.
    static func row(code: String, status: Int) -> ErrorCatalogue? {
        switch code {
        case "gitlab_token_refused": .gitlabSessionExpired
        case "item_not_found": .itemGone
        case "gitlab_rate_limited": .gitlabRateLimited
        case "gitlab_unavailable", "gitlab_unreachable", "gitlab_unreadable": .gitlabUnavailable
        case "session_missing", "session_invalid", "session_expired", "refresh_token_invalid": .sessionExpired
        default: status >= 500 && !code.hasPrefix("oauth_") ? .serverFailed : nil
        }
    }
}
