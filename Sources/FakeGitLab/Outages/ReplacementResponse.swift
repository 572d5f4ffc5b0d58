import HTTP
import Platform

/// What stands in for an answer during an outage (GitLab facts §16).
extension InstanceState {
    mutating func activeOutage(for request: HTTPRequest, at now: WallTime) -> Outage? {
        outages.removeAll { $0.until.map { $0 <= now } ?? false }
        guard outages.contains(where: { $0.isActive(at: now) }) else { return nil }
        let path = Self.apiPath(request.path) ?? request.path.split(separator: "/")
        for outage in outages where outage.isActive(at: now) {
            guard outage.routes.matches(method: request.method.rawValue, path: path) else { continue }
            if outage.perMille >= 1_000 || serviceRandom.chance(outage.perMille, in: 1_000) { return outage }
        }
        return nil
    }

    /// The whole reply when the request never reaches GitLab; nil when it is processed.
    mutating func replacement(of outage: Outage, for request: HTTPRequest) -> SentResponse? {
        switch outage.mode {
        case .workhorseBadGateway: plain(502, "GitLab is not responding", type: "text/plain; charset=utf-8")
        case .proxyBadGateway: plain(502, Self.badGatewayPage, type: "text/html")
        case .loginPage: plain(200, Self.loginPage, type: "text/html; charset=utf-8")
        case .unavailable: json(.message(503, "503 Service Unavailable"))
        case .internalError: json(.internalError)
        case .routeMissing: json(.routeNotFound)
        case .unauthorized: json(.unauthorized)
        case .forbidden: json(.forbidden)
        case .hang, .truncatedBody, .reset, .slow, .maintenance, .readOnly: nil
        }
    }

    /// What maintenance and read-only mode do to writes; nil lets the request through.
    mutating func refusedWrite(_ outage: Outage, _ request: HTTPRequest) -> SentResponse? {
        guard request.method != .get, request.method != .head, request.path != "/oauth/token" else { return nil }
        let type = request.fields["Content-Type"]?.lowercased() ?? ""
        switch outage.mode {
        case .maintenance where type.hasPrefix("application/json"):
            var refusal = json(.message(503, "GitLab Maintenance: system is in maintenance mode"))
            if version.tellsMaintenanceRetry { refusal.response.fields.append("Retry-After", Self.maintenanceRetry) }
            return refusal
        case .readOnly where type.hasPrefix("application/json"):
            return json(.message(403, "You cannot perform write operations on a read-only instance"))
        case .maintenance, .readOnly:
            var reply = plain(301, "", type: "text/html; charset=utf-8")
            let target = request.fields["Referer"] ?? "\(configuration.externalURL)/"
            reply.response.fields.append("Location", target)
            return reply
        default: return nil
        }
    }

    /// Seconds; the value GitLab sends is not established (supplement §7).
    private static let maintenanceRetry = "60"

    private func plain(_ status: Int, _ body: String, type: String) -> SentResponse {
        SentResponse(
            HTTPResponse(status: status, fields: ["Server": "nginx", "Content-Type": type], body: Array(body.utf8))
        )
    }

    private func json(_ error: APIError) -> SentResponse {
        let fields: HTTPFields = ["Server": "nginx", "Content-Type": error.contentType, "Cache-Control": "no-cache"]
        return SentResponse(HTTPResponse(status: error.status, fields: fields, body: error.body))
    }

    private static let badGatewayPage = """
        <html>\r
        <head><title>502 Bad Gateway</title></head>\r
        <body>\r
        <center><h1>502 Bad Gateway</h1></center>\r
        <hr><center>nginx</center>\r
        </body>\r
        </html>\r

        """

    private static let loginPage = """
        <!DOCTYPE html>
        <html lang="en"><head><title>Sign in</title></head>
        <body><form method="post" action="/login"><input name="username"><input name="password"></form></body></html>
        """
}
