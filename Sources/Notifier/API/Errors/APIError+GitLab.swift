import HTTP

/// GitLab answered, and does not let this account have what it asked for.
extension APIError {
    static let itemNotFound = APIError(
        404,
        "item_not_found",
        "This item no longer exists or you don't have access to it.",
        hint: "Check project, kind and number in GitLab."
    )

    static let projectNotFound = APIError(
        404,
        "project_not_found",
        "This project does not exist or you don't have access to it.",
        hint: "Check the project's number in GitLab."
    )

    static let gitLabWriteScopeMissing = APIError(
        422,
        "gitlab_write_scope_missing",
        "Your token may read GitLab but not change subscriptions.",
        hint: "Make a token with the scope api and register it; read_api is enough for everything else."
    )

    static let gitLabSubscriptionRefused = APIError(
        403,
        "gitlab_subscription_refused",
        "GitLab does not let you subscribe to this item.",
        hint: "Readers may not subscribe to merge requests everywhere; ask for more rights in the project."
    )

    static func gitLabTokenRefused(code: String) -> APIError {
        APIError(
            422,
            "gitlab_token_refused",
            "GitLab session expired. Please reconnect your account.",
            hint: "GitLab refused the token (\(code)); make a new one with the scope read_api."
        )
    }

    /// `found` is what the token has, as far as GitLab tells; `missing` what it needs: `api` where something is to be changed.
    static func gitLabScopeMissing(found: [String], missing: [String] = ["read_api"]) -> APIError {
        let wanted = missing.joined(separator: ", ")
        let remedy = "Make a token with the scope \(wanted), or sign in through GitLab and agree to it."
        return APIError(
            422,
            "gitlab_scope_missing",
            "Your token is missing required permissions. Ensure it has `\(missing.joined(separator: " "))` scope.",
            hint: found.isEmpty ? remedy : "It has only: \(found.joined(separator: ", ")). " + remedy
        )
    }

    static let gitLabAccountRefused = APIError(
        422,
        "gitlab_account_refused",
        "GitLab does not let this account use its API.",
        hint: "Sign in to GitLab: the account may be blocked, or its terms of use are not accepted yet."
    )

    static let gitLabPermissionMissing = APIError(
        403,
        "gitlab_forbidden",
        "GitLab does not let you read this.",
        hint: "Ask for access to the project."
    )
}

/// GitLab gave no answer of use to anyone.
extension APIError {
    /// The same for every address that is not listed: it tells nothing of what is there.
    static let gitLabNotServed = APIError(
        422,
        "gitlab_not_served",
        "This server does not serve this GitLab.",
        hint:
            "Check the address. Whoever runs this server lists the GitLabs that it serves, under \"gitlabs\" in its settings."
    )

    static let gitLabNotFound = APIError(
        422,
        "not_gitlab",
        "There is no GitLab API at this address.",
        hint: "Give the address of the instance, such as https://gitlab.example.com, without a path."
    )

    static func gitLabUnreachable(_ code: String) -> APIError {
        let isUntrusted = code.hasSuffix(HTTPFailure.tlsFailed.rawValue)
        return APIError(
            502,
            "gitlab_unreachable",
            "GitLab cannot be reached from this server.",
            hint: isUntrusted
                ? "GitLab's certificate is not trusted (\(code)). Whoever runs this server names the authority it comes from under "
                    + "\"authorities\" in its settings. Nothing was changed."
                : "Check the address and the network (\(code)). Nothing was changed."
        )
    }

    static func gitLabUnreadable(_ code: String) -> APIError {
        APIError(
            502,
            "gitlab_unreadable",
            "The answer is not what GitLab's API gives.",
            hint: "Check that the address leads to GitLab and not to a sign-in page (\(code)). Nothing was changed."
        )
    }

    static func gitLabUnavailable(_ code: String) -> APIError {
        APIError(
            503,
            "gitlab_unavailable",
            "GitLab is temporarily unavailable.",
            hint: "Nothing was changed (\(code)). Try again in a moment."
        )
    }

    static func gitLabRateLimited(retryAfter: Duration?) -> APIError {
        APIError(
            503,
            "gitlab_rate_limited",
            "GitLab is rate limiting requests. Notifications may be delayed.",
            hint: "Try again later.",
            fields: ["Retry-After": String(max(1, retryAfter?.components.seconds ?? 60))]
        )
    }

    /// The account's own share: GitLab was not asked.
    static func requestBudgetSpent(retryAfter: Duration) -> APIError {
        APIError(
            429,
            "request_budget_spent",
            "Your requests to GitLab are used up for the moment.",
            hint: "Wait as long as Retry-After says. Nothing was changed.",
            fields: retryField(retryAfter)
        )
    }

    /// What a failure to ask GitLab means to the caller. `notFound` is what a 404 stands for where it was asked, `scope` what
    /// the question needs: `api` where something is to be changed (GitLab facts §2).
    init(_ error: GitLabError, notFound: APIError, scope: String = "read_api") {
        self =
            switch error {
            case .unauthorized: .gitLabTokenRefused(code: error.code)
            case .forbidden(.scope): .gitLabScopeMissing(found: [], missing: [scope])
            case .forbidden(.accountState): .gitLabAccountRefused
            case .forbidden(.permission): .gitLabPermissionMissing
            case .notFound: notFound
            case .rateLimited(let pause): .gitLabRateLimited(retryAfter: pause)
            case .budgetSpent(let pause): .requestBudgetSpent(retryAfter: pause)
            case .unavailable, .unstable, .tooManyPages, .listTooLong, .crowded: .gitLabUnavailable(error.code)
            case .unreachable: .gitLabUnreachable(error.code)
            default: .gitLabUnreadable(error.code)
            }
        reason = error.code
    }
}
