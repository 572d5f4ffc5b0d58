import HTTP
import Platform

/// `GET`, `POST /watch` and `DELETE /watch/:id`: the watch list.
extension RESTAPI {
    static let watchRoutes = [
        APIRoute(.get, "/watch", .listWatches) { try await $0.listWatches($1) },
        APIRoute(.post, "/watch", asksGitLab: true, .addWatch) { try await $0.addWatch($1) },
        APIRoute(.delete, "/watch/{id}", .removeWatch) { try await $0.removeWatch($1) },
    ]

    private struct Request: Decodable {
        var itemIid: WholeNumber
        var itemType: String
        var projectId: WholeNumber
    }

    private struct Answer: Encodable {
        var watchedItemId: String
        var watching = true
    }

    private struct List: Encodable {
        struct Entry: Encodable {
            var watchedItemId: String
            var itemIid: Int64
            var itemType: String
            var projectId: Int64
            var title: String
            var projectPath: String?
            var webUrl: String?
            var missingSince: String?
            var createdAt: String
            /// Absent when the item is not muted.
            var mutedUntil: String?
            var watchSource: String
        }

        var items: [Entry]
    }

    /// Watches an item from now on: what is there already is recorded as seen before the answer, in one transaction with the entry.
    /// An item that is watched already answers 200 and asks nothing of GitLab.
    private func addWatch(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let item = try Self.item(call.request.decodeBody(Request.self))
        let limit = context.configuration.watchLimit
        let known = try await context.store.read { store in
            let known = try store.watch(item, of: account.id)
            guard try known != nil || store.watchCount(of: account.id) < limit else {
                throw APIError.watchLimitReached(limit: limit)
            }
            return known
        }
        if let known { return try .json(200, Answer(watchedItemId: known.publicID)) }
        let (details, baseline) = try await read(item, account)
        let (publicID, isNew) = try await store(item, details, baseline, account)
        context.polling.accountChanged(account.id, requestsMade: 1 + baseline.requests)
        context.log.write(.watchAdded, [("account.id", .number(account.id.rawValue)), ("watch.id", .text(publicID))])
        return try .json(isNew ? 201 : 200, Answer(watchedItemId: publicID))
    }

    private func listWatches(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let watches = try await context.store.read { try $0.watches(of: account.id) }
        let now = context.time.wallNow
        let entries = watches.map { watch in
            List.Entry(
                watchedItemId: watch.publicID,
                itemIid: watch.item.iid,
                itemType: watch.item.kind.rawValue,
                projectId: watch.item.project.rawValue,
                title: watch.description.title,
                projectPath: watch.description.projectPath,
                webUrl: watch.description.webURL,
                missingSince: watch.missingSince.map(APITime.text),
                createdAt: APITime.text(watch.createdAt),
                mutedUntil: watch.mutedUntil.flatMap { now < $0 ? APITime.text($0) : nil },
                watchSource: watch.origin.rawValue
            )
        }
        return try .json(200, List(items: entries))
    }

    /// Another person's entry is as unknown as one that does not exist.
    private func removeWatch(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let publicID = call.parameter("id")
        let isRemoved = try await context.store.transaction { store in
            try store.deleteWatch(publicID: publicID, of: account.id)
        }
        guard isRemoved else { throw APIError.watchNotFound }
        context.polling.accountChanged(account.id)
        context.log.write(.watchRemoved, [("account.id", .number(account.id.rawValue)), ("watch.id", .text(publicID))])
        return HTTPResponse(status: 204)
    }

    private func read(_ item: ItemReference, _ account: Account) async throws -> (ItemDetails, ItemBaseline) {
        let client = try await context.client(for: account)
        do {
            let details = try await client.item(item)
            return (details, try await BaselineReader(client: client).itemBaseline(item))
        } catch {
            throw APIError(error, notFound: .itemNotFound)
        }
    }

    private func store(
        _ item: ItemReference,
        _ details: ItemDetails,
        _ baseline: ItemBaseline,
        _ account: Account
    ) async throws -> (publicID: String, isNew: Bool) {
        let now = context.time.wallNow
        let limit = context.configuration.watchLimit
        let description = WatchDescription(
            title: details.title,
            projectPath: details.projectPath,
            webURL: details.webURL
        )
        return try await context.store.transaction { [entropy = context.entropy] store in
            if let known = try store.watch(item, of: account.id) { return (known.publicID, false) }
            guard try store.account(account.id) != nil else { throw APIError.sessionInvalid }
            guard try store.watchCount(of: account.id) < limit else { throw APIError.watchLimitReached(limit: limit) }
            let publicID = entropy.uuidString()
            let watch = try store.insertWatch(publicID: publicID, item, description, of: account.id, at: now)
            try store.storeBaseline(baseline, of: watch, at: now)
            return (publicID, true)
        }
    }

    private static func item(_ request: Request) throws(APIError) -> ItemReference {
        guard let kind = ItemKind(rawValue: request.itemType) else {
            throw .invalidField("itemType", expected: "\"issue\" or \"merge_request\"")
        }
        guard request.itemIid.value > 0 else { throw .invalidField("itemIid", expected: "a positive number") }
        guard request.projectId.value > 0 else { throw .invalidField("projectId", expected: "a positive number") }
        return ItemReference(
            project: ProjectID(rawValue: request.projectId.value),
            kind: kind,
            iid: request.itemIid.value
        )
    }
}

extension RouteDescription {
    fileprivate static let addWatch = RouteDescription(
        "addWatch",
        "Watches an item from now on.",
        body: .object([
            .required("itemIid", .number(1...Int64.max), "The number GitLab shows, such as 847 in `!847`."),
            .required("itemType", .word(["issue", "merge_request"]), "What the item is."),
            .required("projectId", .number(1...Int64.max), "The item's project."),
        ]),
        answers: [.json(201, "It is watched.", watched), .json(200, "It was watched already.", watched)],
        errors: [.itemNotFound, .watchLimitReached(limit: NotifierConfiguration().watchLimit)],
        examples: [
            Example(
                "merge-request",
                "A person watches a merge request.",
                body: ["itemIid": 847, "itemType": "merge_request", "projectId": 42],
                status: 201,
                answer: ["watchedItemId": "550e8400-e29b-41d4-a716-446655440002", "watching": true]
            ),
            Example(
                "not-there",
                "The person's token does not show the item.",
                body: ["itemIid": 5, "itemType": "issue", "projectId": 42],
                status: 404
            ),
        ]
    )

    private static let watched = APISchema.object([
        .required("watchedItemId", .id, "The entry's id."), .required("watching", .boolean, "Always true."),
    ])

    fileprivate static let listWatches = RouteDescription(
        "listWatches",
        "Lists the watch list, oldest entry first.",
        answers: [
            .json(200, "The watch list.", .object([.required("items", .list(watch), "Oldest first.")]))
        ],
        examples: [
            Example(
                "one-item",
                "A person who watches one merge request.",
                after: ["addWatch"],
                answer: [
                    "items": [
                        [
                            "watchedItemId": "550e8400-e29b-41d4-a716-446655440002",
                            "itemIid": 847,
                            "itemType": "merge_request",
                            "projectId": 42,
                            "title": "Auth refactor",
                            "projectPath": "team/backend",
                            "webUrl": "https://gitlab.example.com/team/backend/-/merge_requests/847",
                            "createdAt": "2026-03-02T09:00:00.000Z",
                            "watchSource": "manual",
                        ]
                    ]
                ]
            )
        ]
    )

    private static let watch = APISchema.object([
        .required("watchedItemId", .id, "The entry's id."),
        .required("itemIid", .number(), "The item's number in its project."),
        .required("itemType", .word(["issue", "merge_request"]), "What the item is."),
        .required("projectId", .number(), "The item's project."),
        .required("title", .text(), "The item's title."),
        .optional("projectPath", .text(), "Such as `team/backend`."),
        .optional("webUrl", .url, "Where the item stands in GitLab."),
        .optional("missingSince", .instant, "Since when GitLab does not show the item; absent while it does."),
        .required("createdAt", .instant, "Since when it is watched."),
        .optional("mutedUntil", .instant, "Until when it says nothing; absent when it is not muted."),
        .required(
            "watchSource",
            .word(["manual", "auto"]),
            "`auto` when the person was tagged there and did not ask."
        ),
    ])

    fileprivate static let removeWatch = RouteDescription(
        "removeWatch",
        "Ends a watch.",
        parameters: [.path("id", .id, "The entry's id.")],
        answers: [.empty("It is not watched any more.")],
        errors: [.watchNotFound],
        examples: [
            Example(
                "watched",
                "A person ends a watch.",
                after: ["addWatch"],
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440002"],
                status: 204
            )
        ]
    )
}
