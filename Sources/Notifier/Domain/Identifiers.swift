/// A person's connection to one GitLab instance, as this server numbers it.
struct AccountID: Hashable, Comparable, Sendable {
    let rawValue: Int64

    static func < (left: AccountID, right: AccountID) -> Bool { left.rawValue < right.rawValue }
}

/// A registered device, as this server numbers it.
struct DeviceID: Hashable, Comparable, Sendable {
    let rawValue: Int64

    static func < (left: DeviceID, right: DeviceID) -> Bool { left.rawValue < right.rawValue }
}

/// An entry of someone's watch list, as this server numbers it.
struct WatchID: Hashable, Comparable, Sendable {
    let rawValue: Int64

    static func < (left: WatchID, right: WatchID) -> Bool { left.rawValue < right.rawValue }
}

/// A project's numeric id on its GitLab instance; stays the same when the project is renamed (GitLab facts §1).
struct ProjectID: Hashable, Comparable, Sendable {
    let rawValue: Int64

    static func < (left: ProjectID, right: ProjectID) -> Bool { left.rawValue < right.rawValue }
}

/// A notification in the outbox, as this server numbers it.
struct NotificationID: Hashable, Comparable, Sendable {
    let rawValue: Int64

    static func < (left: NotificationID, right: NotificationID) -> Bool { left.rawValue < right.rawValue }
}

/// A program that may tell or ask a person something, as this server numbers its token: at random, so that the number tells nothing.
struct SignalTokenID: Hashable, Comparable, Sendable {
    let rawValue: Int64

    static func < (left: SignalTokenID, right: SignalTokenID) -> Bool { left.rawValue < right.rawValue }
}

/// One notification's way to one device, as this server numbers it.
struct DeliveryID: Hashable, Comparable, Sendable {
    let rawValue: Int64

    static func < (left: DeliveryID, right: DeliveryID) -> Bool { left.rawValue < right.rawValue }
}
