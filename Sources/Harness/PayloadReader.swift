import FoundationEssentials
import Verdict

/// Reads what a push told out of its payload, as the app on a device would: from the documented wire format alone.
enum PayloadReader {
    private struct Payload: Decodable {
        struct Apple: Decodable {
            struct Alert: Decodable {
                var title: String?
            }
            var alert: Alert?
        }
        struct Content: Decodable {
            var notificationId: String
            var type: String?
            var facts: [String]?
            var factsTruncated: Bool?
            var itemType: String?
            var itemId: Int64?
            var projectPath: String?
            var webUrl: String?
            var askId: String?
            var step: Int?
        }
        var aps: Apple
        var data: Content
    }

    /// Nil when the payload is not the notifier's.
    static func content(of payload: [UInt8]) -> PushContent? {
        guard let payload = try? JSONDecoder().decode(Payload.self, from: Data(payload)) else { return nil }
        var content = PushContent(
            notificationID: payload.data.notificationId,
            type: ["activity", "digest", "signal"].contains(payload.data.type) ? nil : payload.data.type,
            factKeys: payload.data.facts ?? [],
            isTruncated: payload.data.factsTruncated ?? false,
            title: payload.aps.alert?.title ?? ""
        )
        if let ask = payload.data.askId, let step = payload.data.step {
            content.reminder = ReminderContent(ask: ask, step: step)
        }
        if let type = payload.data.itemType, let number = payload.data.itemId {
            content.target = PushTarget(
                itemType: type,
                itemNumber: number,
                projectPath: payload.data.projectPath,
                webAddress: payload.data.webUrl
            )
        }
        return content
    }

    private struct Feed: Decodable {
        struct Notification: Decodable {
            var id: String
            var facts: [String]?
        }
        var notifications: [Notification]
        var nextCursor: String?
    }

    /// One page of the feed; nil when it is not the notifier's.
    static func feed(_ body: [UInt8]) -> (notifications: [(id: String, facts: [String])], nextCursor: String?)? {
        guard let feed = try? JSONDecoder().decode(Feed.self, from: Data(body)) else { return nil }
        return (feed.notifications.map { ($0.id, $0.facts ?? []) }, feed.nextCursor)
    }
}
