/// Shows notifications on this device: UNUserNotificationCenter on Apple's systems, lines in the terminal client.
public protocol LocalNotifier: Sendable {
    /// What this app shows at the moment, by whichever way it came.
    func delivered() async -> [DeliveredNotification]

    /// Shows one. Another one of the same identifier is replaced.
    ///
    /// - Returns: false when the system does not let this app show anything.
    func show(_ notification: LocalNotification) async -> Bool

    /// Takes away what shows one of these notifications, by their ids; another one that has taken such a one's place stays.
    func withdraw(_ notificationIDs: [String]) async

    /// Puts a number on the app's icon; 0 takes it away.
    func setBadge(_ count: Int) async
}

/// What is on screen.
public struct DeliveredNotification: Sendable, Equatable {
    /// The system's: the `apns-collapse-id` of a push, ``LocalNotification/identifier`` of what the app has shown by itself.
    public var identifier: String
    /// The notification's, which a push bears as `data.notificationId`.
    public var notificationID: String

    /// That notification under that identifier.
    public init(identifier: String, notificationID: String) {
        (self.identifier, self.notificationID) = (identifier, notificationID)
    }
}

/// What is to be shown, in the words in which a push would have come.
public struct LocalNotification: Sendable, Equatable {
    /// What is a push's `apns-collapse-id`: Apple's systems show one of an identifier, and a reminder takes the first one's place.
    public var identifier: String
    /// The first line.
    public var title: String
    /// The second line.
    public var subtitle: String?
    /// The text below the title.
    public var body: String
    /// What belongs together on screen.
    public var thread: String?
    /// Which buttons it has: `GITLAB_ACTIVITY`, `GITLAB_NEW_MENTION` or `GITLAB_ASK`.
    public var category: String?
    /// `passive`, `active` or `time-sensitive`.
    public var interruptionLevel: String?
    /// What it tells of: where the item stands in GitLab, when it was, and the rest.
    public var notification: AppNotification

    /// As a push of the notification would look.
    public init(_ notification: AppNotification) {
        let pushed = notification.payload?.aps
        identifier = notification.screenIdentifier
        title = pushed?.alert?.title ?? notification.title
        subtitle = pushed?.alert?.subtitle ?? notification.subtitle
        body = pushed?.alert?.body ?? notification.body
        thread = pushed?.threadID ?? notification.subject
        category = pushed?.category
        interruptionLevel = pushed?.interruptionLevel
        self.notification = notification
    }
}
