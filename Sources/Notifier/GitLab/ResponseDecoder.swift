import FoundationEssentials
import HTTP
import Platform

/// Reads what GitLab's responses say, and tells GitLab's own answers from a proxy's (GitLab facts §2, §3, §16).
enum ResponseDecoder {
    /// What went wrong, or nil when the response is a success in JSON.
    static func error(in response: HTTPResponse) -> GitLabError? {
        switch response.status {
        case 200..<300: return isJSON(response) ? nil : .undecodable(.contentType)
        case 300..<400: return .undecodable(.redirect)
        case 408, 500...: return .unavailable(status: response.status)
        case 429: return .rateLimited(retryAfter: retryAfter(response.fields))
        case 401, 403, 404: return isJSON(response) ? refusal(in: response) : .undecodable(.contentType)
        default: return .rejected(status: response.status)
        }
    }

    /// How long GitLab asks to wait: seconds, or a date measured against the server's own clock.
    static func retryAfter(_ fields: HTTPFields) -> Duration? {
        guard let text = fields["Retry-After"] else { return nil }
        if let seconds = Int64(text) { return .seconds(min(max(seconds, 0), longestPause)) }
        guard let until = HTTPDate.wallTime(text), let now = fields["Date"].flatMap(HTTPDate.wallTime) else {
            return nil
        }
        return min(max(now.duration(to: until), .zero), .seconds(longestPause))
    }

    /// The page to read next: `X-Next-Page`, or the page number, and nothing else, of the `next` link (trap 27).
    static func nextPage(_ fields: HTTPFields) -> Int? {
        guard let text = fields["X-Next-Page"] else { return fields["Link"].flatMap(nextPage(link:)) }
        return Int(text)
    }

    /// A day: a longer pause is a mistake of somebody's clock.
    private static let longestPause: Int64 = 86_400

    private struct ErrorBody: Decodable {
        var message: String?
        var error: String?
        var description: String?

        private enum CodingKeys: String, CodingKey {
            case message, error
            case description = "error_description"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            message = container.optional(.message)
            error = container.optional(.error)
            description = container.optional(.description)
        }
    }

    static func isJSON(_ response: HTTPResponse) -> Bool {
        guard let type = response.fields["Content-Type"] else { return false }
        let media = type.prefix { $0 != ";" && $0 != " " }
        return HTTPFields.sameName(String(media), "application/json")
    }

    private static func refusal(in response: HTTPResponse) -> GitLabError {
        guard response.body.count <= ResponseBounds.refusalBytes, ResponseBounds.object.admit(response.body) else {
            return .undecodable(.outOfBounds)
        }
        guard let body = try? JSONDecoder().decode(ErrorBody.self, from: Data(response.body)) else {
            return .undecodable(.notJSON)
        }
        switch response.status {
        case 401: return .unauthorized(tokenRejection(body))
        case 403: return .forbidden(refusal(body))
        default: return .notFound(isRoute: body.error != nil && body.message == nil)
        }
    }

    private static func tokenRejection(_ body: ErrorBody) -> GitLabError.TokenRejection {
        guard body.error != nil else { return .unknown }
        let description = body.description?.lowercased() ?? ""
        if description.contains("expired") { return .expired }
        return description.contains("revoked") ? .revoked : .other
    }

    private static func refusal(_ body: ErrorBody) -> GitLabError.Refusal {
        if body.error == "insufficient_scope" { return .scope }
        let message = body.message?.lowercased() ?? ""
        let states = ["your account", "terms of service", "not confirmed", "password expired", "internal users"]
        return states.contains { message.contains($0) } ? .accountState : .permission
    }

    private static func nextPage(link: String) -> Int? {
        for entry in link.split(separator: ",") where entry.contains("rel=\"next\"") {
            guard let address = entry.split(separator: "<").last?.split(separator: ">").first,
                let query = address.split(separator: "?", maxSplits: 1).last
            else { continue }
            for parameter in query.split(separator: "&") where parameter.hasPrefix("page=") {
                return Int(parameter.dropFirst(5))
            }
        }
        return nil
    }
}
