import Platform
import SQLite

/// What the person has read: one mark for all of their devices. Who chose last stands, whichever choice arrives last.
extension Store {
    /// Whether a choice about many reaches those about one subject, or all.
    enum ReadScope: Equatable, Sendable {
        case all
        /// As ``HistoryRow/subject`` says.
        case subject(String)
    }

    /// Notes that a notification is read, or unread again. Of one that is read already the first instant stays.
    ///
    /// - Parameters:
    ///   - isRead: what the person chose.
    ///   - notification: the notification.
    ///   - instant: when they did, bounded by the caller.
    /// - Returns: Whether it is another way now; false where a later choice stands.
    /// - Throws: `SQLiteError`.
    @discardableResult
    func setRead(_ isRead: Bool, _ notification: NotificationID, chosenAt instant: WallTime) throws -> Bool {
        let before = try database.first(
            """
            SELECT account_id, read_at FROM notifications
            WHERE id = ? AND (read_changed_at IS NULL OR read_changed_at <= ?)
            """,
            notification,
            instant
        ) { (account: AccountID(rawValue: $0.int64(0)), readAt: $0.optionalWallTime(1)) }
        guard let before else { return false }
        try database.execute(
            "UPDATE notifications SET read_at = ?, read_changed_at = ? WHERE id = ?",
            isRead ? before.readAt ?? instant : nil,
            instant,
            notification
        )
        guard isRead != (before.readAt != nil) else { return false }
        try raiseDataVersion(of: before.account)
        return true
    }

    /// Notes that the person has read what was made until `instant`, which is when they said so. Returns how many were unread.
    func markRead(_ scope: ReadScope, of account: AccountID, chosenAt instant: WallTime) throws -> Int {
        var subject: String?
        if case .subject(let text) = scope { subject = text }
        let count =
            try database.first(
                """
                SELECT count(*) FROM notifications
                WHERE account_id = ? AND read_at IS NULL AND created_at <= ? AND thread_id = coalesce(?, thread_id)
                    AND (read_changed_at IS NULL OR read_changed_at <= ?)
                """,
                account,
                instant,
                subject,
                instant
            ) { $0.int(0) } ?? 0
        // Those that are read already keep their instant; that it was said again keeps an older "unread" from undoing it.
        try database.execute(
            """
            UPDATE notifications SET read_at = coalesce(read_at, ?), read_changed_at = ?
            WHERE account_id = ? AND created_at <= ? AND thread_id = coalesce(?, thread_id)
                AND (read_changed_at IS NULL OR read_changed_at <= ?)
            """,
            instant,
            instant,
            account,
            instant,
            subject,
            instant
        )
        if count > 0 { try raiseDataVersion(of: account) }
        return count
    }
}
