import Configuration
import HTTP

/// What the server refuses before the API is asked.
extension APIError {
    static let malformedRequest = APIError(
        400,
        "malformed_request",
        "The request is not valid HTTP.",
        hint: "Send HTTP/1.1 with one Host and, for a body, either Content-Length or Transfer-Encoding: chunked."
    )

    static let stopping = APIError(
        503,
        "stopping",
        "The server is shutting down.",
        hint: "Try again in a moment.",
        fields: ["Retry-After": "1"]
    )

    static let versionNotSupported = APIError(
        505,
        "http_version_not_supported",
        "The server does not speak this version of HTTP.",
        hint: "Send HTTP/1.1."
    )

    /// Each refusal as the API tells it; `limits` are those that the hints name.
    init(_ refusal: HTTPRefusal, limits: NotifierConfiguration) {
        self =
            switch refusal {
            case .malformed: .malformedRequest
            case .bodyTooLarge: .bodyTooLarge(limit: limits.requestBodyLimitBytes)
            case .targetTooLong: .targetTooLong(limit: limits.requestTargetLimitBytes)
            case .headersTooLarge: .headersTooLarge(limit: limits.requestHeaderLimitBytes)
            case .failed: .internalFailure
            case .stopping: .stopping
            case .versionNotSupported: .versionNotSupported
            }
    }
}
