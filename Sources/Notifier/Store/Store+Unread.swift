import Platform
import SQLite

/// What the person has not read yet.
extension Store {
    /// A notification that a to-do item caused and that nobody has read.
    struct UnreadTodo: Sendable {
        var notification: NotificationID
        var todo: Int64
    }

    /// Those made before `start`, the oldest first; without those that the person chose to be unread again. What was made by a clock that was
    /// ahead of the one that shows `now` counts.
    func unreadTodos(of account: AccountID, before start: WallTime, at now: WallTime) throws -> [UnreadTodo] {
        try database.rows(
            """
            SELECT id, source_id FROM notifications
            WHERE account_id = ? AND read_at IS NULL AND source = 'todo' AND source_id IS NOT NULL
                AND (created_at < ? OR created_at > ?) AND read_changed_at IS NULL
            ORDER BY id
            """,
            account,
            start,
            now.advanced(by: Self.clockLead)
        ) { UnreadTodo(notification: NotificationID(rawValue: $0.int64(0)), todo: $0.int64(1)) }
    }

    /// Whether a notification counts while it is unread: news about activity and duties, and what programs ask. To be reminded of a turn is no news.
    static let countsWhileUnread = """
        (
            kind IN ('activity', 'digest') OR kind = 'signal' AND action_type = 'approval_needed'
            OR kind = 'duty' AND action_type <> 'duty_reminder'
        )
        """

    /// How many notifications that count nobody has read.
    func unreadCount(of account: AccountID) throws -> Int {
        try database.first(
            SQL(
                text: """
                    SELECT count(*) FROM notifications
                    WHERE account_id = ? AND read_at IS NULL AND \(Self.countsWhileUnread)
                    """
            ),
            account
        ) { $0.int(0) } ?? 0
    }
}
