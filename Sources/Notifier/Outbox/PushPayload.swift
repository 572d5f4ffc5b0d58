/// The JSON body of one push: Apple's part under `aps`, ours under `data` (APNs facts §4).
struct PushPayload: Encodable {
    struct Alert: Encodable {
        var title: String
        var subtitle: String?
        var body: String?
    }

    struct Apple: Encodable {
        enum CodingKeys: String, CodingKey {
            case alert, badge, sound, category
            case mutableContent = "mutable-content"
            case threadID = "thread-id"
            case interruptionLevel = "interruption-level"
        }

        var alert: Alert
        /// How much the person has not read; absent leaves the number as it is.
        var badge: Int?
        var sound: String?
        var category: NotificationCategory
        /// Lets the app's extension work on the push before it shows.
        var mutableContent = 1
        var threadID: String
        var interruptionLevel: InterruptionLevel
    }

    /// How much a push may disturb.
    enum InterruptionLevel: String, Encodable {
        case passive, active
        case timeSensitive = "time-sensitive"
    }

    struct Person: Encodable {
        var name: String
        var username: String
        var avatarUrl: String?
    }

    struct Content: Encodable {
        var notificationId: String
        /// `activity`, or news about the service itself.
        var type: String
        var source: String?
        var sourceId: Int64?
        var actionType: String?
        var itemType: String?
        var itemId: Int64?
        var projectId: Int64?
        var projectPath: String?
        var webUrl: String?
        var actor: Person?
        var isNewMention = false
        var batchCount: Int
        /// Keys of the facts this push covers, oldest first, as many as fit.
        var facts: [String]
        /// True when `facts` holds fewer than `batchCount`; the feed has them all.
        var factsTruncated: Bool?
        /// What a reminder is about, and which one it is, as of a due date; without a step what a program asks.
        var askId: String?
        var step: Int?
        /// The day by which the item is due, which a reminder of that tells of: `2026-03-30`.
        var dueOn: String?
        /// What a program calls itself, what it says, and the run that it belongs to, in its own words.
        var program: String?
        var signalId: String?
        var runId: String?
        /// The duty, the occurrence, the member whose turn it is, and when it is due.
        var dutyId: String?
        var occurrenceId: String?
        var assignee: String?
        var dueAt: String?
    }

    var aps: Apple
    var data: Content
}
