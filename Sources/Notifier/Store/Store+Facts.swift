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
