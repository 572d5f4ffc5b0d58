/// Shows notifications on this device: UNUserNotificationCenter on Apple's systems, lines in the terminal client.
public protocol LocalNotifier: Sendable {
    /// Identifiers of what this app shows at the moment, by whichever way it came.
    func delivered() async -> [String]

    /// Shows one. Another one of the same identifier is replaced.
    ///
    /// - Returns: false when the system does not let this app show anything.
    func show(_ notification: LocalNotification) async -> Bool

    /// Takes away what is shown under these identifiers.
    func withdraw(_ identifiers: [String]) async

    /// Puts a number on the app's icon; 0 takes it away.
    func setBadge(_ count: Int) async
}

/// What is to be shown, in the words in which a push would have come.
public struct LocalNotification: Sendable, Equatable {
    /// The notification's id, which is a push's `apns-collapse-id`: Apple's systems show one of an identifier.
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
        identifier = notification.id
        title = pushed?.alert?.title ?? notification.title
        subtitle = pushed?.alert?.subtitle
        body = pushed?.alert?.body ?? notification.body
        thread = pushed?.threadID ?? notification.subject
        category = pushed?.category
        interruptionLevel = pushed?.interruptionLevel
        self.notification = notification
    }
}
