import Crypto
import HTTP
import Platform

/// `/oauth/…` over HTTP (GitLab facts §14).
extension InstanceState {
    /// Access tokens live so long, always.
    static let accessLifetime = Duration.hours(2)
    private static let deviceLifetime = Duration.minutes(5)
    private static let deviceInterval = Duration.seconds(5)

    /// The answer to a request below `/oauth/`, where what GitLab does not know is a page for people.
    mutating func answerOAuth(_ request: HTTPRequest, _ identity: Identity, at now: WallTime) -> APIError {
        do throws(APIError) {
            switch (request.method, request.path) {
            case (.post, "/oauth/token"): return try token(request, at: now)
            case (.post, "/oauth/authorize_device") where version.hasDeviceGrant:
                return try startDevice(request, at: now)
            case (.post, "/oauth/revoke"): return try revoke(request)
            case (.get, "/oauth/token/info"): return tokenInfo(identity, at: now)
            case (.get, "/oauth/authorize"):
                var page = APIError(status: 302, body: [], contentType: "text/html; charset=utf-8")
                page.headers["Location"] = "\(configuration.externalURL)/users/sign_in"
                return page
            default:
                let page = Array("<html><body>The page could not be found</body></html>".utf8)
                return APIError(status: 404, body: page, contentType: "text/html; charset=utf-8")
            }
        } catch {
            return error
        }
    }

    /// 64 hexadecimal digits, as GitLab's tokens have.
    mutating func newOAuthToken() -> String {
        var digits: [UInt8] = []
        for _ in 0..<4 { digits.appendHex(oauthRandom.next()) }
        return configuration.oauthTokenPrefix + String(decoding: digits, as: UTF8.self)
    }

    /// An access token is used: what it replaced is over (§21.11).
    mutating func noteUse(of access: String) {
        guard let former = oauth.replaced.removeValue(forKey: access) else { return }
        revoke(former)
    }

    /// Ends a refresh token and the access token that came with it.
    mutating func revoke(_ refresh: String) {
        guard let access = oauth.refreshes[refresh]?.access else { return }
        oauth.refreshes[refresh]?.isRevoked = true
        tokens[access]?.state = .revoked
    }

    // MARK: /oauth/token

    private mutating func token(_ request: HTTPRequest, at now: WallTime) throws(APIError) -> APIError {
        let pairs = try RequestBody.pairs(of: request)
        let application = try client(pairs)
        switch Self.value("grant_type", pairs) {
        case "authorization_code": return try exchange(pairs, application, at: now)
        case "refresh_token": return try refresh(pairs, application, at: now)
        case "urn:ietf:params:oauth:grant-type:device_code" where version.hasDeviceGrant:
            return try askForDevice(pairs, application, at: now)
        case nil: throw .invalidRequest
        default: throw .unsupportedGrant
        }
    }

    private func client(_ pairs: [(name: String, value: String)]) throws(APIError) -> OAuthApplication {
        let clientID = Self.value("client_id", pairs)
        guard let application = configuration.oauthApplications.first(where: { $0.clientID == clientID }),
            application.secret == nil || Self.value("client_secret", pairs) == application.secret
        else { throw .invalidClient }
        return application
    }

    private mutating func exchange(
        _ pairs: [(name: String, value: String)],
        _ application: OAuthApplication,
        at now: WallTime
    ) throws(APIError) -> APIError {
        guard let text = Self.value("code", pairs) else { throw .invalidRequest }
        guard let code = oauth.codes[text], code.consent.clientID == application.clientID else { throw .invalidGrant }
        if let used = code.usedFor {
            // Somebody else had it, too: what it led to is taken away.
            revoke(used)
            throw .invalidGrant
        }
        guard now < code.expiresAt, Self.value("redirect_uri", pairs) == code.consent.redirectURI,
            Self.isVerified(Self.value("code_verifier", pairs), code.challenge)
        else { throw .invalidGrant }
        let issued = issue(for: code.consent, at: now)
        oauth.codes[text]?.usedFor = issued.refresh
        return issued.answer
    }

    private static func isVerified(_ verifier: String?, _ challenge: String?) -> Bool {
        guard let challenge else { return verifier == nil }
        guard let verifier, (43...128).contains(verifier.utf8.count) else { return false }
        return Base64URL.encode(SHA256.digest(Array(verifier.utf8))) == challenge
    }

    private mutating func refresh(
        _ pairs: [(name: String, value: String)],
        _ application: OAuthApplication,
        at now: WallTime
    ) throws(APIError) -> APIError {
        guard let text = Self.value("refresh_token", pairs) else { throw .invalidRequest }
        guard let refresh = oauth.refreshes[text] else { throw .invalidGrant }
        let person = people[refresh.consent.person]
        guard !refresh.isRevoked, refresh.consent.clientID == application.clientID, person.state == .active,
            Self.value("redirect_uri", pairs) == refresh.consent.redirectURI
        else {
            oauth.refused.append(person.username)
            throw .invalidGrant
        }
        let issued = issue(for: refresh.consent, at: now)
        if configuration.refreshRevokesAtOnce { revoke(text) } else { oauth.replaced[issued.access] = text }
        return issued.answer
    }

    private mutating func issue(
        for consent: OAuthState.Consent,
        at now: WallTime
    ) -> (access: String, refresh: String, answer: APIError) {
        let (access, refresh) = (newOAuthToken(), newOAuthToken())
        var token = Token(
            id: sequences.next(.token),
            secret: access,
            person: consent.person,
            name: "",
            scopes: consent.scopes,
            createdAt: now
        )
        token.expiresAt = now.advanced(by: Self.accessLifetime)
        token.isOAuth = true
        tokens[access] = token
        oauth.refreshes[refresh] = OAuthState.Refresh(consent: consent, access: access)
        oauth.issued.append(IssuedToken(secret: access, refresh: refresh, person: people[consent.person].username))
        var writer = JSONWriter()
        writer.object { object in
            object.field("access_token", access)
            object.field("token_type", "bearer")
            object.field("expires_in", Self.accessLifetime.components.seconds)
            object.field("refresh_token", refresh)
            object.field("scope", consent.scopes.map(\.rawValue).joined(separator: " "))
            object.field("created_at", now.secondsSinceEpoch)
        }
        return (access, refresh, APIError(status: 200, body: writer.bytes))
    }

    // MARK: Devices

    private mutating func startDevice(_ request: HTTPRequest, at now: WallTime) throws(APIError) -> APIError {
        let pairs = try RequestBody.pairs(of: request)
        let clientID = Self.value("client_id", pairs)
        guard let application = configuration.oauthApplications.first(where: { $0.clientID == clientID }) else {
            throw .invalidClient
        }
        guard let scopes = try? scopes(Self.value("scope", pairs), of: application) else { throw .invalidScope }
        let deviceCode = newOAuthToken()
        var digits: [UInt8] = []
        digits.appendHex(oauthRandom.next())
        let userCode = String(decoding: digits.prefix(8), as: UTF8.self).uppercased()
        oauth.devices[deviceCode] = OAuthState.Device(
            clientID: application.clientID,
            scopes: scopes,
            userCode: userCode,
            expiresAt: now.advanced(by: Self.deviceLifetime)
        )
        let place = "\(configuration.externalURL)/oauth/device"
        var writer = JSONWriter()
        writer.object { object in
            object.field("device_code", deviceCode)
            object.field("user_code", userCode)
            object.field("verification_uri", place)
            object.field("verification_uri_complete", "\(place)?user_code=\(userCode)")
            object.field("expires_in", Self.deviceLifetime.components.seconds)
            object.field("interval", Self.deviceInterval.components.seconds)
        }
        return APIError(status: 200, body: writer.bytes)
    }

    private mutating func askForDevice(
        _ pairs: [(name: String, value: String)],
        _ application: OAuthApplication,
        at now: WallTime
    ) throws(APIError) -> APIError {
        guard let code = Self.value("device_code", pairs) else { throw .invalidRequest }
        guard let device = oauth.devices[code], device.clientID == application.clientID else { throw .invalidGrant }
        guard now < device.expiresAt else { throw .error(400, "expired_token") }
        let isTooSoon = device.askedAt.map { $0.duration(to: now) < Self.deviceInterval } ?? false
        oauth.devices[code]?.askedAt = now
        switch device.answer {
        case .pending: throw .error(400, isTooSoon ? "slow_down" : "authorization_pending")
        case .refused: throw .error(400, "access_denied")
        case .agreed(let person):
            oauth.devices[code] = nil
            let consent = OAuthState.Consent(
                person: person,
                clientID: application.clientID,
                redirectURI: application.redirectURI,
                scopes: device.scopes
            )
            return issue(for: consent, at: now).answer
        }
    }

    // MARK: The rest

    /// Either token of a pair ends both. 200 also for what is no token, or is over (RFC 7009 §2.2); 403 for another application's, and for
    /// that of an application with a secret that was not given.
    private mutating func revoke(_ request: HTTPRequest) throws(APIError) -> APIError {
        let pairs = try RequestBody.pairs(of: request)
        let done = APIError(status: 200, body: Array("{}".utf8))
        guard let token = Self.value("token", pairs),
            let refresh = oauth.refreshes[token] != nil
                ? token : oauth.refreshes.first(where: { $0.value.access == token })?.key
        else { return done }
        guard let application = try? client(pairs), application.clientID == oauth.refreshes[refresh]?.consent.clientID
        else { throw .foreignGrant }
        revoke(refresh)
        return done
    }

    private func tokenInfo(_ identity: Identity, at now: WallTime) -> APIError {
        guard case .token(let token) = identity, refusal(of: token, at: now) == nil else {
            return .error(401, "invalid_token", description: "The access token is invalid")
        }
        var writer = JSONWriter()
        writer.object { object in
            object.field("resource_owner_id", people[token.person].id)
            object.field("scope", strings: token.scopes.map(\.rawValue))
            object.field("expires_in", token.expiresAt.map { now.duration(to: $0).components.seconds })
            object.field("created_at", token.createdAt.secondsSinceEpoch)
        }
        return APIError(status: 200, body: writer.bytes)
    }
}

/// The OAuth layer's refusals (RFC 6749 §5.2).
extension APIError {
    static var invalidGrant: APIError {
        error(
            400,
            "invalid_grant",
            description:
                "The provided authorization grant is invalid, expired, revoked, does not match the redirection "
                + "URI used in the authorization request, or was issued to another client."
        )
    }

    static var invalidClient: APIError {
        error(
            401,
            "invalid_client",
            description: "Client authentication failed due to unknown client, no client authentication included, or "
                + "unsupported authentication method."
        )
    }

    static var foreignGrant: APIError {
        error(403, "unauthorized_client", description: "You are not authorized to revoke this token")
    }

    static var invalidRequest: APIError {
        error(400, "invalid_request", description: "The request is missing a required parameter.")
    }

    static var invalidScope: APIError {
        error(400, "invalid_scope", description: "The requested scope is invalid, unknown, or malformed.")
    }

    static var unsupportedGrant: APIError {
        error(
            400,
            "unsupported_grant_type",
            description: "The authorization grant type is not supported by the authorization server."
        )
    }
}
