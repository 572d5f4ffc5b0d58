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
            retryAfter = Self.pause(response)
            return
        }
        let row = ErrorCatalogue.row(code: body.code, status: response.status)
        self.init(
            Self.kind(body.code, response.status),
            code: body.code,
            row?.message ?? body.message,
            hint: body.hint,
            status: response.status,
            retryAfter: Self.pause(response)
        )
    }

    private static func kind(_ code: String, _ status: Int) -> Kind {
        // Whoever runs the server has to mend it; asking again does not.
        if code == "oauth_misconfigured" { return .refused }
        if status == 401 { return .signedOut }
        return status == 429 || status >= 500 ? .unavailable : .refused
    }

    /// `Retry-After` in seconds (RFC 9110 §10.2.3), a day at most.
    private static func pause(_ response: TransportResponse) -> Duration? {
        guard let text = response.field("Retry-After"), let seconds = Int64(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, 86_400))
    }
}
