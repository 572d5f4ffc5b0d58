import Platform
import SQLite

/// A notification as an app takes it over that asks for what is new.
struct PulledRow: Equatable, Sendable {
    var row: HistoryRow
    /// What was pushed, or would have been.
    var payload: [UInt8]
}

/// What is new to an app.
struct PulledPage: Equatable, Sendable {
    /// Oldest first.
    var rows: [PulledRow] = []
    /// Whether there is more behind the last row.
    var hasMore = false
    /// Whether the row after which the app asked is not known, so that the page begins with the oldest that is kept.
    var isReset = false
    /// The account's number as of this page.
    var notificationVersion: Int64 = 0
}

/// How much is unread about one subject.
struct UnreadSubject: Equatable, Sendable {
    var subject: String
    var count: Int
    var newest: HistoryRow
}

/// What apps ask for in the foreground.
extension Store {
    /// The account's notifications that were made after the one that clients know by `publicID`, oldest first.
    ///
    /// The order is that of ids, which rise. One that is not known (forgotten, another person's, from before a backup was restored) would
    /// leave the app stuck: it gets everything that is kept.
    ///
    /// - Parameters:
    ///   - publicID: the newest that the app knows; nil for one that knows none.
    ///   - account: whose.
    ///   - limit: how many at most.
    /// - Returns: The page, with the account's number as of it.
    /// - Throws: `SQLiteError`.
    func newer(than publicID: String?, of account: AccountID, limit: Int) throws -> PulledPage {
        let known = try publicID.flatMap { try notification(publicID: $0, of: account)?.id }
        let rows = try database.rows(
            """
            SELECT id, public_id, kind, item_kind, project_id, item_iid, source, source_id, title, body, web_url,
                fact_keys, created_at, read_at, thread_id, action_type, collapse_id, subtitle, payload
            FROM notifications
            WHERE account_id = ? AND id > ? ORDER BY id LIMIT ?
            """,
            account,
            known?.rawValue ?? 0,
            limit + 1
        ) { PulledRow(row: HistoryRow($0), payload: $0.blob(18)) }
        return PulledPage(
            rows: Array(rows.prefix(limit)),
            hasMore: rows.count > limit,
            isReset: publicID != nil && known == nil,
            notificationVersion: try versions(of: account)?.notifications ?? 0
        )
    }

    /// What is unread, by subject, the subject with the newest notification first; as the badge counts it (``unreadCount(of:)``).
    ///
    /// - Parameters:
    ///   - account: whose.
    ///   - limit: how many subjects at most.
    /// - Returns: The subjects, and how many there are in all.
    /// - Throws: `SQLiteError`.
    func unreadSubjects(of account: AccountID, limit: Int) throws -> (first: [UnreadSubject], total: Int) {
        // SQLite takes the other columns from the row with the largest id (sqlite.org/lang_select.html §2.5).
        let found = try database.rows(
            SQL(
                text: """
                    SELECT max(id), public_id, kind, item_kind, project_id, item_iid, source, source_id, title, body, web_url,
                        fact_keys, created_at, read_at, thread_id, action_type, collapse_id, subtitle,
                        count(*), count(*) OVER ()
                    FROM notifications
                    WHERE account_id = ? AND read_at IS NULL AND \(Self.countsWhileUnread)
                    GROUP BY thread_id ORDER BY 1 DESC LIMIT ?
                    """
            ),
            account,
            limit
        ) { (UnreadSubject(subject: $0.text(14), count: $0.int(18), newest: HistoryRow($0)), $0.int(19)) }
        return (found.map(\.0), found.first?.1 ?? 0)
    }
}
