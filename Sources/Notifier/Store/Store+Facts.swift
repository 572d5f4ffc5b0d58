import Platform
import SQLite

/// Of which facts an account has been notified.
extension Store {
    /// When the fact happened, as it was told; nil when it has not been told.
    func notifiedFact(_ key: FactKey, to account: AccountID) throws -> WallTime? {
        try database.first(
            "SELECT occurred_at FROM notified_facts WHERE account_id = ? AND fact_key = ?",
            account,
            key.text
        ) { $0.wallTime(0) }
    }

    /// The newest notification that told of a fact; nil for one that is silenced, or that none tells of which is still kept.
    func notification(tellingOf key: FactKey, to account: AccountID) throws -> NotificationID? {
        let isTold = try database.first(
            "SELECT silenced IS NULL FROM notified_facts WHERE account_id = ? AND fact_key = ?",
            account,
            key.text
        ) { $0.bool(0) }
        guard isTold == true else { return nil }
        // The newest come first, and what is looked for is hardly older than a few minutes.
        return try database.first(
            """
            SELECT id FROM notifications
            WHERE account_id = ? AND instr(' ' || fact_keys || ' ', ' ' || ? || ' ') > 0 ORDER BY id DESC LIMIT 1
            """,
            account,
            key.text
        ) { NotificationID(rawValue: $0.int64(0)) }
    }

    /// When the person had a notification first; nil while nobody knows that they have it.
    func firstTold(_ notification: NotificationID) throws -> WallTime? {
        try database.first(
            """
            SELECT min(had_at) FROM (
                SELECT accepted_at AS had_at FROM deliveries WHERE notification_id = ?1
                UNION ALL SELECT acknowledged_at FROM acknowledgements WHERE notification_id = ?1
                UNION ALL SELECT read_at FROM notifications WHERE id = ?1
            )
            """,
            notification
        ) { $0.optionalWallTime(0) } ?? nil
    }

    /// Records a fact as told, or as one that needs no telling. One recorded before stays as it was.
    ///
    /// - Parameters:
    ///   - key: what it is known by.
    ///   - account: to whom it is told.
    ///   - occurredAt: when it happened.
    ///   - now: when it was found.
    ///   - reason: why it is told to nobody; nil where it is told.
    /// - Throws: `SQLiteError`.
    func insertNotifiedFact(
        _ key: FactKey,
        to account: AccountID,
        occurredAt: WallTime,
        at now: WallTime,
        silencedFor reason: Candidate.SuppressionReason? = nil
    ) throws {
        try database.execute(
            """
            INSERT INTO notified_facts (account_id, fact_key, occurred_at, notified_at, silenced) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            account,
            key.text,
            occurredAt,
            now,
            reason?.rawValue
        )
    }

    /// Notes why a recorded fact is not told after all.
    func silenceFact(_ key: String, of account: AccountID, for reason: Candidate.SuppressionReason) throws {
        try database.execute(
            "UPDATE notified_facts SET silenced = ? WHERE account_id = ? AND fact_key = ?",
            reason.rawValue,
            account,
            key
        )
    }
}
