import Platform
import SQLite

/// What a stamp in `choice_stamps` is about.
enum StampedEntity: String, Sendable {
    case actor
    /// The last end of a watch of an item.
    case end
    case mute, setting
}

/// When the last choice about something was made.
extension Store {
    /// The last choice's stamp and value; nil when none is known.
    func stamp(
        _ entity: StampedEntity,
        _ key: String,
        of account: AccountID
    ) throws -> (stamp: ChangeStamp, value: Int64?)? {
        try database.first(
            "SELECT changed_at, changed_by, value FROM choice_stamps WHERE account_id = ? AND entity = ? AND row_key = ?",
            account,
            entity.rawValue,
            key
        ) { (ChangeStamp(at: $0.wallTime(0), by: $0.text(1)), $0.optionalInt64(2)) }
    }

    /// Records a choice unless a later one stands. Returns whether it is the last one.
    func take(
        _ stamp: ChangeStamp,
        _ entity: StampedEntity,
        _ key: String,
        value: Int64? = nil,
        of account: AccountID
    ) throws -> Bool {
        guard MergePolicy.takes(stamp, over: try self.stamp(entity, key, of: account)?.stamp) else { return false }
        try database.execute(
            """
            INSERT INTO choice_stamps (account_id, entity, row_key, changed_at, changed_by, value)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET changed_at = excluded.changed_at, changed_by = excluded.changed_by,
                value = excluded.value
            """,
            account,
            entity.rawValue,
            key,
            stamp.at,
            stamp.by,
            value
        )
        return true
    }

    /// How many choices of a kind are remembered for the account.
    func stampCount(_ entity: StampedEntity, of account: AccountID) throws -> Int {
        try database.first(
            "SELECT count(*) FROM choice_stamps WHERE account_id = ? AND entity = ?",
            account,
            entity.rawValue
        ) { $0.int(0) } ?? 0
    }

    // MARK: Mutes

    /// Keeps an item silent until an instant, or lets it speak again, also while it is not watched. Returns whether no later choice stands.
    func chooseMute(
        until end: WallTime?,
        on item: ItemReference,
        of account: AccountID,
        _ stamp: ChangeStamp
    ) throws -> Bool {
        let isLast = try take(stamp, .mute, item.syncKey, value: end?.microseconds, of: account)
        if isLast { try applyMute(on: item, of: account) }
        return isLast
    }

    /// A watch of the item ended at `stamp`, and so did every mute that was chosen before, although a later choice may stand.
    func noteEnd(of item: ItemReference, for account: AccountID, _ stamp: ChangeStamp) throws {
        if try take(stamp, .end, item.syncKey, of: account) { try applyMute(on: item, of: account) }
    }

    /// The mute that holds: the last one, unless a watch ended after it.
    func mute(on item: ItemReference, of account: AccountID) throws -> (end: WallTime?, stamp: ChangeStamp)? {
        guard let mute = try stamp(.mute, item.syncKey, of: account) else { return nil }
        let isOver = try stamp(.end, item.syncKey, of: account).map { mute.stamp < $0.stamp } ?? false
        return (isOver ? nil : mute.value.map { WallTime(microseconds: $0) }, mute.stamp)
    }

    /// Brings the entry of the watch list, if there is one, to the mute that holds.
    func applyMute(on item: ItemReference, of account: AccountID) throws {
        guard let mute = try mute(on: item, of: account) else { return }
        try database.execute(
            """
            UPDATE watches SET muted_until = ?, mute_changed_at = ?
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?
            """,
            mute.end,
            mute.stamp.at,
            account,
            item.project,
            item.kind,
            item.iid
        )
    }
}
