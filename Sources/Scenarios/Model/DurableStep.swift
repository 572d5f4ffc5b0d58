/// Points at which a crash is worth most, all of them visible from outside the notifier.
package enum DurableStep: String, Sendable, CaseIterable {
    case beforeCommit = "before-commit"
    case afterCommit = "after-commit"
    case beforePoll = "before-poll"
    case afterPollAnswer = "after-poll-answer"
    case beforePush = "before-push"
    /// APNs acted, the notifier has not read the answer.
    case afterPush = "after-push"
    case afterPushAnswer = "after-push-answer"
    /// GitLab has given another pair of tokens, the notifier has not stored it.
    case afterTokenRefresh = "after-token-refresh"
    /// In the middle of a commit: the database is about to write to the disk.
    case beforeDiskWrite = "before-disk-write"
    /// In the middle of a commit: what was written is about to be made sure of.
    case beforeDiskSync = "before-disk-sync"
}

extension DurableStep {
    /// Whether nobody but the database sees it.
    package var isInDatabase: Bool {
        switch self {
        case .beforeCommit, .afterCommit, .beforeDiskWrite, .beforeDiskSync: true
        case .beforePoll, .afterPollAnswer, .beforePush, .afterPush, .afterPushAnswer, .afterTokenRefresh: false
        }
    }
}

/// What the notifier's disk keeps of writes that no sync had made sure of when the notifier died.
package enum KeptWrites: String, Sendable, CaseIterable {
    /// All of them: the process alone has died, and the machine runs on.
    case all
    /// None.
    case nothing
    /// Some, by chance and in no order.
    case some
    /// Some, and of others some sectors.
    case torn
    /// Any bytes where they were to be.
    case garbage
}
