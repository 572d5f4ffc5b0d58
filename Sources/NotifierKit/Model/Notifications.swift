#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something that the person was told, or should be. Named so that it cannot be taken for the system's own `Notification`.
public struct AppNotification: Sendable, Equatable, Codable, Identifiable {
    /// As the push bears it, in `data.notificationId`.
    public var id: String
    /// What it takes the place of on screen, when that is not its own id: a reminder that of the notification it reminds of.
    public var collapseId: String?
    /// `activity`, `digest`, `signal` for what a program says, or news of the service; a newer server may have more words.
    public var type: String
    /// What happened, of activity: `commented`, `review_requested` …
    public var actionType: String?
    /// What it is about, as the push's thread; absent with a server from before it had one.
    public var subject: String?
    /// When it was made.
    public var sentAt: Date
    /// The first line.
    public var title: String
    /// The second line: the item's title, or which program spoke. Absent where there is none, and with a server from before it was told.
    public var subtitle: String?
    /// The text below the title.
    public var body: String
    /// What the item is.
    public var itemType: ItemKind?
    /// GitLab's number of the project.
    public var projectId: Int64?
    /// The number that GitLab shows.
    public var itemIid: Int64?
    /// Where the item stands in GitLab.
    public var webUrl: String?
    /// Keys of all that it covers.
    public var facts: [String]?
    /// When the person read it, on whichever device; absent while it is unread.
    public var readAt: Date?
    /// Whether this device has said already that it showed it.
    public var acknowledged: Bool?
    /// How a push of it looks; only in answers to what is new.
    public var payload: PushedPayload?

    /// A value of these members.
    public init(
        id: String,
        collapseId: String? = nil,
        type: String = "activity",
        subject: String? = nil,
        sentAt: Date,
        title: String,
        body: String,
        readAt: Date? = nil,
        acknowledged: Bool? = nil
    ) {
        (self.id, self.collapseId, self.type, self.subject, self.sentAt) = (id, collapseId, type, subject, sentAt)
        (self.title, self.body, self.readAt, self.acknowledged) = (title, body, readAt, acknowledged)
    }

    /// Under what it stands on screen: the `apns-collapse-id` of its push.
    public var screenIdentifier: String { collapseId ?? id }

    /// Which item it is about; nil for other news.
    public var item: ItemReference? {
        guard let itemType, let projectId, let itemIid else { return nil }
        return ItemReference(projectID: projectId, kind: itemType, iid: itemIid)
    }

    /// Whether the badge counts it: news of the service does not count, and neither does how a program's run ended.
    public var counts: Bool {
        type == "activity" || type == "digest" || type == "signal" && actionType == "approval_needed"
            || type == "duty" && actionType != "duty_reminder"
    }
}

/// The part of a push's payload that says how it looks.
public struct PushedPayload: Sendable, Equatable, Codable {
    /// Apple's part.
    public struct Apple: Sendable, Equatable, Codable {
        /// The texts.
        public var alert: Alert?
        /// Which buttons it has.
        public var category: String?
        /// What belongs together on screen.
        public var threadID: String?
        /// How much it may disturb.
        public var interruptionLevel: String?

        enum CodingKeys: String, CodingKey {
            case alert, category
            case threadID = "thread-id"
            case interruptionLevel = "interruption-level"
        }
    }

    /// The texts.
    public struct Alert: Sendable, Equatable, Codable {
        /// The first line.
        public var title: String?
        /// The second line.
        public var subtitle: String?
        /// The text below the title.
        public var body: String?
    }

    /// Apple's part.
    public var aps: Apple
}

/// Answer to the question what is new.
public struct NotificationPage: Sendable, Equatable, Codable {
    /// Oldest first.
    public var notifications: [AppNotification]
    /// Whether to ask again, after the last of these.
    public var hasMore: Bool
    /// The id that was asked about is not known any more: these begin with the oldest that is kept, and may repeat what is known.
    public var reset: Bool
    /// Of the account, at the same instant.
    public var notificationVersion: UInt64
    /// The id of the last that the server listed, also where this program cannot read the rest of it: the next page begins behind it.
    var lastID: String?

    private enum CodingKeys: CodingKey { case notifications, hasMore, reset, notificationVersion }

    /// A value of these members.
    public init(
        notifications: [AppNotification],
        hasMore: Bool = false,
        reset: Bool = false,
        notificationVersion: UInt64
    ) {
        lastID = notifications.last?.id
        (self.notifications, self.hasMore, self.reset) = (notifications, hasMore, reset)
        self.notificationVersion = notificationVersion
    }

    private struct Listed: Decodable {
        var id: String?

        private enum CodingKeys: CodingKey { case id }

        init(from decoder: any Decoder) throws {
            id = try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .id)
        }
    }

    /// Reads what an answer holds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        notifications = try container.decode([AppNotification].self, forKey: .notifications)
        hasMore = try container.decode(Bool.self, forKey: .hasMore)
        reset = try container.decode(Bool.self, forKey: .reset)
        notificationVersion = try container.decode(UInt64.self, forKey: .notificationVersion)
        lastID = try container.decode([Listed].self, forKey: .notifications).last { $0.id != nil }?.id
    }
}

/// Which notifications of the history to list.
public struct HistoryQuery: Sendable, Equatable {
    /// 1 to 100; 20 when absent.
    public var limit: Int64?
    /// Only what was made at this instant or later.
    public var since: Date?
    /// Only what was made before this instant.
    public var until: Date?
    /// Only this project, by GitLab's number.
    public var projectID: Int64?
    /// Which item.
    public var item: ItemReference?
    /// The `nextCursor` of the page before.
    public var cursor: String?

    /// A value of these members.
    public init(
        limit: Int64? = nil,
        since: Date? = nil,
        until: Date? = nil,
        projectID: Int64? = nil,
        item: ItemReference? = nil,
        cursor: String? = nil
    ) {
        (self.limit, self.since, self.until) = (limit, since, until)
        (self.projectID, self.item, self.cursor) = (projectID, item, cursor)
    }
}

/// One page of the history.
public struct HistoryPage: Sendable, Equatable, Codable {
    /// Newest first.
    public var notifications: [AppNotification]
    /// Leads to the next, older page; absent on the last.
    public var nextCursor: String?
}

/// Whether anything is new. The numbers only ever rise, in steps of any size; they are compared for being other ones.
public struct Ping: Sendable, Equatable {
    /// Changes with everything that the account's routes show beside notifications: watch list, settings, read marks, devices.
    public var dataVersion: UInt64
    /// Changes with every notification.
    public var notificationVersion: UInt64
    /// The server's version.
    public var serverVersion: String
    /// Lets the server say in few bytes that nothing has changed.
    public var entityTag: String?

    /// A value of these members.
    public init(dataVersion: UInt64, notificationVersion: UInt64, serverVersion: String, entityTag: String? = nil) {
        (self.dataVersion, self.notificationVersion) = (dataVersion, notificationVersion)
        (self.serverVersion, self.entityTag) = (serverVersion, entityTag)
    }
}

/// How much is unread.
public struct UnreadCount: Sendable, Equatable, Codable {
    /// What is unread of one subject.
    public struct Subject: Sendable, Equatable, Codable {
        /// What it is about, as a push's thread.
        public var subject: String
        /// How many.
        public var count: Int
        /// The newest of them.
        public var newestId: String
        /// When that was made.
        public var newestAt: Date
        /// What the item is.
        public var itemType: ItemKind?
        /// GitLab's number of the project.
        public var projectId: Int64?
        /// The number that GitLab shows.
        public var itemIid: Int64?
    }

    /// The number on the badge.
    public var count: Int
    /// Newest first.
    public var bySubject: [Subject]
    /// How many subjects are left out.
    public var moreSubjects: Int
    /// Of the account, at the same instant.
    public var dataVersion: UInt64
    /// Of the account, at the same instant.
    public var notificationVersion: UInt64
}

/// What to mark.
public enum ReadSelection: Sendable, Hashable, Codable {
    /// These, 1 to 100, as read.
    case ids([String])
    /// These, 1 to 100, as unread again.
    case unread([String])
    /// Everything about a subject, as read.
    case subject(String)
    /// Everything, as read.
    case all
}

/// What marking came to.
public struct ReadAnswer: Sendable, Equatable, Codable {
    /// How many are otherwise than before.
    public var changed: Int
    /// How many ids the server does not know.
    public var unknown: Int
    /// What is unread now.
    public var unreadCount: Int
    /// Of the account, at the same instant.
    public var dataVersion: UInt64
}

/// What became of a notification on this device.
public enum ReceiptEvent: String, Sendable, CaseIterable {
    /// It was shown.
    case delivered
    /// The person opened it.
    case opened
}

/// A test that is on its way.
public struct TestAnswer: Sendable, Equatable, Codable {
    /// The notification's id.
    public var notificationId: String
    /// To how many devices it goes.
    public var targetDevices: Int
}

/// Deliveries that go again.
public struct RedriveAnswer: Sendable, Equatable, Codable {
    /// How many go again.
    public var redriven: Int
    /// How many stay dead, for their device cannot be pushed to.
    public var unreachable: Int
}
