import FoundationEssentials
import Platform
import Scenarios
import Verdict

/// Reads what a push told out of its payload, as the app on a device would: from the documented wire format alone.
enum PayloadReader {
    private struct Payload: Decodable {
        struct Apple: Decodable {
            struct Alert: Decodable {
                var title: String?
                var subtitle: String?
                var body: String?
            }
            enum CodingKeys: String, CodingKey {
                case alert, badge, sound, category
                case threadID = "thread-id"
                case interruptionLevel = "interruption-level"
            }

            var alert: Alert?
            var badge: Int?
            var sound: String?
            var category: String?
            var threadID: String?
            var interruptionLevel: String?
        }
        struct Person: Decodable {
            var name: String?
        }
        struct Content: Decodable {
            var notificationId: String
            var type: String?
            var actionType: String?
            var actor: Person?
            var batchCount: Int?
            var facts: [String]?
            var factsTruncated: Bool?
            var itemType: String?
            var itemId: Int64?
            var projectId: Int64?
            var projectPath: String?
            var webUrl: String?
            var isNewMention: Bool?
            var askId: String?
            var step: Int?
            var dueOn: String?
            var runId: String?
            var dutyId: String?
            var occurrenceId: String?
            var dueAt: String?
        }
        var aps: Apple
        var data: Content
    }

    /// Nil when the payload is not the notifier's.
    static func content(of payload: [UInt8]) -> PushContent? {
        let size = payload.count
        guard let payload = try? JSONDecoder().decode(Payload.self, from: Data(payload)) else { return nil }
        var message = PushMessage(
            type: payload.data.type.flatMap(serviceType),
            title: payload.aps.alert?.title ?? ""
        )
        message.text = text(payload.aps.alert?.subtitle, payload.aps.alert?.body)
        message.label = label(payload.data)
        message.manner = PushManner(
            isAudible: payload.aps.sound != nil,
            level: payload.aps.interruptionLevel ?? "",
            category: payload.aps.category ?? "",
            thread: payload.aps.threadID ?? ""
        )
        if let ask = payload.data.askId, let step = payload.data.step {
            message.reminder = ReminderContent(ask: ask, step: step)
        }
        message.due = due(
            payload.data.dueOn,
            payload.data.step,
            payload.data.itemType,
            payload.data.itemId,
            payload.data.projectPath
        )
        message.target = target(
            payload.data.itemType,
            payload.data.itemId,
            payload.data.projectPath,
            payload.data.webUrl
        )
        var content = PushContent(
            notificationID: payload.data.notificationId,
            factKeys: payload.data.facts ?? [],
            isTruncated: payload.data.factsTruncated ?? false,
            message
        )
        content.badge = payload.aps.badge
        content.size = size
        return content
    }

    private static func label(_ data: Payload.Content) -> PushLabel {
        var label = PushLabel(
            type: data.type ?? "",
            actionType: data.actionType ?? "",
            actor: data.actor?.name,
            count: data.batchCount ?? 0
        )
        label.projectID = data.projectId
        label.isNewMention = data.isNewMention ?? false
        label.hasAsk = data.askId != nil
        label.run = data.runId
        label.duty = data.dutyId
        if let occurrence = data.occurrenceId {
            label.turn = TurnContent(occurrence: occurrence, dueAt: data.dueAt ?? "")
        }
        return label
    }

    private struct Feed: Decodable {
        struct Notification: Decodable {
            struct Payload: Decodable {
                struct Content: Decodable {
                    var facts: [String]?
                    var askId: String?
                    var step: Int?
                    var dueOn: String?
                    var itemType: String?
                    var itemId: Int64?
                    var projectPath: String?
                }
                var data: Content?
            }
            var id: String
            var type: String?
            var title: String?
            var subtitle: String?
            var body: String?
            var webUrl: String?
            var facts: [String]?
            var payload: Payload?
        }
        var notifications: [Notification]
        var reset: Bool?
    }

    /// What a list says of one notification to who reads it.
    struct Words {
        var notificationID: String
        var title: String
        var body: String
        var address: String?
    }

    /// One page of the feed or of the history: what it tells, in which words, and whether it begins with the oldest that is kept, since the app's place is
    /// not known; nil when it is not the notifier's.
    static func feed(_ body: [UInt8]) -> (contents: [PushContent], words: [Words], beginsAnew: Bool)? {
        guard let feed = try? JSONDecoder().decode(Feed.self, from: Data(body)) else { return nil }
        let words = feed.notifications.map {
            Words(notificationID: $0.id, title: $0.title ?? "", body: $0.body ?? "", address: $0.webUrl)
        }
        return (feed.notifications.map(content), words, feed.reset ?? false)
    }

    private static func content(of notification: Feed.Notification) -> PushContent {
        let data = notification.payload?.data
        var message = PushMessage(type: notification.type.flatMap(serviceType), title: notification.title ?? "")
        message.text = text(notification.subtitle, notification.body)
        message.due = due(data?.dueOn, data?.step, data?.itemType, data?.itemId, data?.projectPath)
        message.target = target(data?.itemType, data?.itemId, data?.projectPath, nil)
        if let ask = data?.askId, let step = data?.step { message.reminder = ReminderContent(ask: ask, step: step) }
        return PushContent(
            notificationID: notification.id,
            // The feed says what a notification covers; of what a reminder reminds, as any push of it, its payload does.
            factKeys: (message.reminder == nil ? notification.facts : data?.facts) ?? [],
            isTruncated: false,
            message
        )
    }

    private static func target(_ type: String?, _ number: Int64?, _ path: String?, _ address: String?) -> PushTarget? {
        guard let type, let number else { return nil }
        return PushTarget(itemType: type, itemNumber: number, projectPath: path, webAddress: address)
    }

    private static func text(_ lines: String?...) -> String { lines.compactMap(\.self).joined(separator: "\n") }

    /// What a reminder of a due date says; nil for everything else.
    private static func due(_ day: String?, _ step: Int?, _ type: String?, _ number: Int64?, _ path: String?)
        -> DueContent?
    {
        guard let day, let step, let date = date(day) else { return nil }
        let kind: ItemKind = type == "issue" ? .issue : .mergeRequest
        let project = path.flatMap { ProjectPath($0) }
        let item = number.flatMap { number in
            project.map { ItemReference(project: $0, kind: kind, iid: number) }
        }
        return DueContent(item: item, date: date, step: step)
    }

    /// A day as the wire format has it: `2026-03-30`.
    private static func date(_ text: String) -> CivilDate? {
        let numbers = text.split(separator: "-").compactMap { Int($0) }
        guard numbers.count == 3, text.utf8.count == 10 else { return nil }
        let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
        return date.isValid ? date : nil
    }

    /// Nil for news about activities.
    private static func serviceType(_ type: String) -> String? {
        ["activity", "digest", "signal"].contains(type) ? nil : type
    }
}
