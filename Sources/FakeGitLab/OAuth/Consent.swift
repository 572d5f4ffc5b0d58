import HTTP
import Platform

extension FakeGitLab {
    /// How long a code lives between the browser and the exchange.
    static let codeLifetime = Duration.minutes(10)

    /// The person opens `address`, which leads to `/oauth/authorize`, in a browser where they are signed in, and answers.
    ///
    /// - Returns: The address to which GitLab sends the browser: with a code, or with `error=access_denied`.
    /// - Throws: `FakeGitLabError` where GitLab shows a page with an error and sends the browser nowhere.
    package func authorize(_ address: String, as username: String, agrees: Bool = true) throws -> String {
        try act { try $0.authorize(address, as: username, agrees: agrees, at: $1) }
    }

    /// The person types the code that their device shows, and answers.
    ///
    /// - Throws: `FakeGitLabError` with `unknownToken` for a code that is none, or is over.
    package func authorizeDevice(userCode: String, as username: String, agrees: Bool = true) throws {
        try act { state, now in
            let person = try state.person(username)
            let found = state.oauth.devices.first { $0.value.userCode == userCode && now < $0.value.expiresAt }
            guard let code = found?.key else {
                throw FakeGitLabError(.unknownToken, "No device shows that code.", hint: "Start again on the device.")
            }
            state.oauth.devices[code]?.answer = agrees ? .agreed(person: person) : .refused
        }
    }

    /// Whether people can sign in by a code that their device shows, as GitLab stands now.
    package var offersDeviceGrant: Bool { act { state, _ in state.version.hasDeviceGrant } }

    /// The person takes the application's access away.
    package func revokeGrants(of username: String) throws {
        try act { state, _ in
            let person = try state.person(username)
            for (token, refresh) in state.oauth.refreshes where refresh.consent.person == person {
                state.revoke(token)
            }
        }
    }

    /// Whether the pair of tokens that was made last for the person still stands: nobody has ended it. With `orFormer` also whether one does
    /// that was used before it; of one that was never used, whoever had asked for it may not know.
    package func hasGrant(of username: String, orFormer: Bool = false) -> Bool {
        act { state, _ in
            let issued = state.oauth.issued.filter { $0.person == username }
            let counted = orFormer ? issued.filter { state.tokens[$0.secret]?.lastUsedAt != nil } : []
            return (counted + issued.suffix(1)).contains { state.oauth.refreshes[$0.refresh]?.isRevoked == false }
        }
    }

    /// Access tokens issued after the first `count`, in order.
    package func issuedTokens(after count: Int) -> [IssuedToken] {
        act { state, _ in Array(state.oauth.issued.dropFirst(count)) }
    }

    /// Whose refresh tokens were refused, after the first `count` refusals.
    package func refusedRefreshes(after count: Int) -> [String] {
        act { state, _ in Array(state.oauth.refused.dropFirst(count)) }
    }
}

extension InstanceState {
    fileprivate mutating func authorize(
        _ address: String,
        as username: String,
        agrees: Bool,
        at now: WallTime
    ) throws -> String {
        let person = try person(username)
        let parts = address.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[0] == "\(configuration.externalURL)/oauth/authorize",
            let pairs = PercentEncoding.pairs(parts[1])
        else { throw Self.badRequest("The address does not lead to this instance's /oauth/authorize.") }
        let application = try application(of: pairs)
        let state = Self.value("state", pairs).map { "&state=\(PercentEncoding.encodeQuery($0))" } ?? ""
        let back = application.redirectURI
        guard agrees else { return "\(back)?error=access_denied\(state)" }
        let code = newOAuthToken()
        oauth.codes[code] = OAuthState.Code(
            consent: OAuthState.Consent(
                person: person,
                clientID: application.clientID,
                redirectURI: back,
                scopes: try scopes(Self.value("scope", pairs), of: application)
            ),
            challenge: try Self.challenge(pairs),
            expiresAt: now.advanced(by: FakeGitLab.codeLifetime)
        )
        return "\(back)?code=\(code)\(state)"
    }

    private func application(of pairs: [(name: String, value: String)]) throws -> OAuthApplication {
        let clientID = Self.value("client_id", pairs)
        guard let application = configuration.oauthApplications.first(where: { $0.clientID == clientID }) else {
            throw Self.badRequest("Client authentication failed due to unknown client.")
        }
        guard Self.value("redirect_uri", pairs) == application.redirectURI else {
            throw Self.badRequest("The redirect URI included is not valid.")
        }
        guard Self.value("response_type", pairs) == "code" else {
            throw Self.badRequest("The authorization server does not support this response type.")
        }
        return application
    }

    func scopes(_ text: String?, of application: OAuthApplication) throws -> [TokenScope] {
        let wanted = (text ?? "").split(separator: " ").map { TokenScope(rawValue: String($0)) }
        let scopes = wanted.compactMap { $0 }
        guard !scopes.isEmpty, scopes.count == wanted.count, scopes.allSatisfy(application.scopes.contains) else {
            throw Self.badRequest("The requested scope is invalid, unknown, or malformed.")
        }
        return scopes
    }

    /// Only S256 is taken.
    private static func challenge(_ pairs: [(name: String, value: String)]) throws -> String? {
        guard let challenge = value("code_challenge", pairs) else { return nil }
        guard value("code_challenge_method", pairs) == "S256", challenge.utf8.count == 43 else {
            throw badRequest("The code challenge method must be S256.")
        }
        return challenge
    }

    static func value(_ name: String, _ pairs: [(name: String, value: String)]) -> String? {
        pairs.last { $0.name == name }?.value
    }

    private static func badRequest(_ message: String) -> FakeGitLabError {
        FakeGitLabError(.invalidValue, message, hint: "Send what GitLab's OAuth documentation asks for.")
    }
}
