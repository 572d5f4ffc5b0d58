import HTTP

/// What a program wants to say cannot be said, or not by it.
extension APIError {
    static let signalTokenMissing = unauthorized(
        "signal_token_missing",
        "This request needs a signal token.",
        hint: "Send the token that the person made for this program as Bearer."
    )

    /// The same for one that never was and for one that was taken back.
    static let signalTokenInvalid = unauthorized(
        "signal_token_invalid",
        "The signal token is not valid, or was revoked.",
        hint: "The person can make another one: POST /signals/tokens."
    )

    static let signalTokenNotFound = APIError(
        404,
        "signal_token_not_found",
        "There is no such program among yours.",
        hint: "GET /signals/tokens lists them."
    )

    static func signalTokenLimitReached(limit: Int) -> APIError {
        APIError(
            409,
            "signal_token_limit",
            "Too many programs may send you signals.",
            hint: "Take a token back; \(limit) are allowed."
        )
    }

    static func signalAskLimitReached(limit: Int) -> APIError {
        APIError(
            409,
            "signal_ask_limit",
            "Too many approvals are open already.",
            hint: "Settle some, or wait until the person has; \(limit) may be open at a time."
        )
    }

    static func tooManySignals(retryAfter: Duration) -> APIError {
        APIError(
            429,
            "too_many_signals",
            "This program sends too many signals.",
            hint: "Wait as long as Retry-After says, then send it again: under its id nothing is told twice.",
            fields: retryField(retryAfter)
        )
    }
}
