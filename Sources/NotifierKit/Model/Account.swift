#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One of the person's devices, as the server knows it.
public struct RegisteredDevice: Sendable, Equatable, Codable {
    /// The server's id of the device.
    public var deviceId: String
    /// `ios` or `macos`.
    public var platform: String
    /// What the person calls it.
    public var name: String?
    /// The app's version; nil when it was not told.
    public var appVersion: String?
    /// `production` or `sandbox`; nil while it has no push token.
    public var environment: String?
    /// `active`, `held` while APNs refuses its token, `dead`, or `paired` without a push token.
    public var state: String
    /// Whether it is the one that asks.
    public var isCurrent: Bool
    /// When it last registered.
    public var registeredAt: Date
}

/// What a device tells the server of itself, for pushes.
public struct DeviceDescription: Sendable, Equatable, Codable {
    /// Apple's push token in hexadecimal digits.
    public var apnsToken: String
    /// `ios` or `macos`.
    public var platform: DevicePlatform
    /// Where the token is valid: `production`, or `sandbox` for an app that Xcode installed.
    public var environment: String
    /// The app's version; nil when it was not told.
    public var appVersion: String?
    /// What the person calls it.
    public var deviceName: String?

    /// A value of these members.
    public init(
        apnsToken: String,
        platform: DevicePlatform,
        environment: String,
        appVersion: String? = nil,
        deviceName: String? = nil
    ) {
        (self.apnsToken, self.platform, self.environment) = (apnsToken, platform, environment)
        (self.appVersion, self.deviceName) = (appVersion, deviceName)
    }
}

/// Somebody whose actions are not told.
public struct DeniedActor: Sendable, Equatable, Codable {
    /// GitLab's number of them.
    public var gitlabUserId: Int64
    /// What the app calls them.
    public var displayName: String?
    /// Why, in the words of whoever put them there.
    public var reason: String?

    /// A value of these members.
    public init(gitlabUserId: Int64, displayName: String? = nil, reason: String? = nil) {
        (self.gitlabUserId, self.displayName, self.reason) = (gitlabUserId, displayName, reason)
    }
}

/// A time of day in which news is held back.
public struct QuietWindow: Sendable, Equatable, Codable {
    /// `mon` to `sun`, the days on which it begins; every day when absent.
    public var days: [String]?
    /// Such as `22:00`.
    public var from: String
    /// Such as `07:00`, on the next day when it is not later.
    public var until: String

    /// A value of these members.
    public init(days: [String]? = nil, from: String, until: String) {
        (self.days, self.from, self.until) = (days, from, until)
    }
}

/// When and of what the person wants to be notified.
public struct PersonSettings: Sendable, Equatable, Codable {
    /// A zone of the tz database.
    public var timeZone: String
    /// When news is held back.
    public var quietHours: [QuietWindow]
    /// Whether mentions and review requests are told in quiet hours, too.
    public var urgentBypass: Bool
    /// Whether an item is watched once the person is tagged there.
    public var autoWatch: Bool
    /// Whether watch list and GitLab's subscriptions follow each other.
    public var mirrorSubscriptions: Bool
    /// Whether the person is told again that somebody waits for them.
    public var reminders: Bool
    /// Whether the person is reminded of what they have to have done by a day.
    public var dueReminders: Bool
    /// How many hours before that day begins, by the clock of ``timeZone``.
    public var dueLeadHours: Int
    /// Kinds of activity on watched items to tell.
    public var kinds: [String]
    /// When the present quiet hours end; absent when it is not quiet.
    public var quietUntil: Date?
}

/// Settings to change; what is absent stays.
public struct SettingsChange: Sendable, Equatable, Codable {
    /// A zone of the tz database.
    public var timeZone: String?
    /// When news is held back.
    public var quietHours: [QuietWindow]?
    /// Whether mentions and review requests are told in quiet hours, too.
    public var urgentBypass: Bool?
    /// Whether an item is watched once the person is tagged there.
    public var autoWatch: Bool?
    /// Whether watch list and GitLab's subscriptions follow each other.
    public var mirrorSubscriptions: Bool?
    /// Whether the person is told again that somebody waits for them.
    public var reminders: Bool?
    /// Whether the person is reminded of what they have to have done by a day.
    public var dueReminders: Bool?
    /// How many hours before that day begins; 0…336.
    public var dueLeadHours: Int?
    /// Kinds of activity on watched items to tell.
    public var kinds: [String]?

    /// Begins empty.
    public init() {}
}

/// Whether a server runs.
public struct ServerHealth: Sendable, Equatable, Codable {
    /// `ok`.
    public var status: String
    /// The program's version.
    public var version: String
    /// Seconds.
    public var uptime: Int64
}

/// What the server knows and does for the person, as far as an app shows it.
public struct ServerStatus: Sendable, Equatable, Codable {
    /// The connection to GitLab.
    public struct Account: Sendable, Equatable, Codable {
        /// `active`, `auth_expired` or `gitlab_not_served`.
        public var state: String
        /// Since when GitLab cannot be read; nil while it can.
        public var troubleSince: Date?
        /// A day such as `2026-12-31`.
        public var tokenExpiresOn: String?
    }

    /// How polling goes.
    public struct Polling: Sendable, Equatable, Codable {
        /// When GitLab was last read.
        public var lastSuccessfulPollAt: Date?
        /// When GitLab is tried again; nil unless the account is set aside.
        public var setAsideUntil: Date?
    }

    /// What was sent.
    public struct Notifications: Sendable, Equatable, Codable {
        /// Deliveries that wait.
        public var pendingOutbox: Int
        /// Notifications made in the last 24 hours.
        public var sentLast24h: Int
        /// Deliveries that were given up.
        public var deadLetters: Int
    }

    /// Who waits for the person.
    public struct Asks: Sendable, Equatable, Codable {
        /// How many.
        public var open: Int
        /// Since when the one that waits longest does.
        public var oldestAt: Date?
        /// When the person is told again; nil when they are not.
        public var remindAt: Date?
    }

    /// The watch list.
    public struct Watches: Sendable, Equatable, Codable {
        /// How many.
        public var count: Int
    }

    /// The connection to GitLab.
    public var account: Account
    /// How polling goes.
    public var pollState: Polling
    /// The watch list.
    public var watchedItems: Watches
    /// What was sent.
    public var notifications: Notifications
    /// Who waits for the person.
    public var asks: Asks
    /// What keeps pushes back, by environment; `ok` when nothing does.
    public var apns: [String: String]
}
