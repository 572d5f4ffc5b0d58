import Configuration
import HTTP
import JSON
import Platform

/// `POST /pair/start` and `POST /pair/exchange`: how a second device joins without the GitLab token.
extension RESTAPI {
    static let pairingRoutes = [
        APIRoute(.post, "/pair/start", .startPairing) { try await $0.startPairing($1) },
        APIRoute(.post, "/pair/exchange", access: .open, .exchangePairing) { try await $0.exchangePairing($1) },
    ]

    private struct StartResponse: Encodable {
        var pairingCode: String
        var expiresAt: String
    }

    private struct Request: Decodable {
        var pairingCode: String
        var platform: String
        var deviceName: String?
    }

    private struct Response: Encodable {
        var token: String
        var refreshToken: String
        var deviceId: String
        var expiresAt: String
    }

    private func startPairing(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let now = context.time.wallNow
        let end = now.advanced(by: PairingPolicy.lifetime)
        let code = try await context.store.transaction {
            [entropy = context.entropy, sessions = context.sessions] store in
            guard try store.hasAccount(account.id) else { throw APIError.sessionInvalid }
            return try PairingPolicy.issueCode(
                .pairing,
                to: account.id.rawValue,
                expiresAt: end,
                at: now,
                entropy,
                sessions,
                in: store
            )
        }
        return try .json(200, StartResponse(pairingCode: code, expiresAt: ISO8601.text(end)))
    }

    private func exchangePairing(_ call: APICall) async throws -> HTTPResponse {
        let wanted = try call.request.decodeBody(Request.self)
        guard let code = PairingPolicy.normalized(wanted.pairingCode) else {
            throw APIError.invalidField(
                "pairingCode",
                expected: "six letters and digits as the other device shows them"
            )
        }
        let platform = try Self.platform(wanted.platform)
        let name = try Self.deviceName(wanted.deviceName)
        try takeAttempt(call.peer)
        let device = Session.Device(publicID: context.entropy.uuidString(), platform: platform, name: name)
        guard let session = try await withRightCode(call.peer, { try await exchange(code, for: device) }) else {
            throw APIError.pairingCodeUnknown
        }
        let answer = Response(
            token: session.token,
            refreshToken: session.refreshToken,
            deviceId: device.publicID,
            expiresAt: ISO8601.text(session.expiresAt)
        )
        return try .json(201, answer)
    }

    /// Lets a network try only so many codes, whatever they are for.
    ///
    /// - Throws: `APIError.tooManyAttempts`.
    func takeAttempt(_ peer: HTTPPeer) throws(APIError) {
        let now = context.time.monotonicNow
        if let pause = pairingAttempts.take(peer.network, at: now) { throw .tooManyAttempts(retryAfter: pause) }
        guard let pause = pairingAttemptsOfSites.take(peer.site, at: now) else { return }
        pairingAttempts.giveBack(peer.network)
        throw .tooManyAttempts(retryAfter: pause)
    }

    /// Gives the attempt back unless the code was wrong, for which `body` returns nil: what else it throws lies not with the code.
    func withRightCode<Value>(_ peer: HTTPPeer, _ body: () async throws -> Value?) async throws -> Value? {
        let value: Value?
        do { value = try await body() } catch let error as APIError {
            giveBackAttempt(peer)
            throw error
        }
        if value != nil { giveBackAttempt(peer) }
        return value
    }

    private func giveBackAttempt(_ peer: HTTPPeer) {
        pairingAttempts.giveBack(peer.network)
        pairingAttemptsOfSites.giveBack(peer.site)
    }

    /// Nil for a code that nobody has. The miss is kept, so this is no error inside the transaction.
    private func exchange(_ code: String, for device: Session.Device) async throws -> IssuedSession? {
        let now = context.time.wallNow
        let limit = context.configuration.deviceLimit
        let (session, account) = try await context.store.transaction { [sessions = context.sessions] store in
            let codes = try store.liveCodes(.pairing, at: now)
            let owner = PairingPolicy.match(sessions.digest(code), among: codes)
            guard let owner, let account = try store.account(AccountID(rawValue: owner)) else {
                try store.noteMiss(.pairing, at: now)
                return (IssuedSession?.none, AccountID?.none)
            }
            guard try store.devices(of: account.id).count < limit else {
                throw APIError.deviceLimitReached(limit: limit)
            }
            try store.deleteCode(.pairing, of: owner)
            return (try sessions.open(for: account, on: device, in: store, at: now), account.id)
        }
        if let account {
            context.log.write(.devicePaired, [("account.id", .number(account.rawValue))])
        } else {
            context.log.write(.pairingRefused)
        }
        return session
    }

    /// - Throws: `APIError.invalidField`.
    static func platform(_ text: String) throws(APIError) -> String {
        guard text == "ios" || text == "macos" else {
            throw .invalidField("platform", expected: "\"ios\" or \"macos\"")
        }
        return text
    }

    /// - Throws: `APIError.invalidField`.
    static func deviceName(_ text: String?) throws(APIError) -> String? {
        guard let text else { return nil }
        guard (1...64).contains(text.unicodeScalars.count), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .invalidField("deviceName", expected: "1 to 64 characters without control characters")
        }
        return text
    }
}

extension RouteDescription {
    /// A name without control characters.
    static let deviceName = APISchema.matching(#"[^\u0000-\u001F\u007F]*"#, length: 1...64)

    /// The answer that shows a code, under that name.
    static func shownCode(_ status: Int, _ name: String, _ summary: String) -> Response {
        .json(
            status,
            "The code.",
            .object([
                .required(
                    name,
                    .matching(PairingPolicy.pattern, length: PairingPolicy.length...PairingPolicy.length),
                    summary
                ),
                .required("expiresAt", .instant, "When it ends."),
            ])
        )
    }

    fileprivate static let startPairing = RouteDescription(
        "startPairing",
        "Shows a code with which another device of the person can join. An earlier code ends.",
        answers: [shownCode(200, "pairingCode", "Six letters and digits, for five minutes and one use.")],
        examples: [
            Example(
                "code",
                "A signed-in device shows a code.",
                answer: ["pairingCode": "K7M2QX", "expiresAt": "2026-03-02T09:05:00.000Z"]
            )
        ]
    )

    fileprivate static let exchangePairing = RouteDescription(
        "exchangePairing",
        "Signs a device in with the code that another device of the person shows.",
        body: .object([
            .required(
                "pairingCode",
                .matching(PairingPolicy.typedPattern, length: PairingPolicy.length...PairingPolicy.typedLimitBytes),
                "In any letter case; spaces and hyphens do not count."
            ),
            .required("platform", .word(["ios", "macos"]), "What the device is."),
            .optional("deviceName", deviceName, "What the person calls it."),
        ]),
        answers: [
            .json(
                201,
                "The device is signed in.",
                .object([
                    .required("token", .opaque, "The session, to be sent as `Authorization: Bearer`."),
                    .required("refreshToken", .opaque, "The refresh token for next time."),
                    .required("deviceId", .id, "The device's id."),
                    .required("expiresAt", .instant, "When `token` ends."),
                ])
            )
        ],
        errors: [
            .pairingCodeUnknown, .tooManyAttempts(retryAfter: .seconds(60)),
            .deviceLimitReached(limit: NotifierConfiguration().deviceLimit),
        ],
        examples: [
            Example(
                "laptop",
                "A laptop joins.",
                after: ["startPairing"],
                body: ["pairingCode": "K7M2QX", "platform": "macos", "deviceName": "MacBook Pro"],
                status: 201,
                answer: [
                    "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.ZGV2aWNlIHNpZ25hdHVyZQ",
                    "refreshToken": "drt_ZGV2aWNlIHJlZnJlc2ggdG9rZW4gb2YgMzIgYnl0ZXMu",
                    "deviceId": "550e8400-e29b-41d4-a716-446655440003",
                    "expiresAt": "2026-03-09T09:00:00.000Z",
                ]
            ),
            Example(
                "wrong-code",
                "A code that nobody has.",
                body: ["pairingCode": "222222", "platform": "ios"],
                status: 404,
                answer: [
                    "code": "pairing_code_unknown",
                    "message": "This pairing code is not valid any more.",
                    "hint": "Show a new code on the other device: it lives for five minutes and can be used once.",
                ]
            ),
        ]
    )
}
