import HTTP
import Platform

/// `GET /notifications`: the history, newest first, from which a device that was away catches up (APNs facts §9: an offline
/// device keeps one push per app).
extension RESTAPI {
    static let notificationRoutes = [
        APIRoute(.get, "/notifications", .listNotifications) { try await $0.listNotifications($1) }
    ]

    private struct Answer: Encodable {
        struct Entry: Encodable {
            var id: String
            var type: String
            var sentAt: String
            var source: String?
            var sourceId: Int64?
            var itemType: String?
            var projectId: Int64?
            var itemIid: Int64?
            var title: String
            var body: String
            var webUrl: String?
            /// Keys of every fact it covers, also those that did not fit into the push.
            var facts: [String]
        }

        var notifications: [Entry]
        /// For the next, older page; absent on the last.
        var nextCursor: String?
    }

    private static let defaultLimit = 20
    private static let maximumLimit = 100

    /// Query: `limit` 1…100, `since` (RFC 3339; only newer ones), `cursor` (of the page before).
    private func listNotifications(_ call: APICall) async throws -> HTTPResponse {
        let (request, account) = (call.request, try call.account)
        let limit = try Self.limit(request.parameter("limit"))
        let since = try Self.since(request.parameter("since"))
        let cursor = try Self.cursor(request.parameter("cursor"))
        let rows = try await context.store.read { store in
            try store.history(of: account.id, before: cursor, since: since, limit: limit + 1)
        }
        let page = rows.prefix(limit)
        let answer = Answer(
            notifications: page.map(Self.entry),
            nextCursor: rows.count > limit ? page.last.map { String($0.id.rawValue, radix: 36) } : nil
        )
        return try .json(200, answer)
    }

    private static func entry(_ row: HistoryRow) -> Answer.Entry {
        Answer.Entry(
            id: row.publicID,
            type: row.kind,
            sentAt: APITime.text(row.createdAt),
            source: row.source,
            sourceId: row.sourceID,
            itemType: row.itemKind,
            projectId: row.projectID,
            itemIid: row.itemIID,
            title: row.title,
            body: row.body,
            webUrl: row.webURL,
            facts: row.factKeys
        )
    }

    private static func limit(_ text: String?) throws(APIError) -> Int {
        guard let text else { return defaultLimit }
        guard let limit = Int(text), (1...maximumLimit).contains(limit) else {
            throw .invalidField("limit", expected: "from 1 to \(maximumLimit)")
        }
        return limit
    }

    private static func since(_ text: String?) throws(APIError) -> WallTime? {
        guard let text else { return nil }
        guard let time = ISO8601.wallTime(text) else {
            throw .invalidField("since", expected: "an instant such as 2026-03-02T09:00:00Z")
        }
        return time
    }

    private static func cursor(_ text: String?) throws(APIError) -> NotificationID? {
        guard let text else { return nil }
        guard let number = Int64(text, radix: 36), number > 0 else {
            throw .invalidField("cursor", expected: "the nextCursor of an earlier answer")
        }
        return NotificationID(rawValue: number)
    }
}

extension RouteDescription {
    fileprivate static let listNotifications = RouteDescription(
        "listNotifications",
        "Lists the notifications of the last weeks, newest first.",
        parameters: [
            .query("limit", .number(1...100), "How many at most; 20 when absent."),
            .query("since", .instant, "Only newer ones than this instant."),
            .query("cursor", .opaque, "The `nextCursor` of an earlier answer, for the page behind it."),
        ],
        answers: [
            .json(
                200,
                "One page of the history.",
                .object([
                    .required("notifications", .list(notification, count: 0...100), "Newest first."),
                    .optional("nextCursor", .opaque, "Leads to the next, older page; absent on the last."),
                ])
            )
        ],
        examples: [
            Example(
                "nothing-yet",
                "A person who has just registered has no history.",
                parameters: ["limit": "50"],
                answer: ["notifications": []]
            )
        ]
    )

    private static let notification = APISchema.object([
        .required("id", .id, "The notification's id, as the push bears it."),
        .required(
            "type",
            .word(["activity", "auth_expired", "service_trouble", "service_recovered", "test"]),
            "What it is about."
        ),
        .required("sentAt", .instant, "When it was made."),
        .optional("source", .word(["todo", "note", "activity"]), "What told of it; absent for news of the service."),
        .optional("sourceId", .number(), "The row's id in its source."),
        .optional("itemType", .word(["issue", "merge_request"]), "What kind of item it is about."),
        .optional("projectId", .number(), "The item's project."),
        .optional("itemIid", .number(), "The item's number in its project."),
        .required("title", .text(), "The first line."),
        .required("body", .text(), "The text below."),
        .optional("webUrl", .url, "Where the item stands in GitLab."),
        .required("facts", .list(.text(), count: 0...10_000), "The keys of all it covers."),
    ])
}
