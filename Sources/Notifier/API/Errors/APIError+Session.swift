import HTTP

/// The request does not say, or not credibly, whose it is.
extension APIError {
    private static let bearer: HTTPFields = ["WWW-Authenticate": "Bearer"]

    static let sessionMissing = APIError(
        401,
        "session_missing",
        "This request needs a session.",
        hint: "Send the token of POST /auth/register as Bearer.",
        fields: bearer
    )

    static let sessionInvalid = APIError(
        401,
        "session_invalid",
        "The session is not valid.",
        hint: "Register again for a new token.",
        fields: bearer
    )

    static let sessionExpired = APIError(
        401,
        "session_expired",
        "Session expired. Please sign in again.",
        hint: "Register again for a new token.",
        fields: bearer
    )
}
