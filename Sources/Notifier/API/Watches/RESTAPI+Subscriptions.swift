import HTTP
import Platform

/// `POST /watch/import` and `POST /watch/{id}/sync`: the watch list beside the person's subscriptions in GitLab.
///
/// GitLab has no list of subscriptions, and only a single item tells of its own (GitLab facts §13). So an import asks for items the
/// person has to do with, one by one, as many as it may; a subscription to anything else is not found.
extension RESTAPI {
    static let subscriptionRoutes = [
        APIRoute(.post, "/watch/import", asksGitLab: true, .importWatches) { try await $0.importWatches($1) },
        APIRoute(.post, "/watch/{id}/sync", asksGitLab: true, .syncWatch) { try await $0.syncWatch($1) },
    ]

    // MARK: Import

    private struct ImportResponse: Encodable {
        struct Entry: Encodable {
            var watchedItemId: String
            var itemIid: Int64
            var itemType: String
            var projectId: Int64
            var title: String
        }

        var imported = 0
        /// Watched already, not subscribed to, or not readable.
        var skipped = 0
        /// False when there are more candidates than one import looks at, or GitLab stopped answering: import again.
        var complete = true
        /// Where the next import begins; absent where that is the beginning.
        var nextCursor: String?
        var items: [Entry] = []
    }

    /// Items that one import looks at: each takes a request, and some more when it is taken.
    private static let importLimit = 50
    /// Pages that one import reads at most to find any that are not watched.
    private static let mostPages = 10

    /// Query: `cursor`, from an earlier answer.
    private func importWatches(_ call: APICall) async throws -> HTTPResponse {
        let caller = try call.known
        let account = caller.account
        var query = ItemQuery(limit: Self.importLimit)
        query.after = try Self.cursor(call.request)
        let client = try await context.client(for: account, expecting: 2 + BaselineReader.leastRequests)
        let watched = Set(try await context.store.read { try $0.watches(of: account.id) }.map(\.item))
        var answer = ImportResponse()
        var reading = try await readItems(query, account, by: client)
        var candidates: [ItemReference] = []
        for _ in 1..<Self.mostPages {
            candidates = reading.entries.map(\.item.reference).filter { !watched.contains($0) }
            answer.skipped += reading.entries.count - candidates.count
            // A page of which everything is watched is no import.
            guard candidates.isEmpty, let next = reading.next else { break }
            query.after = next
            reading = try await readItems(query, account, by: client)
        }
        // Also when something fails in the middle: what was taken is polled.
        defer { context.polling.accountChanged(account.id) }
        let isWhole = try await take(candidates, for: caller, by: client, into: &answer)
        answer.complete = isWhole && reading.next == nil
        answer.nextCursor = (isWhole ? reading.next : query.after)?.text
        context.log.write(
            .watchesImported,
            [("account.id", .number(account.id.rawValue)), ("watch.count", .count(answer.imported))]
        )
        return try .json(200, answer)
    }

    /// Watches those to which the person is subscribed, one after the other; false when GitLab stopped answering.
    private func take(
        _ candidates: [ItemReference],
        for caller: APICall.Caller,
        by client: GitLabClient,
        into answer: inout ImportResponse
    ) async throws -> Bool {
        for item in candidates {
            do {
                guard let entry = try await take(item, for: caller, by: client) else {
                    answer.skipped += 1
                    continue
                }
                answer.items.append(entry)
                answer.imported += 1
            } catch let error as APIError where error.status == 403 || error.status == 404 {
                // This one item cannot be read: the others may be.
                answer.skipped += 1
            } catch let error as APIError where !answer.items.isEmpty {
                // What was taken stays; the same call goes on from there.
                context.log.write(.subscriptionFailed, [("error", .text(error.code))])
                return false
            }
        }
        return true
    }

    /// Watches an item if the person is subscribed to it; nil when they are not.
    private func take(
        _ item: ItemReference,
        for caller: APICall.Caller,
        by client: GitLabClient
    ) async throws -> ImportResponse.Entry? {
        let details: ItemDetails
        let baseline: ItemBaseline
        do {
            details = try await client.item(item)
            guard details.isSubscribed else { return nil }
            baseline = try await context.baseline(item, by: client)
        } catch {
            throw APIError(error, notFound: .itemNotFound)
        }
        guard let publicID = try await keep(item, details, baseline, caller) else { return nil }
        try await note(isSubscribed: true, publicID, caller.account)
        return ImportResponse.Entry(
            watchedItemId: publicID,
            itemIid: item.iid,
            itemType: item.kind.rawValue,
            projectId: item.project.rawValue,
            title: details.title
        )
    }

    // MARK: Sync

    private struct SyncRequest: Decodable {
        var direction: String
    }

    private struct SyncResponse: Encodable {
        var watching: Bool
        var gitlabSubscribed: Bool
        /// Whether anything was different before.
        var changed: Bool
    }

    /// `pull` makes the watch list as GitLab is: an item without a subscription is not watched any more. `push` makes GitLab as the
    /// watch list is: it subscribes.
    private func syncWatch(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let direction = try call.request.decodeBody(SyncRequest.self).direction
        guard direction == "pull" || direction == "push" else {
            throw APIError.invalidField("direction", expected: "\"pull\" or \"push\"")
        }
        let publicID = call.parameter("id")
        let watches = try await context.store.read { try $0.watches(of: account.id) }
        guard let watch = watches.first(where: { $0.publicID == publicID }) else { throw APIError.watchNotFound }
        return try .json(200, direction == "push" ? try await push(watch, account) : try await pull(watch, call))
    }

    private func push(_ watch: Watch, _ account: Account) async throws -> SyncResponse {
        let isChanged = try await setSubscribed(true, to: watch.item, account)
        try await note(isSubscribed: true, watch.publicID, account)
        return SyncResponse(watching: true, gitlabSubscribed: true, changed: isChanged)
    }

    private func pull(_ watch: Watch, _ call: APICall) async throws -> SyncResponse {
        let account = try call.account
        let stamp = try call.stamp(context.time.wallNow)
        let client = try await context.client(for: account)
        let isSubscribed: Bool
        do { isSubscribed = try await client.item(watch.item).isSubscribed } catch {
            throw APIError(error, notFound: .itemNotFound)
        }
        guard !isSubscribed else {
            try await note(isSubscribed: true, watch.publicID, account)
            return SyncResponse(watching: true, gitlabSubscribed: true, changed: false)
        }
        let now = context.time.wallNow
        // What was chosen while GitLab was asked stands.
        let isRemoved = try await choose(call.known) { store -> Bool in
            guard let entry = try store.watch(publicID: watch.publicID, of: account.id),
                try store.isLast(stamp, on: entry.item, of: account.id)
            else { return false }
            let choice = ItemChoice(choice: .unwatched, stamp)
            try store.setChoice(choice, on: entry.item, entry.description, of: account.id, at: now)
            return try store.deleteWatch(entry.item, of: account.id)
        }
        guard isRemoved else {
            let isWatched = try await context.store.read { try $0.watch(watch.item, of: account.id) } != nil
            return SyncResponse(watching: isWatched, gitlabSubscribed: false, changed: false)
        }
        context.polling.accountChanged(account.id)
        context.log.write(
            .watchRemoved,
            [("account.id", .number(account.id.rawValue)), ("watch.id", .text(watch.publicID))]
        )
        return SyncResponse(watching: false, gitlabSubscribed: false, changed: true)
    }

    // MARK: Mirroring

    /// Makes GitLab follow the watch list when the person wants that. Best effort: the watch list is changed already, and what
    /// GitLab refuses is logged; a later sync can push it.
    func mirror(isSubscribed: Bool, _ item: ItemReference, _ account: Account) async {
        do {
            guard try await context.store.read({ try $0.settings(of: account.id) }).isMirroringOn else { return }
            _ = try await setSubscribed(isSubscribed, to: item, account)
        } catch {
            let code = (error as? APIError)?.code ?? "store"
            context.log.write(
                .subscriptionFailed,
                [("account.id", .number(account.id.rawValue)), ("error", .text(code))]
            )
        }
    }

    /// Subscribes the person in GitLab or ends it; true when that changed something.
    func setSubscribed(_ isSubscribed: Bool, to item: ItemReference, _ account: Account) async throws -> Bool {
        let client = try await context.client(for: account)
        do {
            let isChanged = try await client.setSubscribed(isSubscribed, to: item)
            context.log.write(
                .subscriptionChanged,
                [("account.id", .number(account.id.rawValue)), ("subscription.is_on", .number(isSubscribed ? 1 : 0))]
            )
            return isChanged
        } catch {
            if case .forbidden(.scope) = error { throw APIError.gitLabWriteScopeMissing }
            if case .forbidden(.permission) = error { throw APIError.gitLabSubscriptionRefused }
            throw APIError(error, notFound: .itemNotFound)
        }
    }

    private func note(isSubscribed: Bool, _ publicID: String, _ account: Account) async throws {
        let now = context.time.wallNow
        try await context.store.transaction { store in
            try store.setSubscribed(isSubscribed, watch: publicID, of: account.id, at: now)
        }
    }
}
