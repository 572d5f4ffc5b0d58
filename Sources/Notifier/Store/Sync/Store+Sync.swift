import Platform
import SQLite

/// One thing that a person's devices keep alike, as of a revision.
struct SyncRow: Equatable, Sendable {
    enum Entity: String, Sendable, CaseIterable {
        case watch, choice, deniedActor, settings, readMark, duty, dutyMember, occurrence, dutyEvent, dutyMute
    }

    var entity: Entity
    /// Which one: an item as `42/issue/7`, a person's or a notification's id.
    var key: String
    var revision: Int64
    var isDeleted: Bool

    /// The item that a key names.
    static func item(_ key: String) throws -> ItemReference {
        let parts = key.split(separator: "/")
        guard parts.count == 3, let project = Int64(parts[0]), let kind = ItemKind(rawValue: String(parts[1])),
            let iid = Int64(parts[2])
        else { throw StoreError.unreadable(column: "row_key") }
        return ItemReference(project: ProjectID(rawValue: project), kind: kind, iid: iid)
    }
}

extension ItemReference {
    /// As rows for devices name it.
    var syncKey: String { "\(project.rawValue)/\(kind.rawValue)/\(iid)" }
}

/// What has changed for a device.
struct SyncPage: Equatable, Sendable {
    /// In the order of their revisions.
    var rows: [SyncRow]
    /// What the device asks with next.
    var revision: Int64
    var hasMore: Bool
    /// Whether the device has to forget what it has: this is the beginning of all there is.
    var isReset: Bool
    /// The snapshot of which this is a part and more follows.
    var snapshot: Int64?
}

extension Store {
    /// What changed after a revision, and where the device cannot go on from there, the beginning of all there is.
    ///
    /// It cannot with a revision from before the oldest deletion that is known, from the account of somebody who left and came again, from
    /// before a backup was restored, or above the server's own. What the rows stand for is read in the same transaction, without which this
    /// traps: another process may write between two statements.
    ///
    /// - Parameters:
    ///   - since: the revision that the device has; 0 for none.
    ///   - snapshot: the snapshot that the device goes on with. Its pages lie below the revision from which on every deletion is known.
    ///   - account: whose.
    ///   - limit: how many rows at most.
    /// - Returns: The page.
    /// - Throws: `SQLiteError`.
    func syncPage(since: Int64, snapshot: Int64?, of account: AccountID, limit: Int) throws -> SyncPage {
        precondition(database.isInTransaction, "a page and what its rows stand for are read in one transaction")
        let version = try versions(of: account)?.data ?? 0
        let floor = try syncFloor(of: account)
        let goesOn = snapshot == floor && since <= version
        let isReset = !goesOn && (since == 0 || since < floor || since > version)
        let rows = try database.rows(
            """
            SELECT entity, row_key, revision, is_deleted FROM sync_rows
            WHERE account_id = ? AND revision > ? ORDER BY revision LIMIT ?
            """,
            account,
            isReset ? 0 : since,
            limit + 1
        ) { row in
            guard let entity = SyncRow.Entity(rawValue: row.text(0)) else {
                throw StoreError.unreadable(column: "entity")
            }
            return SyncRow(entity: entity, key: row.text(1), revision: row.int64(2), isDeleted: row.bool(3))
        }
        let page = Array(rows.prefix(limit))
        let hasMore = rows.count > limit
        return SyncPage(
            rows: page,
            revision: hasMore ? page.last?.revision ?? version : version,
            hasMore: hasMore,
            isReset: isReset,
            snapshot: hasMore && (isReset || goesOn) ? floor : nil
        )
    }

    /// From which revision on every deletion is known.
    func syncFloor(of account: AccountID) throws -> Int64 {
        try database.first("SELECT revision FROM sync_floors WHERE account_id = ?", account) { $0.int64(0) } ?? 0
    }

    /// Devices that have an older revision begin anew.
    func raiseSyncFloor(of account: AccountID, to revision: Int64) throws {
        try database.execute(
            """
            INSERT INTO sync_floors (account_id, revision) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET revision = max(revision, excluded.revision)
            """,
            account,
            revision
        )
    }

    /// At which revision a thing changed last; nil when it never has.
    func syncRevision(_ entity: SyncRow.Entity, _ key: String, of account: AccountID) throws -> Int64? {
        try database.first(
            "SELECT revision FROM sync_rows WHERE account_id = ? AND entity = ? AND row_key = ?",
            account,
            entity.rawValue,
            key
        ) { $0.int64(0) }
    }

    // MARK: Envelopes

    /// When an envelope came first; nil when it is not known.
    func receivedAt(_ clientChangeID: String, from device: String, of account: AccountID) throws -> WallTime? {
        try database.first(
            "SELECT received_at FROM sync_envelopes WHERE account_id = ? AND device = ? AND client_change_id = ?",
            account,
            device,
            clientChangeID
        ) { $0.wallTime(0) }
    }

    /// Notes that an envelope has come; at most `limit` are kept for the account, the newest.
    func noteEnvelope(
        _ clientChangeID: String,
        from device: String,
        of account: AccountID,
        at now: WallTime,
        limit: Int
    ) throws {
        try database.execute(
            """
            INSERT INTO sync_envelopes (account_id, device, client_change_id, received_at) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            account,
            device,
            clientChangeID,
            now
        )
        try database.execute(
            """
            DELETE FROM sync_envelopes WHERE (account_id, device, client_change_id) IN (
                SELECT account_id, device, client_change_id FROM sync_envelopes WHERE account_id = ?
                ORDER BY received_at DESC, device, client_change_id LIMIT -1 OFFSET ?
            )
            """,
            account,
            limit
        )
    }

    // MARK: Forgetting

    /// Forgets deletions that were noticed before `end`, and notices those that were not yet. Devices that have not heard of one that is
    /// forgotten begin anew. Returns how many were forgotten.
    func purgeSyncDeletions(before end: WallTime, at now: WallTime, limit: Int) throws -> Int {
        try database.execute("UPDATE sync_rows SET deleted_at = ? WHERE is_deleted = 1 AND deleted_at IS NULL", now)
        let gone = try database.rows(
            """
            SELECT account_id, entity, row_key, revision FROM sync_rows
            WHERE is_deleted = 1 AND deleted_at < ? ORDER BY +account_id, revision LIMIT ?
            """,
            end,
            limit
        ) { (account: AccountID(rawValue: $0.int64(0)), entity: $0.text(1), key: $0.text(2), revision: $0.int64(3)) }
        for row in gone {
            try raiseSyncFloor(of: row.account, to: row.revision)
            try database.execute(
                "DELETE FROM sync_rows WHERE account_id = ? AND entity = ? AND row_key = ?",
                row.account,
                row.entity,
                row.key
            )
        }
        return gone.count
    }

    /// Forgets which envelopes came before `end`; at most `limit` at once. Returns how many.
    func purgeSyncEnvelopes(before end: WallTime, limit: Int) throws -> Int {
        try database.execute(
            """
            DELETE FROM sync_envelopes WHERE (account_id, device, client_change_id) IN (
                SELECT account_id, device, client_change_id FROM sync_envelopes WHERE received_at < ? LIMIT ?
            )
            """,
            end,
            limit
        )
    }

    /// Forgets when what was chosen before `end` was chosen; at most `limit` at once. Returns how many.
    func purgeChoiceStamps(before end: WallTime, limit: Int) throws -> Int {
        try database.execute(
            """
            DELETE FROM choice_stamps WHERE (account_id, entity, row_key) IN (
                SELECT account_id, entity, row_key FROM choice_stamps AS old
                WHERE changed_at < ? AND (value IS NULL OR value < ?)
                    -- A mute that still lies ahead ended with its watch.
                    AND NOT (entity = 'end' AND EXISTS (
                        SELECT 1 FROM choice_stamps
                        WHERE account_id = old.account_id AND entity = 'mute' AND row_key = old.row_key
                    ))
                LIMIT ?
            )
            """,
            end,
            end,
            limit
        )
    }
}
