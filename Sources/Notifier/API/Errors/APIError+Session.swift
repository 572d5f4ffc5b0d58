import HTTP
import Platform

/// The request does not say, or not credibly, whose it is.
extension APIError {
    static let sessionMissing = unauthorized(
        "session_missing",
        "This request needs a session.",
        hint: "Send the token of POST /auth/register or POST /auth/refresh as Bearer."
    )

    static let sessionInvalid = unauthorized(
        "session_invalid",
        "The session is not valid, or was ended.",
        hint: "Sign in with POST /auth/register, or pair with another device."
    )

    static let sessionExpired = unauthorized(
        "session_expired",
        "Session expired. Please sign in again.",
        hint: "Send the refresh token to POST /auth/refresh for a new token."
    )

    static let refreshTokenInvalid = unauthorized(
        "refresh_token_invalid",
        "Session expired. Please sign in again.",
        hint: "Sign in with POST /auth/register, or pair with another device."
    )

    /// A refresh token came again although its answer had arrived: somebody else holds it.
    static let refreshTokenReused = unauthorized(
        "refresh_token_reused",
        "This session was ended for your safety. Please sign in again.",
        hint: "The refresh token was used twice. Should this happen again, end all sessions with POST /auth/revoke-all."
    )

    static let deviceSessionMissing = APIError(
        403,
        "device_session_missing",
        "This request needs a session that belongs to a device.",
        hint: "Register the device with POST /devices first."
    )

    static let deviceSessionTaken = APIError(
        409,
        "device_session_taken",
        "This session belongs to another device.",
        hint: "Sign in on this device, or pair it with POST /pair/start and POST /pair/exchange."
    )

    /// The same for a code that never was, was used, or is over: a guess learns nothing.
    static let pairingCodeUnknown = APIError(
        404,
        "pairing_code_unknown",
        "This pairing code is not valid any more.",
        hint: "Show a new code on the other device: it lives for five minutes and can be used once."
    )

    static func tooManyAttempts(retryAfter: Duration) -> APIError {
        APIError(
            429,
            "too_many_attempts",
            "Too many wrong pairing codes.",
            hint: "Wait a moment, then try again with a new code.",
            fields: retryField(retryAfter)
        )
    }

    static func rateLimited(retryAfter: Duration) -> APIError {
        APIError(
            429,
            "rate_limited",
            "Too many requests from this address.",
            hint: "Wait as long as Retry-After says, then go on more slowly.",
            fields: retryField(retryAfter)
        )
    }

    /// In whole seconds, rounded up (RFC 9110 §10.2.3).
    static func retryField(_ pause: Duration) -> HTTPFields {
        ["Retry-After": String(max(1, (pause.wholeMilliseconds + 999) / 1_000))]
    }
}
