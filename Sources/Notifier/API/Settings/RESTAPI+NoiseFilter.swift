import HTTP
import JSON
import Platform

/// `GET`, `POST /noise-filter/actors` and `DELETE /noise-filter/actors/{gitlabUserId}`: people and bots whose actions are not
/// told.
extension RESTAPI {
    static let noiseFilterRoutes = [
        APIRoute(.get, "/noise-filter/actors", .listDeniedActors) { try await $0.listDeniedActors($1) },
        APIRoute(.post, "/noise-filter/actors", .denyActor) { try await $0.denyActor($1) },
        APIRoute(.delete, "/noise-filter/actors/{gitlabUserId}", .allowActor) {
            try await $0.allowActor($1)
        },
    ]

    private struct Request: Decodable {
        var gitlabUserId: WholeNumber
        var displayName: String?
        var reason: String?
        var changedAt: String?
    }

    private struct List: Encodable {
        struct Entry: Encodable {
            var gitlabUserId: Int64
            var displayName: String?
            var reason: String?
        }

        var deniedActors: [Entry]
    }

    private struct Response: Encodable {
        var success = true
    }

    static let deniedActorLimit = 500
    static let textLimit = 200

    private func listDeniedActors(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let actors = try await context.store.read { try $0.deniedActors(of: account.id) }
        let entries = actors.map {
            List.Entry(gitlabUserId: $0.gitlabUserID, displayName: $0.displayName, reason: $0.reason)
        }
        return try .json(200, List(deniedActors: entries))
    }

    /// Somebody on the list already gets the new name and reason.
    private func denyActor(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let request = try call.request.decodeBody(Request.self)
        let actor = try Self.actor(request)
        let stamp = try call.stamp(ChangeTime.read(request.changedAt, at: context.time.wallNow))
        let limit = Self.deniedActorLimit
        let isDenied = try await choose(call.known) { store in
            let known = try store.deniedActors(of: account.id)
            guard known.count < limit || known.contains(where: { $0.gitlabUserID == actor.gitlabUserID }) else {
                throw APIError.deniedActorLimitReached(limit: limit)
            }
            return try store.denyActor(actor, of: account.id, at: stamp.at, by: stamp.by)
        }
        if isDenied { log(.actorDenied, actor.gitlabUserID, account) }
        return try .json(200, Response())
    }

    private func allowActor(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        guard let number = WholeNumber.read(call.parameter("gitlabUserId")), number > 0 else {
            throw APIError.deniedActorNotFound
        }
        let changedAt = try ChangeTime.read(call.request.parameter("changedAt"), at: context.time.wallNow)
        let stamp = try call.stamp(changedAt)
        // Nil for somebody who is not on the list.
        let isAllowed = try await choose(call.known) { store -> Bool? in
            // Somebody who never was on the list leaves no trace, or strangers' numbers would fill the database.
            guard try store.isDenied(number, of: account.id) else { return nil }
            return try store.allowActor(number, of: account.id, at: stamp.at, by: stamp.by)
        }
        guard let isAllowed else { throw APIError.deniedActorNotFound }
        if isAllowed { log(.actorAllowed, number, account) }
        return try .json(200, Response())
    }

    private func log(_ message: LogMessage, _ actor: Int64, _ account: Account) {
        context.log.write(message, [("account.id", .number(account.id.rawValue)), ("actor.id", .number(actor))])
    }

    private static func actor(_ request: Request) throws(APIError) -> DeniedActor {
        guard request.gitlabUserId.value > 0 else { throw .invalidField("gitlabUserId", expected: "a positive number") }
        return DeniedActor(
            gitlabUserID: request.gitlabUserId.value,
            displayName: try text(request.displayName, "displayName"),
            reason: try text(request.reason, "reason")
        )
    }

    private static func text(_ text: String?, _ field: String) throws(APIError) -> String? {
        guard text.map({ $0.unicodeScalars.count <= textLimit }) != false else {
            throw .invalidField(field, expected: "at most \(textLimit) characters long")
        }
        return text
    }
}

extension RouteDescription {
    private static let actor: [APISchema.Property] = [
        .required("gitlabUserId", .number(1...Int64.max), "GitLab's number of the person or bot."),
        .optional("displayName", .text(0...RESTAPI.textLimit), "What the app calls them."),
        .optional("reason", .text(0...RESTAPI.textLimit), "The person's own note."),
    ]
    private static let changedAt = APISchema.Property.optional(
        "changedAt",
        .instant,
        "When the person chose it, if earlier than now: the last choice wins."
    )
    private static let success = APISchema.object([.required("success", .boolean, "Always true.")])

    fileprivate static let listDeniedActors = RouteDescription(
        "listDeniedActors",
        "Lists the people whose actions are not notified.",
        answers: [
            .json(
                200,
                "The deny-list.",
                .object([.required("deniedActors", .list(.object(actor)), "By number, the lowest first.")])
            )
        ],
        examples: [
            Example(
                "one-bot",
                "A person who does not listen to one bot.",
                after: ["denyActor"],
                answer: ["deniedActors": [["gitlabUserId": 123, "displayName": "CI Bot", "reason": "CI bot"]]]
            )
        ]
    )

    fileprivate static let denyActor = RouteDescription(
        "denyActor",
        "Puts somebody on the deny-list: nothing they do is notified, whatever it is about.",
        body: .object(actor + [changedAt]),
        answers: [.json(200, "They are on the list, or another device's later choice stands.", success)],
        errors: [.deniedActorLimitReached(limit: RESTAPI.deniedActorLimit)],
        examples: [
            Example(
                "bot",
                "A person silences a bot.",
                body: ["gitlabUserId": 123, "displayName": "CI Bot", "reason": "CI bot"],
                answer: ["success": true]
            )
        ]
    )

    fileprivate static let allowActor = RouteDescription(
        "allowActor",
        "Takes somebody off the deny-list.",
        parameters: [
            .path("gitlabUserId", .number(1...Int64.max), "GitLab's number of the person or bot."),
            .query("changedAt", .instant, "When the person chose it, if earlier than now: the last choice wins."),
        ],
        answers: [.json(200, "They are heard again, or another device's later choice stands.", success)],
        errors: [.deniedActorNotFound],
        examples: [
            Example(
                "bot",
                "A person listens to a bot again.",
                after: ["denyActor"],
                parameters: ["gitlabUserId": "123"],
                answer: ["success": true]
            )
        ]
    )
}
