import Crypto
import HTTP
import Platform

/// `POST /auth/oauth/start` and `POST /auth/oauth/finish`: connect a person without a token of their own (GitLab facts §14).
///
/// The state names the sign-in between the two. It is used once and for some minutes; the database keeps its digest only, so
/// that nobody who reads the database can finish somebody's sign-in.
extension RESTAPI {
    static let oauthRoutes = [
        APIRoute(.post, "/auth/oauth/start", access: .open, asksGitLab: true, .startOAuth) {
            try await $0.startOAuth($1)
        },
        APIRoute(.post, "/auth/oauth/finish", access: .open, asksGitLab: true, .finishOAuth) {
            try await $0.finishOAuth($1)
        },
    ]

    /// How long the person may take in the browser.
    private static let flowLifetime = Duration.minutes(10)
    private static let stateBytes = 32

    // MARK: Start

    private struct StartRequest: Decodable {
        var gitlabUrl: String
        var grantType: String?
    }

    private struct StartResponse: Encodable {
        var state: String
        var grantType: String
        var authorizationUrl: String?
        var userCode: String?
        var verificationUrl: String?
        var verificationUrlComplete: String?
        var pollSeconds: Int64?
        var expiresAt: String
    }

    private func startOAuth(_ call: APICall) async throws -> HTTPResponse {
        let wanted = try call.request.decodeBody(StartRequest.self)
        let origin = try servedOrigin(wanted.gitlabUrl)
        guard let kind = OAuthFlow.Kind(rawValue: wanted.grantType ?? OAuthFlow.Kind.code.rawValue) else {
            throw APIError.invalidField("grantType", expected: "\"authorization_code\" or \"device_code\"")
        }
        guard let client = context.oauth.client(for: origin, through: context.patient(call.peer)) else {
            throw APIError.oauthNotOffered
        }
        if let pause = signIns.take(call.peer.network, at: context.time.monotonicNow) {
            throw APIError.rateLimited(retryAfter: pause)
        }
        let state = Base64URL.encode(context.entropy.bytes(count: Self.stateBytes))
        switch kind {
        case .code: return try await startCode(client, state)
        case .device: return try await startDevice(client, state)
        }
    }

    private func startCode(_ client: OAuthClient, _ state: String) async throws -> HTTPResponse {
        let verifier = Secret(Base64URL.encode(context.entropy.bytes(count: Self.stateBytes)))
        let now = context.time.wallNow
        let end = now.advanced(by: Self.flowLifetime)
        try await keep(.code, client, verifier, state, until: end, interval: .zero)
        let answer = StartResponse(
            state: state,
            grantType: OAuthFlow.Kind.code.rawValue,
            authorizationUrl: client.authorizationAddress(state: state, challenge: OAuthClient.challenge(of: verifier)),
            expiresAt: ISO8601.text(end)
        )
        return try .json(201, answer)
    }

    private func startDevice(_ client: OAuthClient, _ state: String) async throws -> HTTPResponse {
        let device: DeviceAuthorization
        do {
            device = try await client.startDevice()
        } catch {
            throw APIError(error, notFound: .oauthNotOffered)
        }
        let end = context.time.wallNow.advanced(by: device.lifetime)
        try await keep(.device, client, device.deviceCode, state, until: end, interval: device.interval)
        let answer = StartResponse(
            state: state,
            grantType: OAuthFlow.Kind.device.rawValue,
            userCode: device.userCode,
            verificationUrl: device.address,
            verificationUrlComplete: device.completeAddress,
            pollSeconds: device.interval.components.seconds,
            expiresAt: ISO8601.text(end)
        )
        return try .json(201, answer)
    }

    private func keep(
        _ kind: OAuthFlow.Kind,
        _ client: OAuthClient,
        _ secret: Secret,
        _ state: String,
        until end: WallTime,
        interval: Duration
    ) async throws {
        let now = context.time.wallNow
        let flow = OAuthFlow(
            kind: kind,
            origin: client.application.origin,
            secret: try context.sealer.seal(secret, for: Self.sealContext(state)),
            expiresAt: end,
            askFrom: now.advanced(by: interval),
            interval: interval
        )
        try await context.store.transaction { store in
            try store.insertFlow(flow, state: Self.digest(state), at: now)
        }
    }

    private static func digest(_ state: String) -> [UInt8] { SHA256.digest(Array(state.utf8)) }

    private static func sealContext(_ state: String) -> String { "oauth/" + Base64URL.encode(digest(state)) }

    // MARK: Finish

    private struct FinishRequest: Decodable {
        var state: String
        var code: String?
    }

    private struct PendingResponse: Encodable {
        var status = "pending"
        var retryAfterSeconds: Int64
    }

    private func finishOAuth(_ call: APICall) async throws -> HTTPResponse {
        let wanted = try call.request.decodeBody(FinishRequest.self)
        let digest = Self.digest(wanted.state)
        let now = context.time.wallNow
        let patient = context.patient(call.peer)
        guard let flow = try await context.store.read({ try $0.flow(state: digest, at: now) }),
            let client = context.oauth.client(for: flow.origin, through: patient)
        else { throw APIError.oauthStateInvalid }
        guard context.instances.serve(flow.origin) else { throw APIError.gitLabNotServed }
        let secret = try context.sealer.open(flow.secret, for: Self.sealContext(wanted.state))
        switch flow.kind {
        case .code: return try await finishCode(wanted, digest, client, patient, verifier: secret)
        case .device: return try await finishDevice(flow, digest, client, patient, deviceCode: secret)
        }
    }

    private func finishCode(
        _ wanted: FinishRequest,
        _ digest: [UInt8],
        _ client: OAuthClient,
        _ patient: PatientClient,
        verifier: Secret
    ) async throws -> HTTPResponse {
        guard let code = wanted.code, (1...1_024).contains(code.unicodeScalars.count) else {
            throw APIError.invalidField("code", expected: "the code that GitLab sent the browser back with")
        }
        // Used up before GitLab is asked: of two requests with one state, one goes on.
        guard try await context.store.transaction({ try $0.deleteFlow(state: digest) }) else {
            throw APIError.oauthStateInvalid
        }
        do {
            let tokens = try await client.tokens(code: Secret(code), verifier: verifier)
            return try await connect(tokens, client, patient)
        } catch let error as OAuthError {
            throw APIError(error, notFound: .gitLabNotFound)
        }
    }

    private func finishDevice(
        _ flow: OAuthFlow,
        _ digest: [UInt8],
        _ client: OAuthClient,
        _ patient: PatientClient,
        deviceCode: Secret
    ) async throws -> HTTPResponse {
        let now = context.time.wallNow
        let wait = now.duration(to: flow.askFrom)
        // Longer than the interval only where the clock was set back.
        guard wait <= .zero || wait > flow.interval else { return try pending(wait) }
        try await context.store.transaction { store in
            try store.setFlow(state: digest, askFrom: now.advanced(by: flow.interval), interval: flow.interval)
        }
        do {
            let tokens = try await client.tokens(deviceCode: deviceCode)
            // One that stays is of no use to anybody: GitLab takes a device code once.
            _ = try? await context.store.transaction { try $0.deleteFlow(state: digest) }
            return try await connect(tokens, client, patient)
        } catch OAuthError.pending(let slowDown) {
            // RFC 8628 §3.5: five seconds more from then on.
            let interval = min(flow.interval + (slowDown ? .seconds(5) : .zero), .minutes(1))
            try await context.store.transaction { store in
                try store.setFlow(state: digest, askFrom: now.advanced(by: interval), interval: interval)
            }
            return try pending(interval)
        } catch let error as OAuthError {
            if error.isFinal { _ = try await context.store.transaction { try $0.deleteFlow(state: digest) } }
            throw APIError(error, notFound: .gitLabNotFound)
        }
    }

    private func pending(_ wait: Duration) throws -> HTTPResponse {
        try .json(202, PendingResponse(retryAfterSeconds: max(1, wait.components.seconds)))
    }

    /// Connects the person. What GitLab has granted and nobody here keeps would stay good there without anybody knowing of it, so it
    /// is ended at once.
    private func connect(
        _ tokens: OAuthTokens,
        _ client: OAuthClient,
        _ patient: PatientClient
    ) async throws -> HTTPResponse {
        let application = client.application
        let connected: Connected
        do {
            let person = context.client(application.origin, .accessToken(tokens.access), through: patient)
            connected = try await connect(person, tokens: tokens, wantedScope: application.scope)
        } catch {
            await context.grants.revoke(unkept: tokens, by: client)
            throw error
        }
        return try await welcome(connected)
    }
}

extension OAuthError {
    /// True when asking again with the same code cannot help.
    fileprivate var isFinal: Bool {
        switch self {
        case .invalidGrant, .denied, .expired: true
        case .pending, .refused, .notAnswered: false
        }
    }
}
