import Duties
import Platform
import SQLite

/// What people are waited for. Everything here belongs into the transaction of what caused it.
extension Store {
    /// Somebody waits for the person from now on. Does nothing for one that is known.
    ///
    /// - Parameters:
    ///   - ask: what is wanted.
    ///   - account: whose person.
    ///   - notification: what tells of it, or told before; nil while it is held.
    ///   - now: the time.
    /// - Returns: its number; nil when it was known.
    /// - Throws: `SQLiteError`.
    func raise(_ ask: NewAsk, of account: AccountID, toldBy notification: NotificationID?, at now: WallTime) throws
        -> Int64?
    {
        let fact = ask.fact
        let told = try notification.flatMap { try firstTold($0) }
        return try database.first(
            """
            INSERT INTO asks (
                public_id, account_id, ask_key, kind, project_id, item_kind, item_iid, todo_id, actor_id, run, title,
                item_title, project_path, web_url, subject, notification_id, occurred_at, raised_at, told_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, ask_key) DO NOTHING
            RETURNING id
            """,
            ask.publicID,
            account,
            fact.key.text,
            ask.kind.rawValue,
            fact.item?.project,
            fact.item?.kind,
            fact.item?.iid,
            fact.source == .todo ? fact.sourceID : nil,
            fact.actor.id,
            fact.signal?.run,
            ask.title,
            ask.itemTitle,
            fact.source == .signal ? nil : fact.projectPath,
            fact.webURL,
            ask.subject,
            notification,
            fact.occurredAt,
            now,
            told
        ) { $0.int64(0) }
    }

    /// When the person is told again of an ask, counted from when they have its first notification.
    func planReminders(_ delays: [Duration], of ask: Int64) throws {
        for (index, delay) in delays.enumerated() {
            try database.execute(
                """
                INSERT INTO reminders (ask_id, step, delay, due_at, state)
                SELECT id, ?, ?, told_at + ?, 'waiting' FROM asks WHERE id = ? ON CONFLICT DO NOTHING
                """,
                index + 1,
                delay.wholeMicroseconds,
                delay.wholeMicroseconds,
                ask
            )
        }
    }

    /// A to-do item stands for what asks under one of these keys: its end is the ask's. With a kind it says what is asked for.
    ///
    /// - Returns: the numbers of asks that have become of this kind.
    /// - Throws: `SQLiteError`.
    func noteTodo(_ todo: Int64, _ keys: [String], _ kind: Ask.Kind?, of account: AccountID) throws -> [Int64] {
        let changed = try keys.flatMap { key in
            try database.rows(
                """
                UPDATE asks SET todo_id = ?, kind = coalesce(?, kind)
                WHERE account_id = ? AND ask_key = ? AND settled_at IS NULL AND (todo_id IS NULL OR kind <> coalesce(?, kind))
                RETURNING id
                """,
                todo,
                kind?.rawValue,
                account,
                key,
                kind?.rawValue
            ) { $0.int64(0) }
        }
        if !changed.isEmpty { try raiseDataVersion(of: account) }
        return changed
    }

    /// A digest tells of what was held.
    func linkAsks(_ keys: [String], of account: AccountID, toldBy notification: NotificationID) throws {
        for key in keys {
            try database.execute(
                "UPDATE asks SET notification_id = ? WHERE account_id = ? AND ask_key = ? AND notification_id IS NULL",
                notification,
                account,
                key
            )
        }
    }

    /// A device has the notification of a delivery.
    func noteTold(through delivery: DeliveryID, at now: WallTime) throws {
        let notification = try database.first("SELECT notification_id FROM deliveries WHERE id = ?", delivery) {
            NotificationID(rawValue: $0.int64(0))
        }
        if let notification { try noteTold(notification, at: now) }
    }

    /// The person has a notification: what it asks for is waited for from now on. Only the first time counts.
    func noteTold(_ notification: NotificationID, at now: WallTime) throws {
        let asks = try database.rows(
            """
            UPDATE asks SET told_at = ? WHERE notification_id = ? AND told_at IS NULL AND settled_at IS NULL
            RETURNING id, account_id
            """,
            now,
            notification
        ) { (id: $0.int64(0), account: AccountID(rawValue: $0.int64(1))) }
        for (ask, account) in asks {
            try raiseDataVersion(of: account)
            try database.execute(
                "UPDATE reminders SET due_at = ? + delay WHERE ask_id = ? AND due_at IS NULL AND state = 'waiting'",
                now,
                ask
            )
        }
    }

    // MARK: Settling

    /// What was noted so far ahead of the clock was noted by one that was ahead, and so before; less far ahead it may have been noted while
    /// somebody who looked at the clock waited for the database.
    static let clockLead: Duration = .minutes(1)

    /// Which open asks something is about.
    enum AskScope: Sendable {
        case item(ItemReference)
        /// On an item, asked until that instant by GitLab's clock, or while that was ahead of where it has been set back to and shows `now`.
        case asked(ItemReference, until: WallTime, now: WallTime?)
        /// On an item, noticed until that instant, or by a clock that was ahead of the one that shows `now`.
        case raised(ItemReference, until: WallTime, now: WallTime)
        case actor(Int64)
        /// Asked by that actor, a program, in that run.
        case run(String, of: Int64)
        /// Raised by that fact.
        case key(FactKey)
        /// Of turns of that duty.
        case duty(EntityID)
        case id(String)
    }

    /// Nobody waits any more. Returns how many were open.
    @discardableResult
    func settleAsks(_ scope: AskScope, of account: AccountID, by reason: Ask.Settlement, at now: WallTime) throws -> Int
    {
        let open: [Int64]
        switch scope {
        case .item(let item): open = try openAsks(on: item, of: account)
        case .asked(let item, let end, let now):
            open = try openAsks(on: item, of: account, askedUntil: end, orAskedAfter: now)
        case .raised(let item, let end, let now):
            open = try openAsks(on: item, of: account, raisedUntil: end, orAfter: now)
        case .actor(let actor):
            open = try database.rows(
                "SELECT id FROM asks WHERE account_id = ? AND settled_at IS NULL AND actor_id = ? ORDER BY id",
                account,
                actor
            ) { $0.int64(0) }
        case .run(let run, let actor):
            open = try database.rows(
                "SELECT id FROM asks WHERE account_id = ? AND settled_at IS NULL AND actor_id = ? AND run = ? ORDER BY id",
                account,
                actor,
                run
            ) { $0.int64(0) }
        case .key(let key):
            open = try database.rows(
                "SELECT id FROM asks WHERE account_id = ? AND settled_at IS NULL AND ask_key = ?",
                account,
                key.text
            ) { $0.int64(0) }
        case .duty(let duty):
            open = try database.rows(
                "SELECT id FROM asks WHERE account_id = ? AND settled_at IS NULL AND kind = 'duty_due' AND subject = ? ORDER BY id",
                account,
                DutyReference.subject(of: duty.description)
            ) { $0.int64(0) }
        case .id(let publicID):
            open = try database.rows(
                "SELECT id FROM asks WHERE account_id = ? AND settled_at IS NULL AND public_id = ?",
                account,
                publicID
            ) { $0.int64(0) }
        }
        for ask in open { try settle(ask, by: reason, at: now) }
        if !open.isEmpty { try raiseDataVersion(of: account) }
        return open.count
    }

    /// The same, about the item of a watch.
    func settleAsks(onWatch watch: WatchID, by reason: Ask.Settlement, at now: WallTime) throws {
        let found = try database.first(
            "SELECT account_id, project_id, item_kind, item_iid FROM watches WHERE id = ?",
            watch
        ) { row in
            ItemKind(rawValue: row.text(2)).map {
                (
                    AccountID(rawValue: row.int64(0)),
                    ItemReference(project: ProjectID(rawValue: row.int64(1)), kind: $0, iid: row.int64(3))
                )
            }
        }
        guard let (account, item) = found ?? nil else { return }
        try settleAsks(.item(item), of: account, by: reason, at: now)
    }

    /// Nobody waits any more.
    func settle(_ ask: Int64, by reason: Ask.Settlement, at now: WallTime) throws {
        try database.execute(
            "UPDATE asks SET settled_at = ?, settled_by = ? WHERE id = ? AND settled_at IS NULL",
            now,
            reason.rawValue,
            ask
        )
        try database.execute(
            "UPDATE reminders SET state = 'cancelled' WHERE ask_id = ? AND state = 'waiting'",
            ask
        )
        // As with a to-do item that was dealt with in GitLab; a person's own choice stays.
        try database.execute(
            """
            UPDATE notifications SET read_at = ?, read_changed_at = ?
            WHERE (id, fact_keys) = (SELECT notification_id, ask_key FROM asks WHERE id = ? AND kind IN ('approval_needed', 'duty_due'))
                AND read_at IS NULL AND read_changed_at IS NULL
            """,
            now,
            now,
            ask
        )
    }

    private func openAsks(
        on item: ItemReference,
        of account: AccountID,
        askedUntil: WallTime? = nil,
        orAskedAfter serverTime: WallTime? = nil,
        raisedUntil: WallTime? = nil,
        orAfter now: WallTime? = nil
    ) throws -> [Int64] {
        try database.rows(
            """
            SELECT id FROM asks
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ? AND settled_at IS NULL
                AND (occurred_at <= ? OR occurred_at > ?) AND (raised_at <= ? OR raised_at > ?) ORDER BY id
            """,
            account,
            item.project,
            item.kind,
            item.iid,
            askedUntil?.microseconds ?? .max,
            serverTime?.advanced(by: Self.clockLead).microseconds ?? .max,
            raisedUntil?.microseconds ?? .max,
            now?.advanced(by: Self.clockLead).microseconds ?? .max
        ) { $0.int64(0) }
    }

    /// What a complete reading of the person's to-do items, begun at `start`, says of those that asks stand for: one that is not among
    /// them is missing since then. A second look settles it (``ReminderPolicy/absence``). What a clock noted that was ahead counts.
    ///
    /// - Throws: `SQLiteError`.
    func reviewAsks(pending: Set<Int64>, of account: AccountID, readAt start: WallTime, at now: WallTime) throws
        -> AskReview
    {
        let asks = try database.rows(
            """
            SELECT id, todo_id, missing_since FROM asks
            WHERE account_id = ? AND settled_at IS NULL AND todo_id IS NOT NULL AND (raised_at < ? OR raised_at > ?)
            ORDER BY id
            """,
            account,
            start,
            now.advanced(by: Self.clockLead)
        ) { (id: $0.int64(0), todo: $0.int64(1), missing: $0.optionalWallTime(2)) }
        try reviewWithdrawn(pending: pending, of: account, at: now)
        var review = AskReview()
        for ask in asks {
            guard !pending.contains(ask.todo) else {
                if ask.missing != nil { try setMissing(nil, ask: ask.id) }
                continue
            }
            guard let missing = ask.missing, missing <= now else {
                try setMissing(now, ask: ask.id)
                review.hasMissing = true
                continue
            }
            guard missing.advanced(by: ReminderPolicy.absence) <= now else {
                review.hasMissing = true
                continue
            }
            try settle(ask.id, by: .todoDone, at: now)
            review.settled += 1
        }
        if review.settled > 0 { try raiseDataVersion(of: account) }
        return review
    }

    /// What a list of to-do items said of asks.
    struct AskReview: Sendable {
        /// How many an earlier list had left out as well.
        var settled = 0
        /// Whether some have been left out only now.
        var hasMissing = false
    }

    /// The list of to-do items is the same as the one that left some out.
    func settleMissingAsks(of account: AccountID, at now: WallTime) throws -> AskReview {
        let asks = try database.rows(
            "SELECT id, missing_since FROM asks WHERE account_id = ? AND settled_at IS NULL AND missing_since IS NOT NULL ORDER BY id",
            account
        ) { (id: $0.int64(0), missing: $0.wallTime(1)) }
        for ask in asks where ask.missing > now { try setMissing(now, ask: ask.id) }
        let settled = asks.filter { $0.missing.advanced(by: ReminderPolicy.absence) <= now }
        for ask in settled { try settle(ask.id, by: .todoDone, at: now) }
        if !settled.isEmpty { try raiseDataVersion(of: account) }
        return AskReview(settled: settled.count, hasMissing: settled.count < asks.count)
    }

    func setMissing(_ instant: WallTime?, ask: Int64) throws {
        try database.execute("UPDATE asks SET missing_since = ? WHERE id = ?", instant, ask)
    }

    // MARK: Reading

    /// What the person is waited for, the oldest first, at most `limit`; with when they are told again.
    func openAsks(of account: AccountID, limit: Int) throws -> [(ask: Ask, next: WallTime?)] {
        try database.rows(
            """
            SELECT a.id, a.public_id, a.account_id, a.kind, a.project_id, a.item_kind, a.item_iid, a.title, a.item_title,
                a.project_path, a.web_url, a.subject, a.notification_id, a.raised_at, a.told_at, a.missing_since,
                a.ask_key,
                (SELECT min(due_at) FROM reminders WHERE ask_id = a.id AND state = 'waiting' AND NOT EXISTS (
                    SELECT 1 FROM account_settings WHERE account_id = a.account_id AND reminders = 0
                ))
            FROM asks AS a WHERE a.account_id = ? AND a.settled_at IS NULL AND a.kind <> 'mentioned'
            ORDER BY a.id LIMIT ?
            """,
            account,
            limit
        ) { (try Self.ask($0), $0.optionalWallTime(17)) }
    }

    /// Forgets asks that were raised before `end` and are over, or ask for nothing; at most `limit` at once. Returns how many.
    func purgeAsks(before end: WallTime, limit: Int) throws -> Int {
        try database.execute(
            """
            DELETE FROM asks WHERE id IN (
                SELECT id FROM asks WHERE raised_at < ? AND (settled_at IS NOT NULL OR kind = 'mentioned')
                ORDER BY raised_at, id LIMIT ?
            )
            """,
            end,
            limit
        )
    }

    static func ask(_ row: borrowing Row) throws -> Ask {
        guard let kind = Ask.Kind(rawValue: row.text(3)) else { throw StoreError.unreadable(column: "kind") }
        var item: ItemReference?
        if let project = row.optionalInt64(4), let word = row.optionalText(5), let iid = row.optionalInt64(6) {
            item = ItemKind(rawValue: word).map {
                ItemReference(project: ProjectID(rawValue: project), kind: $0, iid: iid)
            }
        }
        return Ask(
            id: row.int64(0),
            publicID: row.text(1),
            key: row.text(16),
            account: AccountID(rawValue: row.int64(2)),
            kind: kind,
            item: item,
            title: row.text(7),
            itemTitle: row.text(8),
            projectPath: row.optionalText(9),
            webURL: row.optionalText(10),
            subject: row.text(11),
            notification: row.optionalInt64(12).map(NotificationID.init(rawValue:)),
            raisedAt: row.wallTime(13),
            toldAt: row.optionalWallTime(14),
            missingSince: row.optionalWallTime(15)
        )
    }
}
