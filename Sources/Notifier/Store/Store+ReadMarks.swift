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
    ///   - origin: what made the choice, as a stamp says.
    /// - Returns: Whether it is another way now; false where a later choice stands.
    /// - Throws: `SQLiteError`.
    @discardableResult
    func setRead(
        _ isRead: Bool,
        _ notification: NotificationID,
        chosenAt instant: WallTime,
        by origin: String = ""
    ) throws -> Bool {
        let before = try database.first(
            """
            SELECT read_at, read_changed_at, read_changed_by FROM notifications WHERE id = ?
            """,
            notification
        ) { row in
            (
                readAt: row.optionalWallTime(0),
                stamp: row.optionalWallTime(1).map { ChangeStamp(at: $0, by: row.text(2)) }
            )
        }
        let stamp = ChangeStamp(at: instant, by: origin)
        guard let before, MergePolicy.takes(stamp, over: before.stamp) else { return false }
        try database.execute(
            "UPDATE notifications SET read_at = ?, read_changed_at = ?, read_changed_by = ? WHERE id = ?",
            isRead ? before.readAt ?? instant : nil,
            instant,
            origin,
            notification
        )
        return isRead != (before.readAt != nil)
    }

    /// The newest notification of an account; nil where there is none.
    func lastNotification(of account: AccountID) throws -> NotificationID? {
        try database.first("SELECT max(id) FROM notifications WHERE account_id = ?", account) { $0.optionalInt64(0) }
            .flatMap { $0.map { NotificationID(rawValue: $0) } }
    }

    /// Notes that the person has read what was made until they said so.
    ///
    /// - Parameters:
    ///   - scope: what they mean.
    ///   - account: whose.
    ///   - last: the newest that there was when the choice arrived; what is behind it came while the choice waited, and nobody has seen it.
    ///   - known: the newest that they knew when they said so; it and what is older is meant, whatever the clocks say.
    ///   - instant: when they said so, by which it stands against other choices. What was made since is not meant beyond `known`, but for
    ///     what a clock made that was ahead of the one that shows `now`; nor does a choice stand that such a clock has dated.
    ///   - origin: what made the choice, as a stamp says.
    ///   - now: when the choice arrived, read no earlier than `last`.
    /// - Returns: How many were unread.
    /// - Throws: `SQLiteError`.
    func markRead(
        _ scope: ReadScope,
        of account: AccountID,
        upTo last: NotificationID,
        known: NotificationID? = nil,
        chosenAt instant: WallTime,
        by origin: String = "",
        at now: WallTime
    ) throws -> Int {
        var subject: String?
        if case .subject(let text) = scope { subject = text }
        let count =
            try database.first(
                """
                SELECT count(*) FROM notifications
                WHERE account_id = ? AND id <= ? AND read_at IS NULL
                    AND (created_at <= ? OR created_at > ? OR id <= ?)
                    AND thread_id = coalesce(?, thread_id)
                    AND (
                        read_changed_at IS NULL OR (read_changed_at, read_changed_by) <= (?, ?) OR read_changed_at > ?
                    )
                """,
                account,
                last,
                instant,
                now.advanced(by: Self.clockLead),
                known,
                subject,
                instant,
                origin,
                now.advanced(by: Self.clockLead)
            ) { $0.int(0) } ?? 0
        // Those that are read already keep their instant; that it was said again keeps an older "unread" from undoing it.
        try database.execute(
            """
            UPDATE notifications SET read_at = coalesce(read_at, ?), read_changed_at = ?, read_changed_by = ?
            WHERE account_id = ? AND id <= ? AND (created_at <= ? OR created_at > ? OR id <= ?)
                AND thread_id = coalesce(?, thread_id)
                AND (read_changed_at IS NULL OR (read_changed_at, read_changed_by) <= (?, ?) OR read_changed_at > ?)
            """,
            instant,
            instant,
            origin,
            account,
            last,
            instant,
            now.advanced(by: Self.clockLead),
            known,
            subject,
            instant,
            origin,
            now.advanced(by: Self.clockLead)
        )
        return count
    }

    /// When and by what a notification was said last to be read or unread; nil when nobody has said it.
    func readStamp(_ notification: NotificationID) throws -> ChangeStamp? {
        try database.first(
            "SELECT read_changed_at, read_changed_by FROM notifications WHERE id = ?",
            notification
        ) { row in row.optionalWallTime(0).map { ChangeStamp(at: $0, by: row.text(1)) } } ?? nil
    }

    /// Whether the account's person has read a notification; false when there is none.
    func isRead(_ publicID: String, of account: AccountID) throws -> Bool {
        try database.first(
            "SELECT read_at IS NOT NULL FROM notifications WHERE public_id = ? AND account_id = ?",
            publicID,
            account
        ) { $0.bool(0) } ?? false
    }
}
