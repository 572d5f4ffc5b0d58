import HTTP

/// The request itself is at fault, or the server cannot take it now.
extension APIError {
    static let invalidJSON = APIError(
        400,
        "invalid_json",
        "The request body is not a JSON object.",
        hint: "Send one JSON object as UTF-8."
    )

    static func invalidField(_ name: String, expected: String) -> APIError {
        APIError(400, "invalid_field", "\"\(name)\" is not valid.", hint: "\"\(name)\" must be \(expected).")
    }

    static let routeNotFound = APIError(
        404,
        "not_found",
        "There is nothing at this path.",
        hint: "Check the path against the API's documentation."
    )

    /// `allowed` are the methods that the path does take, as in the field `Allow`.
    static func methodNotAllowed(allowed: String) -> APIError {
        APIError(
            405,
            "method_not_allowed",
            "This path does not take this method.",
            hint: "Use \(allowed).",
            fields: ["Allow": allowed]
        )
    }

    static func bodyTooLarge(limit: Int) -> APIError {
        APIError(413, "body_too_large", "The request body is too large.", hint: "Send at most \(limit) bytes.")
    }

    static func targetTooLong(limit: Int) -> APIError {
        APIError(414, "target_too_long", "The path and query are too long.", hint: "Send at most \(limit) bytes.")
    }

    static func headersTooLarge(limit: Int) -> APIError {
        APIError(431, "headers_too_large", "The header fields are too large.", hint: "Send at most \(limit) bytes.")
    }

    static let busy = APIError(
        503,
        "busy",
        "The server is busy with other requests.",
        hint: "Try again in a moment.",
        fields: ["Retry-After": "1"]
    )

    static let tooManyWaiting = APIError(
        429,
        "too_many_waiting",
        "Too many of your requests wait for GitLab.",
        hint: "Wait for their answers, then send this one again.",
        fields: ["Retry-After": "1"]
    )

    static let changedMeanwhile = APIError(
        409,
        "changed_meanwhile",
        "The account changed during the request.",
        hint: "Send the request again."
    )

    /// 503 and not 507: every client knows that it may come again after a 503, few have heard of the other.
    static let databaseUnavailable = APIError(
        503,
        "database_unavailable",
        "The server cannot store anything at the moment, so nothing was changed.",
        hint: "Try again in some minutes. Whoever runs the server finds the reason at /health/ready.",
        fields: ["Retry-After": "60"]
    )

    static let internalFailure = APIError(
        500,
        "internal",
        "Something went wrong on our end.",
        hint: "Try again in a moment."
    )
}
