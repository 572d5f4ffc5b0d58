import Platform
import SQLite

/// One entry of a watch list.
struct Watch: Equatable, Sendable {
    var id: WatchID
    /// The id that clients know.
    var publicID: String
    var account: AccountID
    var item: ItemReference
    var description: WatchDescription
    /// Since when GitLab does not show the item; nil while it does.
    var missingSince: WallTime?
    /// How often in a row GitLab did not show it.
    var missingCount: Int
    var createdAt: WallTime
    /// Until when the item tells nothing; may lie in the past.
    var mutedUntil: WallTime?
    var origin: Origin

    /// How the item came to be watched.
    enum Origin: String, Sendable, CaseIterable {
        case manual
        /// The person was tagged there.
        case auto
    }
}

/// How an item presents itself.
struct WatchDescription: Equatable, Sendable {
    var title: String
    /// Such as `team/backend`.
    var projectPath: String?
    var webURL: String?
}

extension Store {
    /// An account's watch list, oldest first.
    func watches(of account: AccountID) throws -> [Watch] {
        try database.rows(
            """
            SELECT id, public_id, account_id, project_id, item_kind, item_iid, title, project_path, web_url,
                missing_since, missing_count, created_at, muted_until, origin
            FROM watches WHERE account_id = ? ORDER BY id
            """,
            account,
            decode: Self.watch
        )
    }

    /// The entry for an item, if the account watches it.
    func watch(_ item: ItemReference, of account: AccountID) throws -> Watch? {
        try database.first(
            """
            SELECT id, public_id, account_id, project_id, item_kind, item_iid, title, project_path, web_url,
                missing_since, missing_count, created_at, muted_until, origin
            FROM watches WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?
            """,
            account,
            item.project,
            item.kind,
            item.iid,
            decode: Self.watch
        )
    }

    /// The entry of that id; nil when the account has none.
    func watch(_ id: WatchID, of account: AccountID) throws -> Watch? {
        try database.first(
            """
            SELECT id, public_id, account_id, project_id, item_kind, item_iid, title, project_path, web_url,
                missing_since, missing_count, created_at, muted_until, origin
            FROM watches WHERE id = ? AND account_id = ?
            """,
            id,
            account,
            decode: Self.watch
        )
    }

    /// How many items the account watches.
    func watchCount(of account: AccountID) throws -> Int {
        try database.first("SELECT count(*) FROM watches WHERE account_id = ?", account) { $0.int(0) } ?? 0
    }

    /// Adds an entry; call it in the transaction that stores the item's baseline.
    func insertWatch(
        publicID: String,
        _ item: ItemReference,
        _ description: WatchDescription,
        of account: AccountID,
        at now: WallTime,
        origin: Watch.Origin = .manual
    ) throws -> WatchID {
        try database.execute(
            """
            INSERT INTO watches (
                public_id, account_id, project_id, item_kind, item_iid, title, project_path, web_url, created_at, origin
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            publicID,
            account,
            item.project,
            item.kind,
            item.iid,
            description.title,
            description.projectPath,
            description.webURL,
            now,
            origin.rawValue
        )
        let id = WatchID(rawValue: database.lastInsertRowID)
        try applyMute(on: item, of: account)
        return id
    }

    /// The entry that clients know by `publicID`, if it is the account's.
    func watch(publicID: String, of account: AccountID) throws -> Watch? {
        try database.first(
            """
            SELECT id, public_id, account_id, project_id, item_kind, item_iid, title, project_path, web_url,
                missing_since, missing_count, created_at, muted_until, origin
            FROM watches WHERE public_id = ? AND account_id = ?
            """,
            publicID,
            account,
            decode: Self.watch
        )
    }

    /// Removes the entry for an item with all that was seen of it. False when the account does not watch it.
    func deleteWatch(_ item: ItemReference, of account: AccountID) throws -> Bool {
        try database.execute(
            "DELETE FROM watches WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?",
            account,
            item.project,
            item.kind,
            item.iid
        ) > 0
    }

    /// Records how the item presents itself now.
    func setDescription(_ description: WatchDescription, of watch: WatchID) throws {
        try database.execute(
            "UPDATE watches SET title = ?, project_path = ?, web_url = ? WHERE id = ?",
            description.title,
            description.projectPath,
            description.webURL,
            watch
        )
    }

    /// Records since when and how often in a row GitLab does not show the item; nil and 0 once it does.
    func setMissing(since: WallTime?, count: Int, of watch: WatchID) throws {
        try database.execute(
            "UPDATE watches SET missing_since = ?, missing_count = ? WHERE id = ?",
            since,
            count,
            watch
        )
    }

    private static func watch(_ row: borrowing Row) throws -> Watch {
        guard let kind = ItemKind(rawValue: row.text(4)) else { throw StoreError.unreadable(column: "item_kind") }
        guard let origin = Watch.Origin(rawValue: row.text(13)) else { throw StoreError.unreadable(column: "origin") }
        return Watch(
            id: WatchID(rawValue: row.int64(0)),
            publicID: row.text(1),
            account: AccountID(rawValue: row.int64(2)),
            item: ItemReference(project: ProjectID(rawValue: row.int64(3)), kind: kind, iid: row.int64(5)),
            description: WatchDescription(
                title: row.text(6),
                projectPath: row.optionalText(7),
                webURL: row.optionalText(8)
            ),
            missingSince: row.optionalWallTime(9),
            missingCount: row.int(10),
            createdAt: row.wallTime(11),
            mutedUntil: row.optionalWallTime(12),
            origin: origin
        )
    }
}
