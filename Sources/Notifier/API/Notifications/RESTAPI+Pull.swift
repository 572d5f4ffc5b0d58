import HTTP
import JSON
import Platform

/// `GET /ping`, and `GET /notifications` with `after`: how an app in the foreground learns of news without a push.
extension RESTAPI {
    static let pullRoutes = [
        APIRoute(.get, "/ping", toll: .twentieth, .ping) { try await $0.ping($1) }
    ]

    /// Whether there is anything to ask for; 304 when it is as the app knows it.
    private func ping(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        guard let versions = try await context.store.read({ try $0.versions(of: account) }) else {
            throw APIError.sessionInvalid
        }
        // An app that somebody else has signed in on may ask with the former person's.
        let tag = EntityTag(
            "\(NotifierVersion.current)-\(account.rawValue)-\(versions.data)-\(versions.notifications)"
        )
        if tag.isAmong(call.request.fields["if-none-match"]) {
            return HTTPResponse(status: 304, fields: ["ETag": tag.field, "Cache-Control": "no-store"])
        }
        let answer: JSONValue = [
            "dataVersion": .integer(versions.data), "notificationVersion": .integer(versions.notifications),
            "serverVersion": .string(NotifierVersion.current), "status": "ok",
        ]
        return .json(200, body: Array(answer.text(indented: false).utf8), fields: ["ETag": tag.field])
    }

    private struct Response: Encodable {
        var notifications: [NotificationEntry]
        var hasMore: Bool
        var reset: Bool
        var notificationVersion: Int64
    }

    /// What was made after a position, oldest first.
    func pull(after position: PullPosition, limit: Int, _ caller: APICall.Caller) async throws -> HTTPResponse {
        let answer = try await context.store.read { store in
            let page = try store.newer(than: position.id, of: caller.account.id, limit: limit)
            let receiver = try store.receiver(caller)
            return Response(
                notifications: try page.rows.map { pulled in
                    NotificationEntry(pulled, isAcknowledged: try store.isAcknowledged(pulled.row.id, receiver))
                },
                hasMore: page.hasMore,
                reset: page.isReset,
                notificationVersion: page.notificationVersion
            )
        }
        if answer.reset { context.log.write(.pullReset, [("account.id", .number(caller.account.id.rawValue))]) }
        context.metrics.count(.notificationsPulled, answer.notifications.count, of: caller.account.id)
        return try .json(200, answer)
    }
}

/// A strong entity tag (RFC 9110 §8.8.3).
struct EntityTag: Equatable, Sendable {
    /// As it stands in a header field.
    let field: String

    /// - Parameter text: without quotes.
    init(_ text: String) {
        field = "\"\(text)\""
    }

    /// Whether an `If-None-Match` names it. Compared weakly, as there (RFC 9110 §13.1.2): a proxy that packs answers weakens tags.
    func isAmong(_ condition: String?) -> Bool {
        guard let condition else { return false }
        return condition.split(separator: ",").contains { part in
            let tag = part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return tag == "*" || tag == field || (tag.hasPrefix("W/") && tag.dropFirst(2) == field)
        }
    }
}
