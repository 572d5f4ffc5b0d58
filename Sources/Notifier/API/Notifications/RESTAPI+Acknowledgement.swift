import HTTP
import Platform

/// `POST /notifications/ack`: what an app has taken over.
extension RESTAPI {
    static let acknowledgementRoutes = [
        APIRoute(.post, "/notifications/ack", .acknowledge) { try await $0.acknowledge($1) }
    ]

    private struct Request: Decodable {
        var notificationIds: NotificationIDs

        private enum CodingKeys: String, CodingKey {
            case notificationIds
            /// As the first clients wrote it.
            case formerly = "notification_ids"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            notificationIds =
                try container.decodeIfPresent(NotificationIDs.self, forKey: .formerly)
                ?? container.decode(NotificationIDs.self, forKey: .notificationIds)
        }
    }

    private struct Response: Encodable {
        var acknowledged: Int
        var unknown: Int
    }

    /// For the app that asks alone. Nobody has read anything by that.
    private func acknowledge(_ call: APICall) async throws -> HTTPResponse {
        let caller = try call.known
        let ids = try call.request.decodeBody(Request.self).notificationIds.checked("notificationIds")
        let now = context.time.wallNow
        let (known, new) = try await context.store.transaction { store in
            let receiver = try store.receiver(caller)
            let known = try ids.compactMap { try store.notification(publicID: $0, of: caller.account.id)?.id }
            let new = try known.count {
                try store.acknowledge($0, in: receiver.session, on: receiver.device, at: now)
            }
            return (known.count, new)
        }
        context.metrics.count(.notificationsAcknowledged, new, of: caller.account.id)
        if new > 0 {
            context.log.write(
                .notificationsAcknowledged,
                [("account.id", .number(caller.account.id.rawValue)), ("notifications", .count(new))]
            )
        }
        return try .json(200, Response(acknowledged: known, unknown: ids.count - known))
    }
}

/// Ids of notifications as a client lists them.
struct NotificationIDs: Decodable {
    private var ids: [String]

    /// How many a request may name.
    static let limit = 100
    private static let lengthLimit = 64

    init(from decoder: any Decoder) throws {
        do {
            ids = try decoder.singleValueContainer().decode([String].self)
        } catch {
            // Told of as the list, not as its first element that is no text.
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no list of texts")
            throw DecodingError.typeMismatch([Any].self, context)
        }
    }

    /// The ids in their order, each once, written as this server writes them. What is no id is left to be found unknown.
    ///
    /// - Throws: `APIError.invalidField` for none, too many, or one that is too long for any.
    func checked(_ name: String) throws(APIError) -> [String] {
        guard (1...Self.limit).contains(ids.count), ids.allSatisfy({ $0.unicodeScalars.count <= Self.lengthLimit })
        else {
            throw .invalidField(name, expected: "from 1 to \(Self.limit) ids of notifications")
        }
        var seen: Set<String> = []
        return ids.map { $0.lowercased() }.filter { seen.insert($0).inserted }
    }
}
