import HTTP
import JSON
import Platform

/// `GET /notifications`: the history, newest first, from which a device that was away catches up (APNs facts §9: an offline
/// device keeps one push per app). With `after` it is what is new since then, oldest first.
extension RESTAPI {
    static let notificationRoutes = [
        APIRoute(.get, "/notifications", .listNotifications) { try await $0.listNotifications($1) }
    ]

    private struct Response: Encodable {
        var notifications: [NotificationEntry]
        /// For the next, older page; absent on the last.
        var nextCursor: String?
    }

    private static let defaultLimit = 20
    private static let maximumLimit = 100

    /// Query: `limit` 1…100, `since` and `until` (RFC 3339), `projectId` alone or with `itemType` or with `itemType` and `itemIid`,
    /// `cursor` (of the page before); or `after` and `limit` alone.
    private func listNotifications(_ call: APICall) async throws -> HTTPResponse {
        let (request, caller) = (call.request, try call.known)
        let limit = try Self.limit(request.parameter("limit"))
        if let position = try PullPosition(request) { return try await pull(after: position, limit: limit, caller) }
        let filter = try Self.filter(request)
        let cursor = try Self.cursor(request.parameter("cursor"))
        let answer = try await context.store.read { store in
            let rows = try store.history(of: caller.account.id, before: cursor, filter, limit: limit + 1)
            let page = rows.prefix(limit)
            let receiver = try store.receiver(caller)
            return Response(
                notifications: try page.map { row in
                    var entry = NotificationEntry(row, isAcknowledged: try store.isAcknowledged(row.id, receiver))
                    entry.deliveries = try store.deliveries(of: row.id).map(NotificationEntry.Delivery.init)
                    return entry
                },
                nextCursor: rows.count > limit ? page.last.map { String($0.id.rawValue, radix: 36) } : nil
            )
        }
        return try .json(200, answer)
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
