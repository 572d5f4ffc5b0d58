import Platform

/// An answer other than success: status and body, byte for byte (GitLab facts §2).
struct APIError: Error, Equatable {
    var status: Int
    var body: [UInt8]
    var contentType = "application/json"
    var headers: [String: String] = [:]
    /// Names the fault that is behind it; nil when the service would really answer so.
    var faultID: String?

    /// The `message` family, from GitLab's own code.
    static func message(_ status: Int, _ text: String) -> APIError {
        var writer = JSONWriter()
        writer.object { $0.field("message", text) }
        return APIError(status: status, body: writer.bytes)
    }

    /// The `error` family, from the framework and the OAuth layer.
    static func error(_ status: Int, _ text: String, description: String? = nil, scope: String? = nil) -> APIError {
        var writer = JSONWriter()
        writer.object { object in
            object.field("error", text)
            if let description { object.field("error_description", description) }
            if let scope { object.field("scope", scope) }
        }
        return APIError(status: status, body: writer.bytes)
    }

    static var unauthorized: APIError { message(401, "401 Unauthorized") }
    static var forbidden: APIError { message(403, "403 Forbidden") }
    static var recordNotFound: APIError { message(404, "404 Not found") }
    static var routeNotFound: APIError { error(404, "404 Not Found") }
    static var methodNotAllowed: APIError { error(405, "405 Not Allowed") }
    static var internalError: APIError { message(500, "500 Internal Server Error") }

    static func notFound(_ what: String) -> APIError { message(404, "404 \(what) Not Found") }

    static var tokenExpired: APIError {
        error(
            401,
            "invalid_token",
            description: "Token is expired. You can either do re-authorization or token refresh."
        )
    }

    static var tokenRevoked: APIError {
        error(401, "invalid_token", description: "Token was revoked. You have to re-authorize from the user.")
    }

    static func insufficientScope(_ accepted: [TokenScope]) -> APIError {
        error(
            403,
            "insufficient_scope",
            description: "The request requires higher privileges than provided by the access token.",
            scope: accepted.map(\.rawValue).joined(separator: " ")
        )
    }

    /// Limiter B's refusal (GitLab facts §3).
    static func tooManyNotes(retryAfter: Int64?) -> APIError {
        var writer = JSONWriter()
        writer.object { object in
            object.objectField("message") {
                $0.field("error", "This endpoint has been requested too many times. Try again later.")
            }
        }
        var error = APIError(status: 429, body: writer.bytes)
        if let retryAfter { error.headers["Retry-After"] = "\(retryAfter)" }
        return error
    }
}
