import Configuration
import HTTP
import JSON
import Platform

/// `GET`, `POST /watch` and `DELETE /watch/:id`: the watch list.
extension RESTAPI {
    static let watchRoutes = [
        APIRoute(.get, "/watch", .listWatches) { try await $0.listWatches($1) },
        APIRoute(.post, "/watch", asksGitLab: true, .addWatch) { try await $0.addWatch($1) },
        APIRoute(.delete, "/watch/{id}", asksGitLab: true, .removeWatch) { try await $0.removeWatch($1) },
    ]

    private struct Request: Decodable {
        var itemIid: WholeNumber
        var itemType: String
        var projectId: WholeNumber
        var changedAt: String?
    }

    private struct Response: Encodable {
        var watchedItemId: String?
        var watching: Bool
        /// Whether the request made the entry.
        var isNew = false

        enum CodingKeys: CodingKey { case watchedItemId, watching }
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

    private func addWatch(_ call: APICall) async throws -> HTTPResponse {
        let request = try call.request.decodeBody(Request.self)
        let changedAt = try ChangeTime.read(request.changedAt, at: context.time.wallNow)
        let saidAt = try ChangeTime.said(request.changedAt)
        return try await watch(Self.item(request), by: call.known, call.stamp(changedAt), saidAt: saidAt)
    }

    /// Watches an item from now on: what is there already is recorded as seen before the answer, in one transaction with the entry.
    /// An item that is watched already answers 200 and asks nothing of GitLab, and so does a choice that another device's
    /// later one has overtaken: that one stands, and the answer tells it. `saidAt` is when it was chosen by the device's clock, if it said so.
    func watch(
        _ item: ItemReference,
        by caller: APICall.Caller,
        _ stamp: ChangeStamp,
        saidAt: WallTime?
    ) async throws -> HTTPResponse {
        let account = caller.account
        let known = try await choose(caller) { [context] store in
            try Self.settled(item, account, stamp, context, in: store)
        }
        if let known { return try .json(200, known) }
        let (details, baseline) = try await read(item, account, saidAt: saidAt)
        let answer = try await store(item, details, baseline, caller, stamp)
        context.polling.accountChanged(account.id)
        if answer.isNew, let id = answer.watchedItemId {
            context.log.write(.watchAdded, [("account.id", .number(account.id.rawValue)), ("watch.id", .text(id))])
            await mirror(isSubscribed: true, item, account)
        }
        return try .json(answer.isNew ? 201 : 200, answer)
    }

    /// The answer when nothing has to be read for it; nil when an entry may be made.
    private static func settled(
        _ item: ItemReference,
        _ account: Account,
        _ stamp: ChangeStamp,
        _ context: APIContext,
        in store: Store
    ) throws -> Response? {
        let known = try store.watch(item, of: account.id)
        guard try store.isLast(stamp, on: item, of: account.id) else {
            return Response(watchedItemId: known?.publicID, watching: known != nil)
        }
        if let known {
            let choice = ItemChoice(choice: .watched, stamp)
            try store.setChoice(choice, on: item, known.description, of: account.id, at: context.time.wallNow)
            return Response(watchedItemId: known.publicID, watching: true)
        }
        let limit = context.configuration.watchLimit
        guard try store.watchCount(of: account.id) < limit else { throw APIError.watchLimitReached(limit: limit) }
        return nil
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
                missingSince: watch.missingSince.map(ISO8601.text),
                createdAt: ISO8601.text(watch.createdAt),
                mutedUntil: watch.mutedUntil.flatMap { now < $0 ? ISO8601.text($0) : nil },
                watchSource: watch.origin.rawValue
            )
        }
        return try .json(200, List(items: entries))
    }

    /// Another person's entry is as unknown as one that does not exist. Query: `changedAt`. An unwatch that a later watch has
    /// overtaken changes nothing.
    private func removeWatch(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let publicID = call.parameter("id")
        let now = context.time.wallNow
        let changedAt = try ChangeTime.read(call.request.parameter("changedAt"), at: now)
        let stamp = try call.stamp(changedAt)
        let removed = try await choose(call.known) { store -> ItemReference? in
            guard let watch = try store.watch(publicID: publicID, of: account.id) else { throw APIError.watchNotFound }
            guard try store.isLast(stamp, on: watch.item, of: account.id) else {
                try store.noteEnd(of: watch.item, for: account.id, stamp)
                return nil
            }
            let choice = ItemChoice(choice: .unwatched, stamp)
            try store.setChoice(choice, on: watch.item, watch.description, of: account.id, at: now)
            return try store.deleteWatch(watch.item, of: account.id) ? watch.item : nil
        }
        guard let removed else { return try .json(200, Response(watchedItemId: publicID, watching: true)) }
        context.polling.accountChanged(account.id)
        context.log.write(.watchRemoved, [("account.id", .number(account.id.rawValue)), ("watch.id", .text(publicID))])
        await mirror(isSubscribed: false, removed, account)
        return HTTPResponse(status: 204)
    }

    /// Reads an item, and what there is of it already. What a limit leaves of it is there for who asks again, by the choice of the same instant. That
    /// is the device's: each attempt of one whose clock is ahead counts as a choice of now.
    ///
    /// - Throws: `APIError` when GitLab does not show it, or cannot be asked.
    func read(
        _ item: ItemReference,
        _ account: Account,
        saidAt: WallTime?
    ) async throws -> (ItemDetails, ItemBaseline) {
        let client = try await context.client(for: account, expecting: 1 + BaselineReader.leastRequests)
        let choice = saidAt.map { instant in
            BegunWatches.Choice(
                account: account.id,
                gitlabUserID: account.gitlabUserID,
                item: item,
                saidAt: instant
            )
        }
        var progress = BaselineProgress()
        if let choice { progress = context.begunWatches.take(choice, at: context.time.monotonicNow) }
        do throws(GitLabError) {
            let details: ItemDetails
            if let known = progress.details { details = known } else { details = try await client.item(item) }
            progress.details = details
            return (details, try await context.baseline(item, by: client, goingOnWith: &progress))
        } catch {
            if error.isHeldBack, let choice {
                context.begunWatches.keep(progress, for: choice, at: context.time.monotonicNow)
            }
            throw APIError(error, notFound: .itemNotFound)
        }
    }

    /// Watches an item whose baseline has been read, from now on; returns the entry's id, nil when a later choice stands against
    /// it.
    ///
    /// - Throws: `APIError.watchLimitReached`, or `sessionInvalid` when the account is gone.
    func keep(
        _ item: ItemReference,
        _ details: ItemDetails,
        _ baseline: ItemBaseline,
        _ caller: APICall.Caller
    ) async throws -> String? {
        let stamp = ChangeStamp(at: context.time.wallNow)
        let answer = try await store(item, details, baseline, caller, stamp)
        return answer.watching ? answer.watchedItemId : nil
    }

    private func store(
        _ item: ItemReference,
        _ details: ItemDetails,
        _ baseline: ItemBaseline,
        _ caller: APICall.Caller,
        _ stamp: ChangeStamp
    ) async throws -> Response {
        let account = caller.account
        let now = context.time.wallNow
        let description = WatchDescription(details)
        return try await choose(caller) { [context] store in
            guard try store.account(account.id) != nil else { throw APIError.sessionInvalid }
            if let known = try Self.settled(item, account, stamp, context, in: store) { return known }
            let publicID = context.entropy.uuidString()
            let watch = try store.insertWatch(publicID: publicID, item, description, of: account.id, at: now)
            try store.storeBaseline(baseline, of: watch, at: now)
            let choice = ItemChoice(choice: .watched, stamp)
            try store.setChoice(choice, on: item, description, of: account.id, at: now)
            return Response(watchedItemId: publicID, watching: true, isNew: true)
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
            .optional("changedAt", .instant, "When the person chose it, if earlier than now: the last choice wins."),
        ]),
        answers: [
            .json(201, "It is watched.", watched), .json(200, "What holds, when nothing had to change.", watched),
        ],
        errors: [.itemNotFound, .gitLabNotFound, .watchLimitReached(limit: NotifierConfiguration().watchLimit)],
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

    /// What holds after a request to watch or unwatch.
    static let watched = APISchema.object([
        .optional("watchedItemId", .id, "The entry's id; absent when the item is not watched."),
        .required("watching", .boolean, "False when a later choice of another device stands."),
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

    private static let watch = APISchema.object(
        [
            .required("watchedItemId", .id, "The entry's id."),
            .required("itemIid", .number(), "The item's number in its project."),
            .required("itemType", .word(["issue", "merge_request"]), "What the item is."),
            .required("projectId", .number(), "The item's project."),
        ] + watchProperties
    )

    /// What the watch list tells of an entry beside its id and its item.
    static let watchProperties: [APISchema.Property] = [
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
    ]

    fileprivate static let removeWatch = RouteDescription(
        "removeWatch",
        "Ends a watch.",
        parameters: [
            .path("id", .id, "The entry's id."),
            .query("changedAt", .instant, "When the person chose it, if earlier than now: the last choice wins."),
        ],
        answers: [
            .empty("It is not watched any more."),
            .json(200, "Another device's later choice to watch it stands.", watched),
        ],
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
