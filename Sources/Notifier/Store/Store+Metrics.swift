import Platform
import SQLite

extension Store {
    /// Reads the figures: a few indexed queries, whose cost grows with what waits and not with the history.
    func figures(at now: WallTime) throws -> StoredFigures {
        var figures = StoredFigures()
        figures.queues = try database.rows(
            """
            SELECT n.account_id, count(*) FILTER (WHERE d.state = 'queued' AND ifnull(d.due_at <= ?1, 1)),
                count(*) FILTER (WHERE d.state = 'claimed'), count(*) FILTER (WHERE d.state = 'dead'),
                min(ifnull(d.due_at, n.created_at)) FILTER (
                    WHERE d.state IN ('queued', 'claimed') AND v.state = 'active' AND ifnull(d.due_at <= ?1, 1)
                )
            FROM deliveries AS d
            JOIN notifications AS n ON n.id = d.notification_id
            JOIN devices AS v ON v.id = d.device_id
            WHERE d.id IN (
                SELECT id FROM deliveries WHERE state = 'queued'
                UNION ALL SELECT id FROM deliveries WHERE state = 'claimed'
                UNION ALL SELECT id FROM deliveries WHERE state = 'dead'
            )
            GROUP BY n.account_id ORDER BY n.account_id
            """,
            now
        ) { row in
            StoredFigures.Queue(
                account: AccountID(rawValue: row.int64(0)),
                queued: row.int(1),
                sending: row.int(2),
                dead: row.int(3),
                oldest: row.optionalWallTime(4)
            )
        }
        figures.watches = try database.rows("SELECT account_id, count(*) FROM watches GROUP BY account_id") {
            (account: AccountID(rawValue: $0.int64(0)), count: $0.int(1))
        }
        figures.openAsks = try openAsksByAccount()
        figures.dueReminders = try dueReminders(at: now)
        figures.nextReminder = [try nextReminder(), try nextDutyLook()].compactMap(\.self).min()
        figures.activeAccounts =
            try database.first("SELECT count(*) FROM accounts WHERE state = 'active'") { $0.int(0) } ?? 0
        return figures
    }

    /// A notification that its first device just got.
    struct FirstAcceptance: Equatable, Sendable {
        var account: AccountID
        /// What it tells of first; `digest`, or `service` for news about the service itself.
        var source: String
        var createdAt: WallTime
    }

    /// What was accepted through this delivery, unless another device, or a former token, had it before.
    func firstAcceptance(through delivery: DeliveryID) throws -> FirstAcceptance? {
        try database.first(
            """
            SELECT n.account_id,
                coalesce(n.source, CASE n.kind WHEN 'digest' THEN 'digest' ELSE 'service' END), n.created_at
            FROM deliveries AS d JOIN notifications AS n ON n.id = d.notification_id
            WHERE d.id = ? AND d.accepted_at IS d.finished_at AND NOT EXISTS (
                SELECT 1 FROM deliveries AS other
                WHERE other.notification_id = d.notification_id AND other.accepted_at IS NOT NULL AND other.id <> d.id
            )
            """,
            delivery
        ) { row in
            FirstAcceptance(
                account: AccountID(rawValue: row.int64(0)),
                source: row.text(1),
                createdAt: row.wallTime(2)
            )
        }
    }

    /// Whether the device, or the person when none is named, has told of the notification before.
    func hasReceipt(of notification: NotificationID, from device: DeviceID?) throws -> Bool {
        try database.first(
            "SELECT 1 FROM receipts WHERE notification_id = ? AND ifnull(device_id, 0) = ?",
            notification,
            device?.rawValue ?? 0
        ) { _ in true } ?? false
    }
}
