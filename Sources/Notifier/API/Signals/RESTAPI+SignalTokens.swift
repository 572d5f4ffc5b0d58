import Crypto
import HTTP
import JSON
import Platform

/// `/signals/tokens`: which programs may tell or ask a person something, and which are not heard for a while.
extension RESTAPI {
    static let signalTokenRoutes = [
        APIRoute(.get, "/signals/tokens", .listSignalTokens) { try await $0.listSignalTokens($1) },
        APIRoute(.post, "/signals/tokens", .makeSignalToken) { try await $0.makeSignalToken($1) },
        APIRoute(.delete, "/signals/tokens/{id}", .revokeSignalToken) { try await $0.revokeSignalToken($1) },
        APIRoute(.post, "/signals/tokens/{id}/mute", .muteSignals) { try await $0.muteSignals($1) },
        APIRoute(.delete, "/signals/tokens/{id}/mute", .unmuteSignals) { try await $0.unmuteSignals($1) },
    ]

    private struct Entry: Encodable {
        var tokenId: String
        var name: String
        var subject: String
        var createdAt: String
        var lastUsedAt: String?
        var mutedUntil: String?

        init(_ token: SignalToken, at now: WallTime) {
            (tokenId, name, subject) = (token.publicID, token.name, token.subject)
            createdAt = ISO8601.text(token.createdAt)
            lastUsedAt = token.lastUsedAt.map(ISO8601.text)
            mutedUntil = token.mutedUntil.flatMap { now < $0 ? ISO8601.text($0) : nil }
        }
    }

    private struct List: Encodable {
        var tokens: [Entry]
    }

    private func listSignalTokens(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        let now = context.time.wallNow
        let tokens = try await context.store.read { try $0.signalTokens(of: account) }
        return try .json(200, List(tokens: tokens.map { Entry($0, at: now) }))
    }

    private struct Request: Decodable {
        var name: String
    }

    private struct Made: Encodable {
        var tokenId: String
        var name: String
        var subject: String
        var createdAt: String
        /// Shown this once.
        var token: String
    }

    private static let prefix = "sgt_"

    private func makeSignalToken(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        let name = try call.request.decodeBody(Request.self).name
        guard SignalInput.isLine(name, SignalInput.nameCharacters) else {
            throw APIError.invalidField("name", expected: "1 to 64 characters without control characters")
        }
        let secret = Self.prefix + Base64URL.encode(context.entropy.bytes(count: 32))
        let (publicID, now) = (context.entropy.uuidString(), context.time.wallNow)
        let token = try await context.store.transaction { [entropy = context.entropy] store in
            guard try store.hasAccount(account) else { throw APIError.sessionInvalid }
            guard try store.signalTokens(of: account).count < SignalPolicy.tokenLimit else {
                throw APIError.signalTokenLimitReached(limit: SignalPolicy.tokenLimit)
            }
            var id = SignalTokenID(rawValue: Int64(entropy.next(below: 1 << 31)) + 1)
            while try store.hasSignalToken(id) {
                id = SignalTokenID(rawValue: Int64(entropy.next(below: 1 << 31)) + 1)
            }
            let token = SignalToken(id: id, publicID: publicID, account: account, name: name, createdAt: now)
            try store.insertSignalToken(token, digest: Self.digest(ofSignalToken: secret))
            return token
        }
        write(.signalTokenMade, token)
        let answer = Made(
            tokenId: publicID,
            name: name,
            subject: token.subject,
            createdAt: ISO8601.text(now),
            token: secret
        )
        return try .json(201, answer)
    }

    private func revokeSignalToken(_ call: APICall) async throws -> HTTPResponse {
        let now = context.time.wallNow
        let token = try await change(call) { try $0.revoke($1, at: now) }
        write(.signalTokenRevoked, token)
        return HTTPResponse(status: 204)
    }

    // MARK: Muting

    /// No device makes it offline, so it says nothing of when it was chosen.
    private struct SignalMuteRequest: Decodable {
        var until: String?
        var minutes: WholeNumber?
    }

    private func muteSignals(_ call: APICall) async throws -> HTTPResponse {
        let request = try call.request.decodeBody(SignalMuteRequest.self)
        let now = context.time.wallNow
        let end = try Self.muteEnd(until: request.until, minutes: request.minutes, at: now)
        let token = try await change(call) { try $0.mute($1, until: end, at: now) }
        write(.signalsMuted, token)
        return try .json(200, MuteResponse(end: end, at: now))
    }

    private func unmuteSignals(_ call: APICall) async throws -> HTTPResponse {
        let now = context.time.wallNow
        let token = try await change(call) { try $0.mute($1, until: nil, at: now) }
        write(.signalsUnmuted, token)
        return try .json(200, MuteResponse(end: nil, at: now))
    }

    /// Changes one of the person's tokens.
    ///
    /// - Throws: `APIError.signalTokenNotFound`, also for another person's.
    private func change(
        _ call: APICall,
        _ body: @escaping @Sendable (Store, SignalToken) throws -> Void
    ) async throws -> SignalToken {
        let account = try call.account.id
        let publicID = call.parameter("id")
        return try await context.store.transaction { store in
            guard let token = try store.signalToken(publicID: publicID, of: account) else {
                throw APIError.signalTokenNotFound
            }
            try body(store, token)
            return token
        }
    }

    private func write(_ message: LogMessage, _ token: SignalToken) {
        context.log.write(
            message,
            [("account.id", .number(token.account.rawValue)), ("signal.token", .text(token.publicID))]
        )
    }
}

extension RouteDescription {
    private static let name = APISchema.matching(SignalInput.linePattern, length: SignalInput.nameCharacters)

    private static let entry: [APISchema.Property] = [
        .required("tokenId", .id, "The token's id, which is not the token."),
        .required("name", .text(SignalInput.nameCharacters), "What the person calls the program."),
        .required(
            "subject",
            .matching("signal/[0-9]+", length: 8...32),
            "What its notifications are about, as `GET /notifications` names it; a slash and the run follow where it names one."
        ),
        .required("createdAt", .instant, "When it was made."),
    ]

    fileprivate static let listSignalTokens = RouteDescription(
        "listSignalTokens",
        "Lists the programs that may send the person signals, the first first.",
        answers: [
            .json(
                200,
                "The programs; the tokens themselves are not kept.",
                .object([
                    .required(
                        "tokens",
                        .list(
                            .object(
                                entry + [
                                    .optional(
                                        "lastUsedAt",
                                        .instant,
                                        "When the program said something new last; absent before it did."
                                    ),
                                    .optional(
                                        "mutedUntil",
                                        .instant,
                                        "Until when it is not heard; absent when it is."
                                    ),
                                ]
                            ),
                            count: 0...SignalPolicy.tokenLimit
                        ),
                        "One each."
                    )
                ])
            )
        ],
        examples: [
            Example(
                "one",
                "A person let one program in.",
                after: ["makeSignalToken"],
                answer: [
                    "tokens": [
                        [
                            "tokenId": "550e8400-e29b-41d4-a716-446655440016", "name": "agent on the build server",
                            "subject": "signal/1839201123", "createdAt": "2026-03-02T09:00:00.000Z",
                        ]
                    ]
                ]
            )
        ]
    )

    fileprivate static let makeSignalToken = RouteDescription(
        "makeSignalToken",
        "Makes a token with which a program may send the person signals, and do nothing else.",
        body: .object([.required("name", name, "What the person calls the program; it stands in its notifications.")]),
        answers: [
            .json(
                201,
                "The token, shown this once.",
                .object(
                    entry + [
                        .required(
                            "token",
                            .opaque,
                            "To be sent by the program as `Authorization: Bearer`; it does not end by itself."
                        )
                    ]
                )
            )
        ],
        errors: [.signalTokenLimitReached(limit: SignalPolicy.tokenLimit)],
        examples: [
            Example(
                "agent",
                "A person lets an agent ask for approvals.",
                body: ["name": "agent on the build server"],
                status: 201,
                answer: [
                    "tokenId": "550e8400-e29b-41d4-a716-446655440016", "name": "agent on the build server",
                    "subject": "signal/1839201123", "createdAt": "2026-03-02T09:00:00.000Z",
                    "token": "sgt_c2lnbmFsIHRva2VuIG9mIDMyIHJhbmRvbSBieXRlcy4",
                ]
            )
        ]
    )

    fileprivate static let revokeSignalToken = RouteDescription(
        "revokeSignalToken",
        "Takes a program's token back: it is heard no more, and what it asked is over.",
        parameters: [.path("id", .id, "The token's id.")],
        answers: [.empty("It is valid no more.")],
        errors: [.signalTokenNotFound],
        examples: [
            Example(
                "agent",
                "The agent is gone.",
                after: ["makeSignalToken"],
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440016"],
                status: 204
            )
        ]
    )

    private static let muted = APISchema.object([
        .optional("mutedUntil", .instant, "Until when it is not heard; absent when it is.")
    ])

    fileprivate static let muteSignals = RouteDescription(
        "muteSignals",
        "Keeps a program silent until an instant; what it asked is over, and what it says meanwhile does not come later.",
        parameters: [.path("id", .id, "The token's id.")],
        body: endOrLength(and: []),
        answers: [.json(200, "What holds now.", muted)],
        errors: [.signalTokenNotFound],
        examples: [
            Example(
                "half-an-hour",
                "A person wants to hear nothing of an agent for half an hour.",
                after: ["makeSignalToken"],
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440016"],
                body: ["minutes": 30],
                answer: ["mutedUntil": "2026-03-02T09:30:00.000Z"]
            )
        ]
    )

    fileprivate static let unmuteSignals = RouteDescription(
        "unmuteSignals",
        "Lets a program that is muted speak again.",
        parameters: [.path("id", .id, "The token's id.")],
        answers: [.json(200, "What holds now.", muted)],
        errors: [.signalTokenNotFound],
        examples: [
            Example(
                "muted",
                "A person ends a mute early.",
                after: ["muteSignals"],
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440016"],
                answer: [:]
            )
        ]
    )
}
