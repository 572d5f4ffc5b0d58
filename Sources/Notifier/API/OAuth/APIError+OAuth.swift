/// Why a sign-in through GitLab did not succeed.
extension APIError {
    static let oauthNotOffered = APIError(
        422,
        "oauth_not_offered",
        "This server does not offer that way to sign in to this GitLab.",
        hint: "Sign in with a personal access token with the scope read_api."
    )

    static let oauthStateInvalid = APIError(
        400,
        "oauth_state_invalid",
        "This sign-in is unknown, over, or used already.",
        hint: "Start again with POST /auth/oauth/start."
    )

    static let oauthCodeRefused = APIError(
        422,
        "oauth_code_refused",
        "GitLab does not accept the code.",
        hint: "Start again with POST /auth/oauth/start: a code works once and for some minutes."
    )

    static let oauthDenied = APIError(
        422,
        "oauth_denied",
        "Access was refused in GitLab.",
        hint: "Start again and agree, or sign in with a personal access token."
    )

    static func oauthMisconfigured(code: String) -> APIError {
        APIError(
            502,
            "oauth_misconfigured",
            "GitLab does not accept this server's application.",
            hint:
                "Whoever runs this server should compare its client id, secret, redirect address and scope with GitLab's (\(code))."
        )
    }

    /// What a failed sign-in means to the caller.
    init(_ error: OAuthError, notFound: APIError) {
        self =
            switch error {
            case .invalidGrant, .expired, .pending: .oauthCodeRefused
            case .denied: .oauthDenied
            case .refused(let code): .oauthMisconfigured(code: code)
            case .notAnswered(let answer): APIError(answer, notFound: notFound)
            }
    }
}
