import HTTP
import JSON
import Platform

/// `POST /auth/refresh` and `POST /auth/revoke-all`: how sessions go on and end.
extension RESTAPI {
    static let refreshRoutes = [
        APIRoute(.post, "/auth/refresh", access: .open, .refresh) { try await $0.refresh($1) },
        APIRoute(.post, "/auth/revoke-all", .revokeAll) { try await $0.revokeAll($1) },
    ]

    private struct Request: Decodable {
        var refreshToken: String
    }

    private struct Response: Encodable {
        var token: String
        var refreshToken: String
        var expiresAt: String
    }

    /// Opens a session that belongs to no device yet.
    func openSession(for account: Account) async throws -> IssuedSession {
        let now = context.time.wallNow
        return try await context.store.transaction { [sessions = context.sessions] store in
            try sessions.open(for: account, in: store, at: now)
        }
    }

    private func refresh(_ call: APICall) async throws -> HTTPResponse {
        let text = try call.request.decodeBody(Request.self).refreshToken
        guard (1...256).contains(text.unicodeScalars.count) else {
            throw APIError.invalidField("refreshToken", expected: "a refresh token such as drt_…")
        }
        let now = context.time.wallNow
        let outcome = try await context.store.transaction { [sessions = context.sessions] store in
            try Self.refresh(text, sessions, in: store, at: now)
        }
        switch outcome {
        case .given(let session):
            return try .json(
                200,
                Response(
                    token: session.token,
                    refreshToken: session.refreshToken,
                    expiresAt: ISO8601.text(session.expiresAt)
                )
            )
        case .refused: throw APIError.refreshTokenInvalid
        case .ended(let account):
            context.log.write(.refreshTokenReused, [("account.id", .number(account.rawValue))])
            throw APIError.refreshTokenReused
        }
    }

    private enum Outcome: Sendable {
        case given(IssuedSession)
        case refused
        /// What the transaction did is kept, so this is no error inside it.
        case ended(AccountID)
    }

    private static func refresh(_ text: String, _ sessions: SessionIssuer, in store: Store, at now: WallTime) throws
        -> Outcome
    {
        guard let token = try store.refreshToken(sessions.digest(text)),
            let session = try store.session(token.session), let account = try store.account(session.account)
        else { return .refused }
        switch RefreshPolicy.decide(token, at: now) {
        case .give(let rotation):
            return .given(try sessions.rotate(session, to: rotation, from: text, of: account, in: store, at: now))
        case .giveAgain:
            let given = token.newestGivenAt
            let again = try sessions.repeated(session, from: text, givenAt: given, of: account, in: store, at: now)
            if let again { return .given(again) }
            // Its pair was made in another way, by a program before this one.
            guard !token.isNewestConfirmed else { return try end(session, in: store) }
            let newest = token.newestRotation
            return .given(try sessions.rotate(session, to: newest, from: text, of: account, in: store, at: now))
        case .refuse: return .refused
        case .endSession: return try end(session, in: store)
        }
    }

    private static func end(_ session: Session, in store: Store) throws -> Outcome {
        try store.endSession(session.id)
        return .ended(session.account)
    }

    /// Ends every session, pairing code and device of the person, the asking one included. The account stays, and is polled.
    private func revokeAll(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let now = context.time.wallNow
        try await context.store.transaction { store in
            try store.endSessions(of: account.id)
            for device in try store.devices(of: account.id) {
                guard let id = try store.presentDevice(publicID: device.publicID, of: account.id) else { continue }
                try store.remove(id, at: now)
            }
        }
        context.log.write(.sessionsRevoked, [("account.id", .number(account.id.rawValue))])
        return HTTPResponse(status: 204)
    }
}

extension RouteDescription {
    fileprivate static let refresh = RouteDescription(
        "refresh",
        "Gives a session new tokens. The refresh token that was shown ends. Within ten seconds it gets the same answer again, so an"
            + " app may ask from several places at once; should the answer be lost, it may be shown again until one of the tokens"
            + " that followed was used.",
        body: .object([.required("refreshToken", .text(1...256), "The newest refresh token of the session.")]),
        answers: [
            .json(
                200,
                "New tokens.",
                .object([
                    .required("token", .opaque, "The session, to be sent as `Authorization: Bearer`."),
                    .required("refreshToken", .opaque, "The refresh token for next time."),
                    .required("expiresAt", .instant, "When `token` ends."),
                ])
            )
        ],
        errors: [.refreshTokenInvalid, .refreshTokenReused],
        examples: [
            Example(
                "in-time",
                "An app refreshes its session.",
                after: ["register"],
                body: ["refreshToken": "drt_ZXhhbXBsZSByZWZyZXNoIHRva2VuIG9mIDMyIGJ5dGVz"],
                answer: [
                    "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.bmV4dCBzaWduYXR1cmU",
                    "refreshToken": "drt_bmV4dCByZWZyZXNoIHRva2VuIHdpdGggMzIgYnl0ZXMu",
                    "expiresAt": "2026-03-09T09:00:00.000Z",
                ]
            ),
            Example(
                "made-up",
                "A token that this server never gave.",
                body: ["refreshToken": "drt_bWFkZSB1cA"],
                status: 401,
                answer: [
                    "code": "refresh_token_invalid",
                    "message": "Session expired. Please sign in again.",
                    "hint": "Sign in with POST /auth/register, or pair with another device.",
                ]
            ),
        ]
    )

    fileprivate static let revokeAll = RouteDescription(
        "revokeAll",
        "Ends every session, refresh token and device of the person, the asking one included.",
        answers: [.empty("All are ended.")],
        examples: [Example("all", "A person ends everything.", status: 204)]
    )
}
