import HTTP
import JSON
import Platform

/// `GET /notifications`: the history, newest first, from which a device that was away catches up (APNs facts §9: an offline
/// device keeps one push per app).
extension RESTAPI {
    static let notificationRoutes = [
        APIRoute(.get, "/notifications", .listNotifications) { try await $0.listNotifications($1) }
    ]

    private struct Response: Encodable {
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
            /// Absent while it is unread.
            var readAt: String?
            var deliveries: [Delivery]
        }

        /// Its way to one device.
        struct Delivery: Encodable {
            var deviceId: String
            var state: String
            var attempts: Int
            var outcome: String?
            /// When APNs accepted it.
            var sentAt: String?
            /// When the device said so; devices do not always.
            var deliveredAt: String?
            var openedAt: String?
        }

        var notifications: [Entry]
        /// For the next, older page; absent on the last.
        var nextCursor: String?
    }

    private static let defaultLimit = 20
    private static let maximumLimit = 100

    /// Query: `limit` 1…100, `since` and `until` (RFC 3339), `projectId` alone or with `itemType` or with `itemType` and `itemIid`,
    /// `cursor` (of the page before).
    private func listNotifications(_ call: APICall) async throws -> HTTPResponse {
        let (request, account) = (call.request, try call.account)
        let limit = try Self.limit(request.parameter("limit"))
        let filter = try Self.filter(request)
        let cursor = try Self.cursor(request.parameter("cursor"))
        let rows = try await context.store.read { store in
            try store.history(of: account.id, before: cursor, filter, limit: limit + 1).enumerated().map { index, row in
                (row, index < limit ? try store.deliveries(of: row.id) : [])
            }
        }
        let page = rows.prefix(limit)
        let answer = Response(
            notifications: page.map { Self.entry($0.0, $0.1) },
            nextCursor: rows.count > limit ? page.last.map { String($0.0.id.rawValue, radix: 36) } : nil
        )
        return try .json(200, answer)
    }

    private static func entry(_ row: HistoryRow, _ deliveries: [DeliveryTrace]) -> Response.Entry {
        Response.Entry(
            id: row.publicID,
            type: row.kind,
            sentAt: ISO8601.text(row.createdAt),
            source: row.source,
            sourceId: row.sourceID,
            itemType: row.itemKind,
            projectId: row.projectID,
            itemIid: row.itemIID,
            title: row.title,
            body: row.body,
            webUrl: row.webURL,
            facts: row.factKeys,
            readAt: row.readAt.map(ISO8601.text),
            deliveries: deliveries.map(delivery)
        )
    }

    private static func delivery(_ trace: DeliveryTrace) -> Response.Delivery {
        Response.Delivery(
            deviceId: trace.device,
            state: trace.state,
            attempts: trace.attempts,
            outcome: trace.outcome,
            sentAt: trace.sentAt.map(ISO8601.text),
            deliveredAt: trace.deliveredAt.map(ISO8601.text),
            openedAt: trace.openedAt.map(ISO8601.text)
        )
    }

    private static func limit(_ text: String?) throws(APIError) -> Int {
        guard let text else { return defaultLimit }
        guard let limit = WholeNumber.read(text), (1...Int64(maximumLimit)).contains(limit) else {
            throw .invalidField("limit", expected: "from 1 to \(maximumLimit)")
        }
        return Int(limit)
    }

    private static func filter(_ request: HTTPRequest) throws(APIError) -> HistoryFilter {
        let filter = HistoryFilter(
            since: try instant(request.parameter("since"), "since"),
            until: try instant(request.parameter("until"), "until"),
            project: try number(request.parameter("projectId"), "projectId").map(ProjectID.init),
            kind: try kind(request.parameter("itemType")),
            iid: try number(request.parameter("itemIid"), "itemIid")
        )
        guard filter.kind == nil || filter.project != nil else {
            throw .invalidField("itemType", expected: "sent together with projectId")
        }
        guard filter.iid == nil || filter.kind != nil else {
            throw .invalidField("itemIid", expected: "sent together with projectId and itemType")
        }
        return filter
    }

    /// An instant as a client writes it; nil when it is absent.
    static func instant(_ text: String?, _ name: String) throws(APIError) -> WallTime? {
        guard let text else { return nil }
        guard let time = ISO8601.wallTime(text) else {
            throw .invalidField(name, expected: "an instant such as 2026-03-02T09:00:00Z")
        }
        return time
    }

    /// A positive number in a query; nil when it is absent.
    static func number(_ text: String?, _ name: String) throws(APIError) -> Int64? {
        guard let text else { return nil }
        guard let number = WholeNumber.read(text), number > 0 else {
            throw .invalidField(name, expected: "a positive number")
        }
        return number
    }

    /// A kind of item in a query; nil when it is absent.
    static func kind(_ text: String?) throws(APIError) -> ItemKind? {
        guard let text else { return nil }
        guard let kind = ItemKind(rawValue: text) else {
            throw .invalidField("itemType", expected: "\"issue\" or \"merge_request\"")
        }
        return kind
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
            .query("since", .instant, "Only those made at this instant or later."),
            .query("until", .instant, "Only those made before this instant."),
            .query("projectId", .number(1...Int64.max), "Only those about an item of this project."),
            .query("itemType", .word(["issue", "merge_request"]), "Only this kind of item; needs `projectId`."),
            .query("itemIid", .number(1...Int64.max), "Only this item; needs `projectId` and `itemType`."),
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

    private static let delivery = APISchema.object([
        .required("deviceId", .id, "The device."),
        .required("state", .word(["queued", "claimed", "accepted", "dead"]), "Where it stands."),
        .required("attempts", .number(), "How often it was tried."),
        .optional("outcome", .text(), "Why the last attempt ended as it did; absent before the first."),
        .optional("sentAt", .instant, "When APNs accepted it."),
        .optional("deliveredAt", .instant, "When the device showed it, if the device said so."),
        .optional("openedAt", .instant, "When the person opened it, if the device said so."),
    ])

    private static let notification = APISchema.object([
        .required("id", .id, "The notification's id, as the push bears it."),
        .required(
            "type",
            .word(["activity", "auth_expired", "service_trouble", "service_recovered", "test"]),
            "What it is about."
        ),
        .required("sentAt", .instant, "When it was made."),
        .optional("source", .word(["todo", "note", "activity"]), "Where it was read; absent for news of the service."),
        .optional("sourceId", .number(), "The row's id in its source."),
        .optional("itemType", .word(["issue", "merge_request"]), "What kind of item it is about."),
        .optional("projectId", .number(), "The item's project."),
        .optional("itemIid", .number(), "The item's number in its project."),
        .required("title", .text(), "The first line."),
        .required("body", .text(), "The text below."),
        .optional("webUrl", .url, "Where the item stands in GitLab."),
        .required("facts", .list(.text(), count: 0...10_000), "The keys of all it covers."),
        .optional("readAt", .instant, "When the person opened it; absent while it is unread."),
        .required("deliveries", .list(delivery), "Its way to each device."),
    ])
}
