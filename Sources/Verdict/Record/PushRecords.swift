package import Scenarios

/// One push request as APNs saw it.
package struct PushRecord: Sendable, Equatable {
    /// When APNs had it.
    package var at: Duration
    /// When it left the notifier, earlier by the way it took; nil where the driver does not see that.
    package var sentAt: Duration?
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
    /// Until when APNs is to keep it for a device that is away, as `apns-expiration` says: seconds since 1970, 0 for not at all; nil where the
    /// request does not say.
    package var expiration: Int64?
    /// When the notifier had taken another token of the same thing, where this push goes to a former one.
    package var newerTokenAt: Duration?
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

/// The answer to a push that lets an app fetch what is new, and shows nothing.
package struct SilentPushRecord: Sendable, Equatable {
    var at: Duration
    var person: Username
    var device: DeviceName
    var status: Int
    /// Empty for an accepted push.
    var reason: String

    package init(at: Duration, person: Username, device: DeviceName, status: Int, reason: String) {
        (self.at, self.person, self.device) = (at, person, device)
        (self.status, self.reason) = (status, reason)
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
    /// Under which id it stands on a screen, where another with that id takes its place; nil for the id of its notification.
    package var collapseID: String?
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
