import HTTP
import Platform

/// Who a request claims to be.
enum Identity: Sendable {
    case anonymous
    case unknownToken(faultID: String?)
    case token(Token)
}

extension InstanceState {
    /// The token, from `PRIVATE-TOKEN`, `Authorization: Bearer`, or the query (GitLab facts §2).
    func identify(_ request: HTTPRequest) -> Identity {
        guard let secret = Self.secret(in: request) else { return .anonymous }
        guard let token = tokens[secret] else { return .unknownToken(faultID: nil) }
        if token.isOAuth, request.fields["PRIVATE-TOKEN"] != nil { return .unknownToken(faultID: nil) }
        return token.state == .unknown ? .unknownToken(faultID: token.faultID) : .token(token)
    }

    private static func secret(in request: HTTPRequest) -> String? {
        if let secret = request.fields["PRIVATE-TOKEN"] { return secret }
        if let authorization = request.fields["Authorization"] {
            let words = authorization.split(separator: " ", maxSplits: 1)
            if words.count == 2, HTTPFields.sameName(String(words[0]), "Bearer") { return String(words[1]) }
        }
        guard let query = request.query, query.utf8.count >= 13, let pairs = PercentEncoding.pairs(query) else {
            return nil
        }
        return pairs.last { $0.name == "private_token" || $0.name == "access_token" }?.value
    }

    /// Why the token opens nothing at all now; nil when it does.
    func refusal(of token: Token, at now: WallTime) -> APIError? {
        if token.state == .revoked { return APIError.tokenRevoked.caused(by: token.faultID) }
        if token.state == .expired || token.expiresAt.map({ $0 <= now }) ?? false {
            return APIError.tokenExpired.caused(by: token.faultID)
        }
        guard let reason = people[token.person].state.refusal else { return nil }
        return APIError.message(403, "403 Forbidden - \(reason)")
    }

    /// Every read accepts `api` and `read_api`, a few also `read_user`; writes need `api` (GitLab facts §2).
    func checkScope(of token: Token, for route: Route) throws(APIError) {
        if route.endpoint.acceptsEveryScope || token.scopes.contains(.api) { return }
        var accepted: [TokenScope] = [.api]
        if route.isRead { accepted.append(.readAPI) }
        if route.endpoint.acceptsReadUser { accepted.append(.readUser) }
        if route.endpoint == .rotateToken { accepted.append(.selfRotate) }
        guard token.scopes.contains(where: accepted.contains) else {
            throw APIError.insufficientScope(accepted).caused(by: token.faultID)
        }
    }
}

extension APIError {
    func caused(by faultID: String?) -> APIError {
        var copy = self
        copy.faultID = faultID
        return copy
    }
}

extension AccountState {
    /// What a person in this state is told; nil when nothing is wrong.
    var refusal: String? {
        switch self {
        case .active: nil
        case .blocked: "Your account has been blocked."
        case .deactivated:
            "Your account has been deactivated by your administrator. "
                + "Please log back in from a web browser to reactivate your account."
        case .termsNotAccepted:
            "You must accept the Terms of Service in order to perform this action. "
                + "To accept these terms, please access GitLab from a web browser."
        case .passwordExpired: "Your password expired. Please access GitLab from a web browser to update your password."
        }
    }
}
