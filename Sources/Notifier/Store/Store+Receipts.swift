import Platform
import SQLite

/// What a device can say about a notification.
enum ReceiptKind: String, Sendable, CaseIterable {
    /// It was shown; said by the app's notification service extension.
    case delivered
    /// The person opened it; said by the app.
    case opened
}

/// One notification's way to one device, as the history shows it.
struct DeliveryTrace: Equatable, Sendable {
    var device: String
    var state: String
    var attempts: Int
    /// Why the last attempt ended as it did; nil before the first.
    var outcome: String?
    /// When APNs accepted it.
    var sentAt: WallTime?
    var deliveredAt: WallTime?
    var openedAt: WallTime?
}

/// A notification as far as those need it who act on it.
struct NotificationHead: Equatable, Sendable {
    var id: NotificationID
    var createdAt: WallTime
    var expiresAt: WallTime
}

/// What became of a redrive.
struct Redrive: Equatable, Sendable {
    /// Deliveries that are queued again.
    var redriven: Int
    /// Deliveries that stay dead, because their device cannot be pushed to.
    var unreachable: Int
}

extension Store {
    /// The account's notification of that id.
    func notification(publicID: String, of account: AccountID) throws -> NotificationHead? {
        try database.first(
            "SELECT id, created_at, expires_at FROM notifications WHERE public_id = ? AND account_id = ?",
            publicID,
            account
        ) { row in
            NotificationHead(
                id: NotificationID(rawValue: row.int64(0)),
                createdAt: row.wallTime(1),
                expiresAt: row.wallTime(2)
            )
        }
    }

    /// The account's device of that id, and whether it can be pushed to.
    func device(publicID: String, of account: AccountID) throws -> (id: DeviceID, state: DeviceState)? {
        try database.first(
            "SELECT id, state FROM devices WHERE public_id = ? AND account_id = ?",
            publicID,
            account
        ) { row in
            guard let state = DeviceState(rawValue: row.text(1)) else { throw StoreError.unreadable(column: "state") }
            return (DeviceID(rawValue: row.int64(0)), state)
        }
    }

    /// Records what a device says; the first report of a kind stands, whatever comes later. An opened notification is read.
    ///
    /// `instant` is bounded by the caller. Returns the instant that stands.
    func record(
        _ kind: ReceiptKind,
        of notification: NotificationID,
        on device: DeviceID?,
        at instant: WallTime
    ) throws -> WallTime {
        let opened = kind == .opened ? instant : nil
        try database.execute(
            """
            INSERT INTO receipts (notification_id, device_id, delivered_at, opened_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (notification_id, ifnull(device_id, 0)) DO UPDATE
                SET opened_at = coalesce(opened_at, max(excluded.opened_at, delivered_at))
            """,
            notification,
            device,
            instant,
            opened
        )
        if kind == .opened { try setRead(true, notification, chosenAt: instant) }
        let stored = try database.first(
            """
            SELECT delivered_at, opened_at FROM receipts
            WHERE notification_id = ? AND ifnull(device_id, 0) = ifnull(?, 0)
            """,
            notification,
            device
        ) { (delivered: $0.wallTime(0), opened: $0.optionalWallTime(1)) }
        guard let stored else { return instant }
        return kind == .opened ? stored.opened ?? stored.delivered : stored.delivered
    }

    /// A notification's way to each device that the account still has, in the order in which it was queued.
    func deliveries(of notification: NotificationID) throws -> [DeliveryTrace] {
        try database.rows(
            """
            SELECT v.public_id, d.state, d.attempts, d.last_outcome, d.accepted_at, r.delivered_at, r.opened_at
            FROM deliveries AS d
            JOIN notifications AS n ON n.id = d.notification_id
            JOIN devices AS v ON v.id = d.device_id AND v.account_id = n.account_id
            LEFT JOIN receipts AS r ON r.notification_id = d.notification_id AND ifnull(r.device_id, 0) = d.device_id
            WHERE d.notification_id = ? ORDER BY d.id
            """,
            notification
        ) { row in
            DeliveryTrace(
                device: row.text(0),
                state: row.text(1),
                attempts: row.int(2),
                outcome: row.optionalText(3),
                sentAt: row.optionalWallTime(4),
                deliveredAt: row.optionalWallTime(5),
                openedAt: row.optionalWallTime(6)
            )
        }
    }

    /// Queues a notification's dead deliveries again, with fresh attempts. Their ids stay, so that a push that had arrived after
    /// all is replaced and not doubled (APNs facts §9, §11). What is read, and what nobody needs any more, would not be sent.
    func redrive(_ notification: NotificationID, of account: AccountID, at now: WallTime) throws -> Redrive {
        let redriven = try database.execute(
            """
            UPDATE deliveries SET state = 'queued', attempts = 0, next_attempt_at = max(?1, ifnull(due_at, ?1)),
                finished_at = NULL, environment = (SELECT environment FROM devices WHERE id = deliveries.device_id)
            WHERE notification_id = ?2 AND state = 'dead'
                AND device_id IN (SELECT id FROM devices WHERE account_id = ?3 AND state = 'active')
                AND EXISTS (
                    SELECT 1 FROM notifications AS n WHERE n.id = deliveries.notification_id
                        AND CASE WHEN n.kind IN ('activity', 'digest', 'signal') THEN n.read_at IS NULL
                            ELSE deliveries.last_outcome IS NOT 'moot' END
                )
            """,
            now,
            notification,
            account
        )
        let unreachable = try database.first(
            """
            SELECT count(*) FROM deliveries WHERE notification_id = ? AND state = 'dead'
                AND device_id NOT IN (SELECT id FROM devices WHERE account_id = ? AND state = 'active')
            """,
            notification,
            account
        ) { $0.int(0) }
        return Redrive(redriven: redriven, unreachable: unreachable ?? 0)
    }

    /// How many test notifications the account has asked for since `start`. Those that a clock that was set back has left ahead do not count.
    func testCount(of account: AccountID, since start: WallTime, until end: WallTime) throws -> Int {
        try database.first(
            """
            SELECT count(*) FROM notifications
            WHERE account_id = ? AND created_at > ? AND created_at <= ? AND kind = 'test'
            """,
            account,
            start,
            end
        ) { $0.int(0) } ?? 0
    }

    /// Forgets receipts from before `end`; at most `limit` at once. Returns how many.
    func purgeReceipts(before end: WallTime, limit: Int) throws -> Int {
        try database.execute(
            """
            DELETE FROM receipts WHERE id IN (
                SELECT id FROM receipts WHERE delivered_at < ? ORDER BY delivered_at, id LIMIT ?
            )
            """,
            end,
            limit
        )
    }
}
