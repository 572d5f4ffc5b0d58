import Platform

/// Names one accepted push within a `DeviceFleet`; rising in the order of acceptance, beginning with 0.
package struct PushID: Sendable, Hashable, Comparable {
    package let rawValue: Int64

    package static func < (left: PushID, right: PushID) -> Bool { left.rawValue < right.rawValue }
}

/// One accepted push. Immutable; a class because mailbox, ledger and events all hold the same one.
package final class Push: Sendable {
    package let id: PushID
    /// As the answer carried it.
    package let apnsID: String
    let token: DeviceToken
    /// The device to which the token was given, whether or not it still answers to it.
    package let device: DeviceID
    /// As sent: the bundle id with the suffix of its push type.
    package let topic: String
    /// The topic without that suffix.
    let bundleID: String
    let environment: APNsEnvironment
    let type: PushType
    let priority: PushPriority
    let expiration: PushExpiration
    package let collapseID: String?
    /// The request body, byte for byte.
    package let payload: [UInt8]
    /// True when a person would see something: an alert, sent as one.
    let isVisible: Bool
    /// By the fake's own clock.
    let acceptedAt: WallTime

    init(id: PushID, draft: PushDraft, device: DeviceID, acceptedAt: WallTime) {
        self.id = id
        apnsID = draft.apnsID
        token = draft.token
        self.device = device
        topic = draft.topic
        bundleID = draft.bundleID
        environment = draft.environment
        type = draft.type
        priority = draft.priority
        expiration = draft.expiration
        collapseID = draft.collapseID
        payload = draft.payload
        isVisible = draft.type != .background && draft.hasAlert
        self.acceptedAt = acceptedAt
    }

    /// Whether it wakes an app, and shows nothing (APNs facts §9).
    package var isBackground: Bool { type == .background }

    var reference: PushReference { PushReference(id: id, apnsID: apnsID) }
}

/// Points to a push from another one's story.
package struct PushReference: Sendable, Hashable {
    package let id: PushID
    let apnsID: String
}

/// A request that passed every check, on its way to the devices.
struct PushDraft {
    var apnsID: String
    var token: DeviceToken
    var topic: String
    var bundleID: String
    var environment: APNsEnvironment
    var type: PushType
    var priority: PushPriority
    var expiration: PushExpiration
    var collapseID: String?
    var payload: [UInt8]
    var hasAlert: Bool
    var treatment = DeliveryTreatment()
}

/// What the service's own troubles do to one delivery.
struct DeliveryTreatment {
    /// Settles the push at once with this cause.
    var discarded: DiscardCause?
    /// Added to the drawn latency.
    var delay: Duration = .zero
    /// True when the push may pass those before it.
    var mayOvertake = false
}
