/// Which buttons a push shows.
enum NotificationCategory: String, Encodable, Sendable, CaseIterable {
    case activity = "GITLAB_ACTIVITY"
    /// Watch and Dismiss: somebody tagged the person on an item they do not watch.
    case newMention = "GITLAB_NEW_MENTION"
    /// Done and Later: somebody still waits for the person.
    case ask = "GITLAB_ASK"
}
