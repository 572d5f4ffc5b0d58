#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The one shape of the server's refusals.
private struct RefusalBody: Decodable {
    var code: String
    var message: String
    var hint: String?
}

extension NotifierError {
    /// What a refusal means. A body that is none of the server's own refusals comes from somebody in between.
    init(refusal response: TransportResponse, from server: ServerAddress) {
        guard let body = try? JSONDecoder().decode(RefusalBody.self, from: response.body), !body.code.isEmpty else {
            self = .unreadable(
                "\(server) answered \(response.status), but not as this API does.",
                status: response.status
            )
            // A gateway in front of a server that starts again.
            if response.status == 429 || (500...599).contains(response.status) {
                (kind, message) = (.unavailable, ErrorCatalogue.serverFailed.message)
            }
            retryAfter = response.retryAfter
            return
        }
        let row = ErrorCatalogue.row(code: body.code, status: response.status)
        self.init(
            Self.kind(body.code, response.status),
            code: body.code,
            row?.message ?? body.message,
            hint: body.hint,
            status: response.status,
            retryAfter: response.retryAfter
        )
    }

    private static func kind(_ code: String, _ status: Int) -> Kind {
        // Whoever runs the server has to mend it; asking again does not.
        if code == "oauth_misconfigured" { return .refused }
        if status == 401 { return .signedOut }
        return status == 429 || status >= 500 ? .unavailable : .refused
    }
}

extension TransportResponse {
    /// How long to wait before the same is asked again: `Retry-After` in seconds (RFC 9110 §10.2.3), a day at most; nil when it is not said.
    public var retryAfter: Duration? {
        guard let text = field("Retry-After"), let seconds = Int64(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, 86_400))
    }
}
