import HTTP
import Platform

/// `GET /items`: the person's issues and merge requests, read from GitLab at that moment.
extension RESTAPI {
    static let itemRoutes = [
        APIRoute(.get, "/items", asksGitLab: true, .listItems) { try await $0.listItems($1) }
    ]

    private struct Response: Encodable {
        struct Entry: Encodable {
            var id: Int64
            var iid: Int64
            var type: String
            var title: String
            var projectId: Int64
            var projectPath: String?
            var webUrl: String?
            var state: String
            var involvement: [String]
            var watched: Bool
            /// Absent when it is not watched.
            var watchedItemId: String?
            var lastActivityAt: String
        }

        var items: [Entry]
        /// For the next page; absent on the last.
        var nextCursor: String?
    }

    private static let defaultLimit = 50
    private static let maximumLimit = 100

    /// Query: `projectId`, `itemType`, `involvement`, `state` (`opened` unless said otherwise), `limit` 1…100, `cursor`.
    private func listItems(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let query = try Self.query(call.request)
        let reading = try await readItems(query, account, by: context.client(for: account))
        let watched = try await context.store.read { store in
            Dictionary(
                try store.watches(of: account.id).map { ($0.item, $0.publicID) },
                uniquingKeysWith: { first, _ in first }
            )
        }
        let answer = Response(
            items: reading.entries.map { Self.entry($0, watchedItemID: watched[$0.item.reference]) },
            nextCursor: reading.next?.text
        )
        return try .json(200, answer)
    }

    /// The account's items as GitLab lists them now.
    func readItems(_ query: ItemQuery, _ account: Account, by client: GitLabClient) async throws -> ItemReader.Reading {
        do {
            return try await ItemReader(client: client, user: account.gitlabUserID).read(query)
        } catch {
            throw APIError(error, notFound: query.project == nil ? .gitLabNotFound : .projectNotFound)
        }
    }

    private static func entry(_ entry: ItemMerge.Entry, watchedItemID: String?) -> Response.Entry {
        Response.Entry(
            id: entry.item.id,
            iid: entry.item.iid,
            type: entry.item.kind.rawValue,
            title: entry.item.title,
            projectId: entry.item.projectID,
            projectPath: entry.item.projectPath,
            webUrl: entry.item.webURL,
            state: entry.item.state,
            involvement: entry.involvements.map(\.rawValue),
            watched: watchedItemID != nil,
            watchedItemId: watchedItemID,
            lastActivityAt: ISO8601.text(entry.item.updatedAt)
        )
    }

    private static func query(_ request: HTTPRequest) throws(APIError) -> ItemQuery {
        var query = ItemQuery(limit: defaultLimit)
        query.project = try number(request.parameter("projectId"), "projectId").map(ProjectID.init)
        query.kind = try kind(request.parameter("itemType"))
        if let text = request.parameter("involvement") {
            guard let involvement = Involvement(rawValue: text) else {
                let words = Involvement.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalidField("involvement", expected: "one of \(words)")
            }
            query.involvement = involvement
        }
        if let state = request.parameter("state") {
            guard ["opened", "closed", "merged", "all"].contains(state) else {
                throw .invalidField("state", expected: "one of opened, closed, merged, all")
            }
            query.state = state
        }
        if let text = request.parameter("limit") {
            guard let limit = WholeNumber.read(text), (1...Int64(maximumLimit)).contains(limit) else {
                throw .invalidField("limit", expected: "from 1 to \(maximumLimit)")
            }
            query.limit = Int(limit)
        }
        query.after = try cursor(request)
        return query
    }

    /// Where a list of items goes on; nil for its beginning.
    static func cursor(_ request: HTTPRequest) throws(APIError) -> ItemCursor? {
        guard let text = request.parameter("cursor") else { return nil }
        guard let cursor = ItemCursor(text) else {
            throw .invalidField("cursor", expected: "the nextCursor of an earlier answer")
        }
        return cursor
    }
}
