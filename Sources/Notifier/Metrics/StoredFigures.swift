import Platform

/// What the metrics page needs from the tables at the moment it is asked.
struct StoredFigures: Sendable {
    struct Queue: Equatable, Sendable {
        var account: AccountID
        /// Those that are due.
        var queued = 0
        var sending = 0
        var dead = 0
        /// From when on it was to be pushed, of those that wait for an active device. What is not due yet, in quiet hours, waits for nothing.
        var oldest: WallTime?
    }

    /// Accounts with anything in the outbox.
    var queues: [Queue] = []
    /// Items per account.
    var watches: [(account: AccountID, count: Int)] = []
    var activeAccounts = 0
    /// Who waits for people, by account.
    var openAsks: [(account: AccountID, count: Int)] = []
    /// Reminders whose time has come, by account.
    var dueReminders: [(account: AccountID, count: Int)] = []
    /// When the next reminder is due, or was; nil when none waits.
    var nextReminder: WallTime?
}
