import Platform
import SQLite

/// One notification as the history shows it.
struct HistoryRow: Equatable, Sendable {
    var id: NotificationID
    var publicID: String
    /// Under what it stands on a device's screen, and what a later one takes the place of: its own id, or an earlier notification's.
    var collapseID: String
    var kind: String
    /// What it is about, as the push's thread says: an item, a project, the digests, or the service. Means nothing but itself.
    var subject: String
    /// The code of the newest action it tells of.
    var actionType: String?
    var itemKind: String?
    var projectID: Int64?
    var itemIID: Int64?
    var source: String?
    var sourceID: Int64?
    var title: String
    /// The item's title, as a rule.
    var subtitle: String?
    var body: String
    var webURL: String?
    var factKeys: [String]
    var createdAt: WallTime
    /// When the person opened it, or read it elsewhere; nil while it is unread.
    var readAt: WallTime?
}

extension HistoryRow {
    /// From the columns that the queries of the history select.
    init(_ row: borrowing Row) {
        self.init(
            id: NotificationID(rawValue: row.int64(0)),
            publicID: row.text(1),
            collapseID: row.text(16),
            kind: row.text(2),
            subject: row.text(14),
            actionType: row.optionalText(15),
            itemKind: row.optionalText(3),
            projectID: row.optionalInt64(4),
            itemIID: row.optionalInt64(5),
            source: row.optionalText(6),
            sourceID: row.optionalInt64(7),
            title: row.text(8),
            subtitle: row.optionalText(17),
            body: row.text(9),
            webURL: row.optionalText(10),
            factKeys: FactKeyList.keys(row.text(11)),
            createdAt: row.wallTime(12),
            readAt: row.optionalWallTime(13)
        )
    }
}

/// Which part of the history somebody wants.
struct HistoryFilter: Equatable, Sendable {
    /// Made at or after this instant.
    var since: WallTime?
    /// Made before this instant.
    var until: WallTime?
    var project: ProjectID?
    var kind: ItemKind?
    var iid: Int64?
}

/// What `/status` tells about an account.
struct AccountStatus: Equatable, Sendable {
    struct DeadLetter: Equatable, Sendable {
        var notification: String
        var device: String
        var reason: String
        var attempts: Int
        var at: WallTime
    }

    var watches = 0
    var pending = 0
    var oldestPending: WallTime?
    /// Notifications made within 24 hours.
    var notifications = 0
    /// Of these, how many at least one device accepted.
    var accepted = 0
    /// Of these, how many at least one device was tried with.
    var attempted = 0
    /// Of those accepted, how many a device has confirmed; never more than really arrived.
    var delivered = 0
    /// Of these, how many the person has opened on some device.
    var opened = 0
    /// Deliveries given up within 24 hours.
    var dead = 0
    var activeDevices = 0
    var heldDevices = 0
    var platforms: [String] = []
    var deadLetters: [DeadLetter] = []
}

extension Store {
    /// An account's notifications that pass the filter, newest first, from the one made before `cursor`.
    ///
    /// The order is that of ids, which rise, so what is added or forgotten meanwhile moves no row to another page.
    func history(
        of account: AccountID,
        before cursor: NotificationID?,
        _ filter: HistoryFilter = HistoryFilter(),
        limit: Int
    ) throws -> [HistoryRow] {
        try database.rows(
            """
            SELECT id, public_id, kind, item_kind, project_id, item_iid, source, source_id, title, body, web_url,
                fact_keys, created_at, read_at, thread_id, action_type, collapse_id, subtitle
            FROM notifications
            WHERE account_id = ? AND id < ? AND created_at >= ? AND created_at < ?
                AND project_id IS coalesce(?, project_id) AND item_kind IS coalesce(?, item_kind)
                AND item_iid IS coalesce(?, item_iid)
            ORDER BY id DESC LIMIT ?
            """,
            account,
            cursor?.rawValue ?? .max,
            filter.since?.microseconds ?? .min,
            filter.until?.microseconds ?? .max,
            filter.project,
            filter.kind,
            filter.iid,
            limit,
            decode: HistoryRow.init
        )
    }

    /// True when the database answers.
    func isReadable() throws -> Bool {
        try database.first("SELECT 1 FROM schema_migrations LIMIT 1") { _ in true } ?? false
    }

    /// The numbers of `/status`.
    func accountStatus(_ account: AccountID, at now: WallTime) throws -> AccountStatus {
        var status = AccountStatus()
        let start = now.advanced(by: .days(-1))
        status.watches = try watchCount(of: account)
        try countDeliveries(of: account, since: start, into: &status)
        try countDevices(of: account, into: &status)
        try countNotifications(of: account, since: start, into: &status)
        status.deadLetters = try deadLetters(of: account, limit: 20)
        return status
    }

    private func countDeliveries(of account: AccountID, since start: WallTime, into status: inout AccountStatus) throws
    {
        try database.query(
            """
            SELECT count(*) FILTER (WHERE d.state IN ('queued', 'claimed')),
                min(n.created_at) FILTER (WHERE d.state IN ('queued', 'claimed')),
                count(*) FILTER (WHERE d.state = 'dead' AND d.finished_at > ?)
            FROM deliveries AS d JOIN notifications AS n ON n.id = d.notification_id WHERE n.account_id = ?
            """,
            start,
            account
        ) { row in
            status.pending = row.int(0)
            status.oldestPending = row.optionalWallTime(1)
            status.dead = row.int(2)
        }
    }

    private func countDevices(of account: AccountID, into status: inout AccountStatus) throws {
        try database.query(
            "SELECT state, platform FROM devices WHERE account_id = ? AND state <> 'dead' ORDER BY platform, id",
            account
        ) { row in
            let isActive = row.text(0) == DeviceState.active.rawValue
            status.activeDevices += isActive ? 1 : 0
            status.heldDevices += isActive ? 0 : 1
            if status.platforms.last != row.text(1) { status.platforms.append(row.text(1)) }
        }
    }

    private func countNotifications(
        of account: AccountID,
        since start: WallTime,
        into status: inout AccountStatus
    ) throws {
        try database.query(
            """
            SELECT count(*), count(*) FILTER (WHERE is_accepted), count(*) FILTER (WHERE is_attempted),
                count(*) FILTER (WHERE is_accepted AND is_delivered), count(*) FILTER (WHERE is_opened)
            FROM (
                SELECT
                    EXISTS (
                        SELECT 1 FROM deliveries AS d WHERE d.notification_id = n.id AND d.state = 'accepted'
                    ) AS is_accepted,
                    EXISTS (
                        SELECT 1 FROM deliveries AS d
                        WHERE d.notification_id = n.id AND (d.attempts > 0 OR d.state = 'accepted')
                    ) AS is_attempted,
                    EXISTS (SELECT 1 FROM receipts AS r WHERE r.notification_id = n.id) AS is_delivered,
                    EXISTS (
                        SELECT 1 FROM receipts AS r WHERE r.notification_id = n.id AND r.opened_at IS NOT NULL
                    ) AS is_opened
                FROM notifications AS n WHERE n.account_id = ? AND n.created_at > ?
            )
            """,
            account,
            start
        ) { row in
            status.notifications = row.int(0)
            status.accepted = row.int(1)
            status.attempted = row.int(2)
            status.delivered = row.int(3)
            status.opened = row.int(4)
        }
    }

    private func deadLetters(of account: AccountID, limit: Int) throws -> [AccountStatus.DeadLetter] {
        try database.rows(
            """
            SELECT n.public_id, v.public_id, coalesce(d.last_outcome, ''), d.attempts, coalesce(d.finished_at, n.created_at)
            FROM deliveries AS d
            JOIN notifications AS n ON n.id = d.notification_id
            JOIN devices AS v ON v.id = d.device_id
            WHERE d.state = 'dead' AND n.account_id = ? ORDER BY d.id DESC LIMIT ?
            """,
            account,
            limit
        ) { row in
            AccountStatus.DeadLetter(
                notification: row.text(0),
                device: row.text(1),
                reason: row.text(2),
                attempts: row.int(3),
                at: row.wallTime(4)
            )
        }
    }

    /// Forgets notifications, with their deliveries, that were made before `end`; at most `limit` at once. Returns how many.
    func purgeNotifications(before end: WallTime, limit: Int) throws -> Int {
        // Whoever had not read them has fewer unread ones now.
        try database.execute(
            """
            UPDATE accounts SET data_version = data_version + 1 WHERE id IN (
                SELECT account_id FROM (
                    SELECT account_id, read_at FROM notifications WHERE created_at < ? ORDER BY created_at, id LIMIT ?
                ) WHERE read_at IS NULL
            )
            """,
            end,
            limit
        )
        return try database.execute(
            """
            DELETE FROM notifications WHERE id IN (
                SELECT id FROM notifications WHERE created_at < ? ORDER BY created_at, id LIMIT ?
            )
            """,
            end,
            limit
        )
    }
}
