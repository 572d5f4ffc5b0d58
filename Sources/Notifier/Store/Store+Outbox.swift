import FoundationEssentials
import Platform
import SQLite

extension Store {
    /// Adds a notification, and lets the account's apps know.
    func insert(_ row: NotificationRow) throws -> NotificationID {
        try database.execute(
            """
            INSERT INTO notifications (
                public_id, account_id, kind, project_id, item_kind, item_iid, source, source_id, title, body, web_url,
                fact_keys, payload, thread_id, collapse_id, created_at, expires_at, category,
                action_type, subtitle
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            row.publicID,
            row.account,
            row.kind,
            row.item?.project,
            row.item?.kind,
            row.item?.iid,
            row.source?.rawValue,
            row.sourceID,
            row.title,
            row.body,
            row.webURL,
            FactKeyList.text(row.factKeys),
            row.payload,
            row.threadID,
            row.collapseID,
            row.createdAt,
            row.expiresAt,
            row.category.rawValue,
            row.actionType,
            row.subtitle
        )
        let id = NotificationID(rawValue: database.lastInsertRowID)
        try raiseNotificationVersion(of: row.account)
        return id
    }

    /// Queues a notification for a device, due at `now` or later.
    func insertDelivery(
        of notification: NotificationID,
        to device: DeviceID,
        apnsID: String,
        at now: WallTime,
        dueAt: WallTime? = nil
    ) throws {
        try database.execute(
            """
            INSERT INTO deliveries (notification_id, device_id, environment, apns_id, state, next_attempt_at, due_at)
            SELECT ?, id, environment, ?, 'queued', ?, ? FROM devices WHERE id = ?
            """,
            notification,
            apnsID,
            dueAt ?? now,
            dueAt,
            device
        )
    }

    /// When a notification is pushed first, where that is later than it was made, as its deliveries say. What the operator announced while
    /// there was no device has none, and waits until `quietEnd`.
    func dueTime(of notification: NotificationID, quietUntil quietEnd: WallTime?) throws -> WallTime? {
        let found = try database.first(
            """
            SELECT (SELECT max(d.due_at) FROM deliveries AS d WHERE d.notification_id = n.id), n.kind = 'announcement'
            FROM notifications AS n WHERE n.id = ?
            """,
            notification
        ) { (dueAt: $0.optionalWallTime(0), isAnnounced: $0.bool(1)) }
        guard let found else { return nil }
        return found.dueAt ?? (found.isAnnounced ? quietEnd : nil)
    }

    /// Devices that can be pushed to, oldest first.
    func activeDevices(of account: AccountID) throws -> [DeviceID] {
        try database.rows(
            "SELECT id FROM devices WHERE account_id = ? AND state = 'active' ORDER BY id",
            account
        ) { DeviceID(rawValue: $0.int64(0)) }
    }

    /// True when the account watches the item.
    func isWatched(_ item: ItemReference, by account: AccountID) throws -> Bool {
        try database.first(
            "SELECT 1 FROM watches WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?",
            account,
            item.project,
            item.kind,
            item.iid
        ) { _ in true } ?? false
    }
}

/// A list of fact keys as one text: keys hold no spaces.
enum FactKeyList {
    static func text(_ keys: [String]) -> String { keys.joined(separator: " ") }

    static func keys(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
