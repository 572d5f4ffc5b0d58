package import Platform
package import Scenarios

/// What a push told, read from its payload.
package struct PushContent: Sendable, Equatable {
    /// The notifier's id of the notification.
    package var notificationID: String
    /// Nil for news about activities; `auth_expired`, `service_trouble` and so on otherwise.
    var type: String?
    /// The keys of the facts it covers, as far as they fit.
    package var factKeys: [String]
    /// True when more facts are covered than named.
    var isTruncated: Bool
    var title: String
    /// What it says below the title.
    package var text = ""
    /// Where a tap on it leads; nil for what concerns no single item.
    package var target: PushTarget?
    /// What it reminds of; nil for everything else.
    package var reminder: ReminderContent?
    /// The day it reminds of; nil for everything else.
    package var due: DueContent?
    /// How many it says are unread; nil where it leaves the number as it is, and for what came by no push.
    package var badge: Int?
    /// What its payload says to the app; nil for what came by no push.
    package var label: PushLabel?

    package init(notificationID: String, type: String?, factKeys: [String], isTruncated: Bool, title: String) {
        self.notificationID = notificationID
        self.type = type
        self.factKeys = factKeys
        self.isTruncated = isTruncated
        self.title = title
    }

    /// Whether the other, which comes later, has to take this one's place on a screen: both tell of one and the same fact, and one of them
    /// reminds of it. What tells of more stays beside its reminder.
    package func isReplaced(by other: PushContent) -> Bool {
        guard reminder != nil || other.reminder != nil, let key = soleKey else { return false }
        return key == other.soleKey
    }

    /// The only fact that it tells of.
    private var soleKey: String? { factKeys.count == 1 && !isTruncated ? factKeys.first : nil }
}

/// What a push says to the app beside what a person reads.
package struct PushLabel: Sendable, Equatable {
    /// `activity`, `digest`, `signal`, or what kind of news about the service it is.
    var type: String
    /// What the newest of what it tells is called; empty where it is called nothing.
    var actionType: String
    /// The name of whoever did that; nil where none is given.
    var actor: String?
    /// How many facts it tells of.
    var count: Int

    package init(type: String, actionType: String, actor: String?, count: Int) {
        (self.type, self.actionType, self.actor, self.count) = (type, actionType, actor, count)
    }
}

/// What a push says of somebody who still waits.
package struct ReminderContent: Sendable, Equatable {
    /// The notifier's id of what it reminds of.
    var ask: String
    /// 1 for the first time that the person is told again, 2 for the second.
    var step: Int

    package init(ask: String, step: Int) {
        (self.ask, self.step) = (ask, step)
    }
}

/// What a push says of a day by which something is due.
package struct DueContent: Sendable, Equatable {
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
package struct PushTarget: Sendable, Equatable {
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

/// One push request as APNs saw it.
package struct PushRecord: Sendable, Equatable {
    package var at: Duration
    var person: Username?
    var device: DeviceName?
    var apnsID: String
    var status: Int
    /// Empty for an accepted push.
    var reason: String
    /// True when the answer was lost on its way to the notifier, or came when nobody waited for it any more.
    package var answerLost: Bool
    /// When the answer had arrived, as far as the driver sees that.
    package var answeredAt: Duration?
    /// How often the thing of that name had been replaced by another when its token was given; see ``Installations``.
    package var installation = 0
    /// The injected fault that shaped the answer.
    var faultID: String?
    /// Nil when the payload could not be read.
    package var content: PushContent?

    package init(
        at: Duration,
        person: Username?,
        device: DeviceName?,
        apnsID: String,
        status: Int,
        reason: String,
        answerLost: Bool,
        faultID: String?,
        content: PushContent?
    ) {
        self.at = at
        self.person = person
        self.device = device
        self.apnsID = apnsID
        self.status = status
        self.reason = reason
        self.answerLost = answerLost
        self.faultID = faultID
        self.content = content
    }
}

/// Something that happened to a notification on its way to or on a device.
package struct DeviceEventRecord: Sendable, Equatable {
    /// What happened.
    package enum Kind: String, Sendable, CaseIterable {
        /// Shown as a new notification.
        case displayed
        /// Shown in place of an earlier one with the same collapse id.
        case replaced
        /// Kept by APNs for a device that is away.
        case stored
        /// Thrown away; `cause` says why.
        case discarded
    }

    package var at: Duration
    var person: Username
    var device: DeviceName
    var kind: Kind
    var apnsID: String
    /// Why it was thrown away, in the fake's words, such as `overwritten` or `notificationsOff`; nil otherwise.
    var cause: String?
    /// How often the thing of that name had been replaced by another before; see ``Installations``.
    package var installation = 0
    var content: PushContent?

    package init(
        at: Duration,
        person: Username,
        device: DeviceName,
        kind: Kind,
        apnsID: String,
        cause: String? = nil,
        content: PushContent?
    ) {
        self.at = at
        self.person = person
        self.device = device
        self.kind = kind
        self.apnsID = apnsID
        self.cause = cause
        self.content = content
    }
}

/// What a device told the notifier of a push.
package struct ReceiptRecord: Sendable, Equatable {
    /// What was notified.
    package enum Kind: String, Sendable, CaseIterable { case delivered, opened }

    /// When the attempt to tell it ended.
    var at: Duration
    var person: Username
    var device: DeviceName
    var kind: Kind
    var notificationID: String
    /// Whether the notifier took it.
    var isAcknowledged: Bool

    package init(
        at: Duration,
        person: Username,
        device: DeviceName,
        kind: Kind,
        notificationID: String,
        isAcknowledged: Bool
    ) {
        self.at = at
        self.person = person
        self.device = device
        self.kind = kind
        self.notificationID = notificationID
        self.isAcknowledged = isAcknowledged
    }
}
