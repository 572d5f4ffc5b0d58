import Platform
import SQLite

/// The last choice a person made about an item, on whichever device.
struct ItemChoice: Hashable, Sendable {
    enum Choice: String, Sendable, CaseIterable {
        case watched, unwatched, dismissed
    }

    var choice: Choice
    /// When the person made it, by the clock of the device, but no later than it arrived.
    var changedAt: WallTime
    /// What made it, as a stamp says.
    var changedBy = ""

    init(choice: Choice, changedAt: WallTime) {
        (self.choice, self.changedAt) = (choice, changedAt)
    }

    init(choice: Choice, _ stamp: ChangeStamp) {
        (self.choice, changedAt, changedBy) = (choice, stamp.at, stamp.by)
    }

    var stamp: ChangeStamp { ChangeStamp(at: changedAt, by: changedBy) }

    /// Whether another choice comes later and so wins.
    func isSuperseded(by other: ChangeStamp) -> Bool { MergePolicy.takes(other, over: stamp) }
}

extension Store {
    /// The last choice about an item. An entry of the watch list from before choices were kept counts as one.
    func choice(on item: ItemReference, of account: AccountID) throws -> ItemChoice? {
        let stored = try database.first(
            """
            SELECT choice, changed_at, changed_by FROM item_choices
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?
            """,
            account,
            item.project,
            item.kind,
            item.iid
        ) { row in
            let stamp = ChangeStamp(at: row.wallTime(1), by: row.text(2))
            return ItemChoice.Choice(rawValue: row.text(0)).map { ItemChoice(choice: $0, stamp) }
        }
        if let stored { return stored }
        return try watch(item, of: account).map { ItemChoice(choice: .watched, changedAt: $0.createdAt) }
    }

    /// Whether a choice made at `changedAt` would be the last one about the item.
    func isLast(_ changedAt: WallTime, on item: ItemReference, of account: AccountID) throws -> Bool {
        try isLast(ChangeStamp(at: changedAt), on: item, of: account)
    }

    /// Whether a choice of that stamp would be the last one about the item.
    func isLast(_ stamp: ChangeStamp, on item: ItemReference, of account: AccountID) throws -> Bool {
        try choice(on: item, of: account)?.isSuperseded(by: stamp) ?? true
    }

    /// What a notification is about; nil when the account has no such notification.
    func notificationSubject(
        _ publicID: String,
        of account: AccountID
    ) throws -> (item: ItemReference?, description: WatchDescription?)? {
        try database.first(
            "SELECT project_id, item_kind, item_iid, title, web_url FROM notifications WHERE public_id = ? AND account_id = ?",
            publicID,
            account
        ) { row in
            guard let project = row.optionalInt64(0), let kind = row.optionalText(1).flatMap(ItemKind.init(rawValue:)),
                let iid = row.optionalInt64(2)
            else { return (nil, nil) }
            let item = ItemReference(project: ProjectID(rawValue: project), kind: kind, iid: iid)
            return (item, WatchDescription(title: row.text(3), projectPath: nil, webURL: row.optionalText(4)))
        }
    }

    /// Records a choice that was heard of at `now`, and has to be the last one; ``isLast(_:on:of:)`` tells.
    func setChoice(
        _ choice: ItemChoice,
        on item: ItemReference,
        _ description: WatchDescription?,
        of account: AccountID,
        at now: WallTime
    ) throws {
        try database.execute(
            """
            INSERT INTO item_choices (
                account_id, project_id, item_kind, item_iid, choice, title, project_path, web_url, changed_at, changed_by
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET choice = excluded.choice, changed_at = excluded.changed_at,
                changed_by = excluded.changed_by,
                title = coalesce(excluded.title, title), project_path = coalesce(excluded.project_path, project_path),
                web_url = coalesce(excluded.web_url, web_url)
            """,
            account,
            item.project,
            item.kind,
            item.iid,
            choice.choice.rawValue,
            description?.title,
            description?.projectPath,
            description?.webURL,
            choice.changedAt,
            choice.changedBy
        )
        guard choice.choice != .watched else { return }
        try noteEnd(of: item, for: account, choice.stamp)
        // Whoever is not watched any more may ask again; what is dismissed may not.
        let isUnwatched = choice.choice == .unwatched
        let scope: AskScope = isUnwatched ? .raised(item, until: choice.changedAt, now: now) : .item(item)
        try settleAsks(scope, of: account, by: .silenced, at: choice.changedAt)
    }

    /// Until when the entry's item tells nothing. False when an act that came later in time was recorded before, which stands.
    func setMute(until end: WallTime?, of watch: WatchID, changedAt: WallTime, by origin: String = "") throws -> Bool {
        let entry = try database.first(
            "SELECT account_id, project_id, item_kind, item_iid FROM watches WHERE id = ?",
            watch
        ) { row in
            guard let kind = ItemKind(rawValue: row.text(2)) else { throw StoreError.unreadable(column: "item_kind") }
            let item = ItemReference(project: ProjectID(rawValue: row.int64(1)), kind: kind, iid: row.int64(3))
            return (account: AccountID(rawValue: row.int64(0)), item: item)
        }
        guard let entry else { return false }
        let stamp = ChangeStamp(at: changedAt, by: origin)
        let isLast = try chooseMute(until: end, on: entry.item, of: entry.account, stamp)
        if isLast, end != nil { try settleAsks(onWatch: watch, by: .silenced, at: changedAt) }
        return isLast
    }

    /// Until when the entry's item tells nothing; nil when it is not muted. May lie in the past.
    func mutedUntil(_ watch: WatchID) throws -> WallTime? {
        try database.first("SELECT muted_until FROM watches WHERE id = ?", watch) { $0.optionalWallTime(0) } ?? nil
    }

    /// The entry that clients know by `publicID`, if it is the account's.
    func watchID(_ publicID: String, of account: AccountID) throws -> WatchID? {
        try database.first("SELECT id FROM watches WHERE public_id = ? AND account_id = ?", publicID, account) {
            WatchID(rawValue: $0.int64(0))
        }
    }
}
