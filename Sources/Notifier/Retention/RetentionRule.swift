import Configuration
import Platform

/// How long the rows of one table are kept.
struct RetentionRule: Sendable {
    let table: String
    /// Rows older than this go.
    let age: Duration
    /// Deletes rows from before an instant, at most so many; returns how many.
    let purge: @Sendable (Store, WallTime, Int) throws -> Int
}

extension RetentionRule {
    /// The figures that receipts are for look back a day.
    private static let receiptAge: Duration = .days(7)
    /// APNs takes one for an hour.
    private static let providerTokenAge: Duration = .days(1)

    /// Every rule, in the order in which they are carried out.
    ///
    /// What was notified may be forgotten, as it never comes back as new:
    /// - A note or a state event of a watched item stands in `seen_notes` or `seen_state_events` for as long as the item is watched,
    ///   and a new watch begins with a baseline. Were it not there, it would be older than the last complete reading plus a day,
    ///   which counts as backdated. Readings look back by `overlap` and, completely, every `reconcileEvery`; so their sum, plus that
    ///   day, is the youngest age at which a key can be spared, and the configuration refuses a shorter `dedupeRetention`.
    /// - A to-do that GitLab lists stands in `seen_todos` however old it is: its account's poller forgets only what a complete
    ///   reading did not list any more, in the transaction that notes what it did (``Store/reviewTodos(listed:of:forgetting:at:)``).
    ///   So no order of jobs, and no clock that was set wrong, forgets one that is still there.
    /// - A mention in a note of which only the note's key was forgotten: its to-do is one of those, or it is new, as when an edit
    ///   adds the mention later; then it is told, which is right.
    static func all(_ configuration: NotifierConfiguration) -> [RetentionRule] {
        [
            RetentionRule(table: "notifications", age: configuration.retention) {
                try $0.purgeNotifications(before: $1, limit: $2)
            },
            // Not at a sign-in: a clock that is far ahead for a while must sign nobody out.
            RetentionRule(table: "sessions", age: configuration.refreshTokenLifetime) {
                try $0.purgeSessions(before: $1, limit: $2)
            },
            // Behind the notifications, with which their deliveries go, and the sessions.
            RetentionRule(table: "devices", age: configuration.retention) {
                try $0.purgeDeadDevices(before: $1, limit: $2)
            },
            RetentionRule(table: "provider_tokens", age: providerTokenAge) {
                try $0.purgeProviderTokens(before: $1, limit: $2)
            },
            RetentionRule(table: "asks", age: configuration.retention) { try $0.purgeAsks(before: $1, limit: $2) },
            RetentionRule(table: "receipts", age: receiptAge) { try $0.purgeReceipts(before: $1, limit: $2) },
            RetentionRule(table: "notified_facts", age: configuration.dedupeRetention) {
                try $0.purgeNotifiedFacts(before: $1, limit: $2)
            },
            // When a row was deleted is not known; the first forgetting after it counts.
            RetentionRule(table: "sync_rows", age: configuration.syncRetention) {
                let now = $1.advanced(by: configuration.syncRetention)
                return try $0.purgeSyncDeletions(before: $1, at: now, limit: $2)
            },
            RetentionRule(table: "sync_envelopes", age: configuration.syncRetention) {
                try $0.purgeSyncEnvelopes(before: $1, limit: $2)
            },
            RetentionRule(table: "item_choices", age: configuration.syncRetention) {
                try $0.purgeUnwatched(before: $1, limit: $2)
            },
            RetentionRule(table: "choice_stamps", age: configuration.syncRetention) {
                try $0.purgeChoiceStamps(before: $1, limit: $2)
            },
        ]
    }
}
