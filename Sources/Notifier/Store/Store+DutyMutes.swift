import Duties
import Platform
import SQLite

/// Duties that tell a person nothing for a while.
extension Store {
    /// The last choice of an account about whether a duty tells it something; nil before there is one. Its end may lie in the past.
    func dutyMute(_ duty: DutyRecord, of account: AccountID) throws -> (end: WallTime?, stamp: ChangeStamp)? {
        try database.first(
            "SELECT muted_until, changed_at, changed_by FROM duty_mutes WHERE account_id = ? AND duty_id = ?",
            account,
            duty.id
        ) { ($0.optionalWallTime(0), ChangeStamp(at: $0.wallTime(1), by: $0.text(2))) }
    }

    /// Keeps a duty silent for an account until an instant, or lets it speak again; what it asks of the person then is over.
    ///
    /// - Returns: False when a later choice stands.
    /// - Throws: `SQLiteError`.
    func muteDuty(
        _ duty: DutyRecord,
        until end: WallTime?,
        of account: AccountID,
        _ stamp: ChangeStamp,
        at now: WallTime
    ) throws -> Bool {
        guard MergePolicy.takes(stamp, over: try dutyMute(duty, of: account)?.stamp) else { return false }
        try database.execute(
            """
            INSERT INTO duty_mutes (account_id, duty_id, muted_until, changed_at, changed_by) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET muted_until = excluded.muted_until, changed_at = excluded.changed_at,
                changed_by = excluded.changed_by
            """,
            account,
            duty.id,
            end,
            stamp.at,
            stamp.by
        )
        if let end, now < end { try settleAsks(.duty(duty.duty.id), of: account, by: .silenced, at: now) }
        return true
    }

    /// The ids of duties that tell an account nothing now.
    func mutedDuties(of account: AccountID, at now: WallTime) throws -> Set<String> {
        Set(
            try database.rows(
                """
                SELECT duties.public_id FROM duty_mutes JOIN duties ON duties.id = duty_mutes.duty_id
                WHERE duty_mutes.account_id = ? AND duty_mutes.muted_until > ?
                """,
                account,
                now
            ) { $0.text(0) }
        )
    }

    /// The last mutes of an account by the ids of the duties, also those that are over.
    func dutyMutes(of account: AccountID) throws -> [String: MuteSpan] {
        let rows = try database.rows(
            """
            SELECT duties.public_id, duty_mutes.changed_at, duty_mutes.muted_until
            FROM duty_mutes JOIN duties ON duties.id = duty_mutes.duty_id
            WHERE duty_mutes.account_id = ? AND duty_mutes.muted_until IS NOT NULL
            """,
            account
        ) { ($0.text(0), MuteSpan(from: $0.wallTime(1), until: $0.wallTime(2))) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// A mute goes when its person leaves: who comes back hears of the duty.
    func forgetDutyMute(_ duty: DutyRecord, of account: AccountID) throws {
        try database.execute("DELETE FROM duty_mutes WHERE account_id = ? AND duty_id = ?", account, duty.id)
    }
}
