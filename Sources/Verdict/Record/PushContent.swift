package import Platform
package import Scenarios

/// What a push told, read from its payload: whom it told what, and what many are told alike.
@dynamicMemberLookup
package struct PushContent: Sendable, Equatable {
    /// The notifier's id of the notification.
    package var notificationID: String
    /// The keys of the facts it covers, as far as they fit.
    package var factKeys: [String]
    /// True when more facts are covered than named.
    var isTruncated: Bool
    /// How many it says are unread; nil where it leaves the number as it is, and for what came by no push.
    package var badge: Int?
    /// How many bytes its payload has; nil for what came by no push.
    package var size: Int?
    /// What it says. Three hundred people may be told the same, and a record holds that once (``RecordPool``).
    var message: Shared<PushMessage>

    package init(notificationID: String, type: String?, factKeys: [String], isTruncated: Bool, title: String) {
        self.init(
            notificationID: notificationID,
            factKeys: factKeys,
            isTruncated: isTruncated,
            PushMessage(type: type, title: title)
        )
    }

    package init(notificationID: String, factKeys: [String], isTruncated: Bool, _ message: PushMessage) {
        self.notificationID = notificationID
        self.factKeys = factKeys
        self.isTruncated = isTruncated
        self.message = Shared(message)
    }

    /// A part of what it says.
    package subscript<Part>(dynamicMember part: WritableKeyPath<PushMessage, Part>) -> Part {
        get { message.value[keyPath: part] }
        set { message.value[keyPath: part] = newValue }
    }

    /// Whether the other, which comes later, has to take this one's place on a screen: both tell of one and the same fact, and one of them
    /// reminds of it. What tells of more stays beside its reminder.
    package func isReplaced(by other: PushContent) -> Bool {
        guard self.reminder != nil || other.reminder != nil, let key = soleKey else { return false }
        return key == other.soleKey
    }

    /// The only fact that it tells of.
    private var soleKey: String? { factKeys.count == 1 && !isTruncated ? factKeys.first : nil }
}

/// What a push says: to everybody who is told the same it says it alike.
package struct PushMessage: Sendable, Hashable {
    /// Nil for news about activities; `auth_expired`, `service_trouble` and so on otherwise.
    var type: String?
    package var title: String
    /// What it says below the title.
    package var text = ""
    /// Where a tap on it leads; nil for what concerns no single item.
    package var target: PushTarget?
    /// What it reminds of; nil for everything else.
    package var reminder: ReminderContent?
    /// The day it reminds of; nil for everything else.
    package var due: DueContent?
    /// What its payload says to the app; nil for what came by no push.
    package var label: PushLabel?
    /// How it comes to its reader's notice; nil for what came by no push.
    package var manner: PushManner?

    package init(type: String?, title: String) {
        (self.type, self.title) = (type, title)
    }
}

/// What a push says to the app beside what a person reads.
package struct PushLabel: Sendable, Hashable {
    /// `activity`, `digest`, `signal`, or what kind of news about the service it is.
    var type: String
    /// What the newest of what it tells is called; empty where it is called nothing.
    var actionType: String
    /// The name of whoever did that; nil where none is given.
    var actor: String?
    /// How many facts it tells of.
    var count: Int
    /// GitLab's number of the item's project; nil for what concerns no single item.
    package var projectID: Int64?
    /// Whether it says that the person was tagged on what they do not watch.
    package var isNewMention = false
    /// Whether it names what its person can settle or put off.
    package var hasAsk = false
    /// The run of a program that it belongs to, as the program calls it.
    package var run: String?
    /// The duty that it is about, by the notifier's id.
    package var duty: String?
    /// Few are about a turn: it takes its room in those alone.
    private var sharedTurn: Shared<TurnContent>?

    /// The turn of a duty that it is about.
    package var turn: TurnContent? {
        get { sharedTurn?.value }
        set { sharedTurn = newValue.map { Shared($0) } }
    }

    package init(type: String, actionType: String, actor: String?, count: Int) {
        (self.type, self.actionType, self.actor, self.count) = (type, actionType, actor, count)
    }
}

/// What a push says to the app of a turn of a duty.
package struct TurnContent: Sendable, Hashable {
    /// The notifier's id of the occurrence.
    var occurrence: String
    /// When it is due, as the wire format has it: `2026-03-02T14:30:00.000Z`.
    var dueAt: String

    package init(occurrence: String, dueAt: String) {
        (self.occurrence, self.dueAt) = (occurrence, dueAt)
    }
}

/// How a push comes to its reader's notice, and where a device files it.
package struct PushManner: Sendable, Hashable {
    var isAudible: Bool
    /// `passive`, `active` or `time-sensitive`; empty where it says nothing.
    var level: String
    /// Which buttons it has; empty where it says nothing.
    var category: String
    /// With what it stands together on a screen; empty where it says nothing.
    var thread: String

    package init(isAudible: Bool, level: String, category: String, thread: String) {
        (self.isAudible, self.level) = (isAudible, level)
        (self.category, self.thread) = (category, thread)
    }
}

/// What a push says of somebody who still waits.
package struct ReminderContent: Sendable, Hashable {
    /// The notifier's id of what it reminds of.
    var ask: String
    /// 1 for the first time that the person is told again, 2 for the second.
    var step: Int

    package init(ask: String, step: Int) {
        (self.ask, self.step) = (ask, step)
    }
}

/// What a push says of a day by which something is due.
package struct DueContent: Sendable, Hashable {
    /// Nil when it names none that there can be.
    var item: ItemReference?
    var date: CivilDate
    /// 1 ahead of the day, 2 when it is over.
    var step: Int

    package init(item: ItemReference?, date: CivilDate, step: Int) {
        (self.item, self.date, self.step) = (item, date, step)
    }
}

/// The item that a push names to the app.
package struct PushTarget: Sendable, Hashable {
    /// `issue` or `merge_request`.
    var itemType: String
    /// The number within the project.
    var itemNumber: Int64
    /// Nil where there was no room for it.
    var projectPath: String?
    /// Nil where there was no room for it.
    var webAddress: String?

    package init(itemType: String, itemNumber: Int64, projectPath: String?, webAddress: String?) {
        (self.itemType, self.itemNumber) = (itemType, itemNumber)
        (self.projectPath, self.webAddress) = (projectPath, webAddress)
    }

    /// Whether all that it says is true of that item.
    func names(_ item: ItemReference) -> Bool {
        let (type, list) = item.kind == .issue ? ("issue", "issues") : ("merge_request", "merge_requests")
        let path = item.project.description
        guard itemType == type, itemNumber == item.iid, projectPath ?? path == path else { return false }
        guard let address = webAddress?.prefix(while: { $0 != "#" }) else { return true }
        // News of a pipeline leads to the pipeline.
        return [list, "work_items"].contains { address.hasSuffix("/\(path)/-/\($0)/\(item.iid)") }
            || address.contains("/\(path)/-/pipelines/")
    }
}
