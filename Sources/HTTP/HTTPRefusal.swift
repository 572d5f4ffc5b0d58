/// Why a server refuses a request without asking who answers its requests.
package enum HTTPRefusal: Int, Sendable, Equatable, CaseIterable {
    /// The request is no HTTP, or its end can be read in two ways.
    case malformed = 400
    /// The body has more bytes than the server takes.
    case bodyTooLarge = 413
    /// The request's line has more bytes than the server takes.
    case targetTooLong = 414
    /// The header fields have more bytes than the server takes.
    case headersTooLarge = 431
    /// The server itself is at fault.
    case failed = 500
    /// The server is about to end.
    case stopping = 503
    /// The request is of a version of HTTP that the server does not speak.
    case versionNotSupported = 505

    /// Of HTTP (RFC 9110 §15, RFC 6585 §5).
    package var status: Int { rawValue }
}

extension HTTPHandler {
    /// The status alone.
    package func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        HTTPResponse(status: refusal.status)
    }
}
