import Duties
import Platform
import SQLite

/// What the devices of those hear who join a duty, or leave it. What changes meanwhile triggers tell everybody who takes part.
extension Store {
    /// Gives each row of a duty the next revision of an account that joined.
    func tellAll(of duty: DutyRecord, to account: AccountID) throws {
        let keys: [(entity: SyncRow.Entity, sql: SQL)] = [
            (.duty, "SELECT public_id FROM duties WHERE id = ?"),
            (.dutyMember, "SELECT public_id FROM duty_members WHERE duty_id = ? ORDER BY position"),
            (.occurrence, "SELECT public_id FROM duty_occurrences WHERE duty_id = ? ORDER BY occurrence_index"),
            (.dutyEvent, "SELECT public_id FROM duty_events WHERE duty_id = ? ORDER BY public_id"),
        ]
        for (entity, sql) in keys {
            let found = try database.rows(sql, bindings: [duty.id]) { $0.text(0) }
            for key in found { try tell(entity, key, isDeleted: false, to: account) }
        }
    }

    /// Tells an account that a duty is no more for it, and with it all that belongs to it.
    func tellEnd(of duty: DutyRecord, to account: AccountID) throws {
        try database.execute(
            """
            DELETE FROM sync_rows WHERE account_id = ?1 AND (
                entity = 'dutyMember' AND row_key IN (SELECT public_id FROM duty_members WHERE duty_id = ?2)
                OR entity = 'occurrence' AND row_key IN (SELECT public_id FROM duty_occurrences WHERE duty_id = ?2)
                OR entity = 'dutyEvent' AND row_key IN (SELECT public_id FROM duty_events WHERE duty_id = ?2)
            )
            """,
            account,
            duty.id
        )
        let id = duty.duty.id.description
        try tell(.duty, id, isDeleted: true, to: account)
        // Who comes back before a device of theirs has asked is told of no end of the duty.
        if try syncRevision(.dutyMute, id, of: account) != nil { try tell(.dutyMute, id, isDeleted: true, to: account) }
        try forgetDutyMute(duty, of: account)
    }

    /// Tells an account that so many of its rows are no more.
    func forgetSyncRows(of account: AccountID, _ condition: String, _ duty: Int64, _ index: Int) throws {
        let keys = try database.rows(
            SQL(text: "SELECT entity, row_key FROM sync_rows WHERE account_id = ?1 AND \(condition) ORDER BY revision"),
            bindings: [account, duty, index]
        ) { (entity: $0.text(0), key: $0.text(1)) }
        for row in keys {
            guard let entity = SyncRow.Entity(rawValue: row.entity) else {
                throw StoreError.unreadable(column: "entity")
            }
            try tell(entity, row.key, isDeleted: true, to: account)
        }
    }

    private func tell(_ entity: SyncRow.Entity, _ key: String, isDeleted: Bool, to account: AccountID) throws {
        try raiseDataVersion(of: account)
        try database.execute(
            """
            INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
            SELECT id, ?, ?, data_version, ? FROM accounts WHERE id = ?
            ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL
            """,
            entity.rawValue,
            key,
            isDeleted,
            account
        )
    }
}
