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

    /// Whether a choice made at `other` comes later and so wins. Of two at the same instant the one that arrives last does.
    func isSuperseded(by other: WallTime) -> Bool { changedAt <= other }
}

extension Store {
    /// The last choice about an item. An entry of the watch list from before choices were kept counts as one.
    func choice(on item: ItemReference, of account: AccountID) throws -> ItemChoice? {
        let stored = try database.first(
            """
            SELECT choice, changed_at FROM item_choices
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?
            """,
            account,
            item.project,
            item.kind,
            item.iid
        ) { row in
            ItemChoice.Choice(rawValue: row.text(0)).map { ItemChoice(choice: $0, changedAt: row.wallTime(1)) }
        }
        if let stored { return stored }
        return try watch(item, of: account).map { ItemChoice(choice: .watched, changedAt: $0.createdAt) }
    }

    /// Whether a choice made at `changedAt` would be the last one about the item.
    func isLast(_ changedAt: WallTime, on item: ItemReference, of account: AccountID) throws -> Bool {
        try choice(on: item, of: account)?.isSuperseded(by: changedAt) ?? true
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

    /// Records a choice, which has to be the last one; ``isLast(_:on:of:)`` tells.
    func setChoice(
        _ choice: ItemChoice,
        on item: ItemReference,
        _ description: WatchDescription?,
        of account: AccountID
    ) throws {
        try database.execute(
            """
            INSERT INTO item_choices (
                account_id, project_id, item_kind, item_iid, choice, title, project_path, web_url, changed_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET choice = excluded.choice, changed_at = excluded.changed_at,
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
            choice.changedAt
        )
        if choice.choice != .watched { try settleAsks(.item(item), of: account, by: .silenced, at: choice.changedAt) }
        try raiseDataVersion(of: account)
    }

    /// Until when the entry's item tells nothing. False when an act that came later in time was recorded before, which stands.
    func setMute(until end: WallTime?, of watch: WatchID, changedAt: WallTime) throws -> Bool {
        let isLast =
            try database.execute(
                """
                UPDATE watches SET muted_until = ?, mute_changed_at = ?
                WHERE id = ? AND (mute_changed_at IS NULL OR mute_changed_at <= ?)
                """,
                end,
                changedAt,
                watch,
                changedAt
            ) > 0
        if isLast, end != nil { try settleAsks(onWatch: watch, by: .silenced, at: changedAt) }
        if isLast { try raiseDataVersion(ofWatch: watch) }
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
