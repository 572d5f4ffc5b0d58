import Platform
import SQLite

/// A watched item that its person has to have done by a day.
struct DueWatch: Equatable, Sendable {
    var watch: WatchID
    var account: AccountID
    var item: ItemReference
    var description: WatchDescription
    /// The last one, which may be over.
    var mute: MuteSpan?
    var day: DueDay
    /// When it is looked at.
    var nextAt: WallTime
    var heldSince: WallTime?
    /// When it became known that it is due then, or when the person came to be reminded at those times.
    var plannedAt: WallTime
}

/// By when people have to have something done.
extension Store {
    /// The days by which what the account watches is due, by watch.
    func dueDays(of account: AccountID) throws -> [WatchID: DueDay] {
        let rows = try database.rows(
            """
            SELECT d.watch_id, d.due_on FROM due_dates AS d JOIN watches AS w ON w.id = d.watch_id
            WHERE w.account_id = ? ORDER BY d.watch_id
            """,
            account
        ) { (WatchID(rawValue: $0.int64(0)), try Self.day($0.text(1))) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// What the account's person has to have done by that day changed, as GitLab shows it; nil for nothing. One that is watched no more is left
    /// out. `isNews` unless nothing changed for the person.
    func setDueDay(
        _ day: DueDay?,
        of watch: WatchID,
        by policy: DueDatePolicy,
        isNews: Bool = true,
        at now: WallTime
    ) throws {
        guard let day else {
            try database.execute("DELETE FROM due_dates WHERE watch_id = ?", watch)
            return
        }
        guard let (account, item) = try owner(of: watch) else { return }
        try database.execute(
            """
            INSERT INTO due_dates (watch_id, due_on, next_at, planned_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (watch_id) DO UPDATE SET due_on = excluded.due_on, next_at = excluded.next_at,
                planned_at = CASE WHEN ?5 THEN excluded.planned_at ELSE planned_at END, held_since = NULL
            """,
            watch,
            day.text,
            policy.next(day, told: try toldSteps(of: item, day, to: account), at: now),
            now,
            isNews ? 1 : 0
        )
    }

    /// The account's zone or lead time is another, or may be where that is no news: its reminders are planned anew.
    func replanDueDates(of account: AccountID, by policy: DueDatePolicy, isNews: Bool = true, at now: WallTime) throws {
        for (watch, day) in try dueDays(of: account).sorted(by: { $0.key < $1.key }) {
            try setDueDay(day, of: watch, by: policy, isNews: isNews, at: now)
        }
    }

    /// Accounts of which something is due, with numbers above that one, the lowest first.
    func accountsWithDueDates(after account: AccountID, limit: Int) throws -> [AccountID] {
        try database.rows(
            """
            SELECT DISTINCT w.account_id FROM due_dates AS d JOIN watches AS w ON w.id = d.watch_id
            WHERE w.account_id > ? ORDER BY w.account_id LIMIT ?
            """,
            account,
            limit
        ) { AccountID(rawValue: $0.int64(0)) }
    }

    /// When the next due date is looked at; nil when no reminder is to come. One look at an index.
    func nextDueDate() throws -> WallTime? {
        try database.first("SELECT next_at FROM due_dates WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1") {
            $0.wallTime(0)
        }
    }

    /// What is to be looked at, the one that waits longest first.
    func dueWatches(at now: WallTime, limit: Int) throws -> [DueWatch] {
        try database.rows(
            """
            SELECT w.id, w.account_id, w.project_id, w.item_kind, w.item_iid, w.title, w.project_path, w.web_url,
                w.mute_changed_at, w.muted_until, d.due_on, d.next_at, d.held_since,
                d.planned_at
            FROM due_dates AS d JOIN watches AS w ON w.id = d.watch_id
            WHERE d.next_at <= ? ORDER BY d.next_at, d.watch_id LIMIT ?
            """,
            now,
            limit
        ) { row in
            guard let kind = ItemKind(rawValue: row.text(3)) else { throw StoreError.unreadable(column: "item_kind") }
            let mute = (from: row.optionalWallTime(8), until: row.optionalWallTime(9))
            return DueWatch(
                watch: WatchID(rawValue: row.int64(0)),
                account: AccountID(rawValue: row.int64(1)),
                item: ItemReference(project: ProjectID(rawValue: row.int64(2)), kind: kind, iid: row.int64(4)),
                description: WatchDescription(
                    title: row.text(5),
                    projectPath: row.optionalText(6),
                    webURL: row.optionalText(7)
                ),
                mute: mute.until.map { MuteSpan(from: mute.from ?? $0, until: $0) },
                day: try Self.day(row.text(10)),
                nextAt: row.wallTime(11),
                heldSince: row.optionalWallTime(12),
                plannedAt: row.wallTime(13)
            )
        }
    }

    /// It is looked at again then, or with nil no more; `isHeld` because GitLab could not be read.
    func lookAtDueDate(of watch: WatchID, at next: WallTime?, isHeld: Bool = false, now: WallTime) throws {
        try database.execute(
            """
            UPDATE due_dates SET next_at = ?, held_since = CASE WHEN ? THEN coalesce(held_since, ?) END WHERE watch_id = ?
            """,
            next,
            isHeld ? 1 : 0,
            now,
            watch
        )
    }

    /// The clock is another: what is put off is looked at now, and with `alsoOver` that of which nothing was to come as well. What is held is
    /// so since then at the latest.
    func lookAtDueDates(at now: WallTime, alsoOver: Bool) throws {
        try database.execute(
            """
            UPDATE due_dates SET next_at = ?1, held_since = min(held_since, ?1)
            WHERE next_at > ?1 OR ?2 AND next_at IS NULL
            """,
            now,
            alsoOver ? 1 : 0
        )
    }

    /// Which reminders of that day were told, or left out for good.
    func toldSteps(of item: ItemReference, _ day: DueDay, to account: AccountID) throws -> Set<DueStep> {
        Set(
            try DueStep.allCases.filter { step in
                try notifiedFact(.due(item, day, step), to: account) != nil
            }
        )
    }

    /// A reminder was told, or is left out for good. That is remembered beyond the end of its use, however long ahead it came.
    func finish(_ step: DueStep, of due: DueWatch, by policy: DueDatePolicy, at now: WallTime) throws {
        guard let slot = policy.slots(of: due.day).last else { return }
        try insertNotifiedFact(
            .due(due.item, due.day, step),
            to: due.account,
            occurredAt: now,
            at: max(now, slot.until)
        )
    }

    /// What a delivery tells of a due date; nil when the item is watched no more, or the delivery tells of something else.
    func toldDueDate(by delivery: DeliveryID) throws -> (notification: NotificationID, title: String, text: DueText)? {
        try database.first(
            """
            SELECT n.id, n.title, n.fact_keys, w.project_id, w.item_kind, w.item_iid, w.title, w.project_path, w.web_url
            FROM deliveries AS d JOIN notifications AS n ON n.id = d.notification_id
                JOIN watches AS w ON w.account_id = n.account_id AND w.project_id = n.project_id
                    AND w.item_kind = n.item_kind AND w.item_iid = n.item_iid
            WHERE d.id = ? AND n.kind = 'due'
            """,
            delivery
        ) { row in
            // Its only key ends with the day and the step.
            let parts = row.text(2).split(separator: "/")
            guard let kind = ItemKind(rawValue: row.text(4)), parts.count == 6, let code = Int(parts[5]),
                let step = DueStep(rawValue: code)
            else { throw StoreError.unreadable(column: "fact_keys") }
            let day = try Self.day(String(parts[4]))
            let text = DueText(
                item: ItemReference(project: ProjectID(rawValue: row.int64(3)), kind: kind, iid: row.int64(5)),
                itemTitle: row.text(6),
                projectPath: row.optionalText(7),
                webURL: row.optionalText(8),
                day: day,
                step: step,
                today: day
            )
            return (notification: NotificationID(rawValue: row.int64(0)), title: row.text(1), text: text)
        }
    }

    /// A notification says the same in other words.
    func retell(_ notification: NotificationID, _ title: String, _ payload: [UInt8]) throws {
        try database.execute(
            "UPDATE notifications SET title = ?, payload = ? WHERE id = ?",
            title,
            payload,
            notification
        )
    }

    private func owner(of watch: WatchID) throws -> (AccountID, ItemReference)? {
        try database.first("SELECT account_id, project_id, item_kind, item_iid FROM watches WHERE id = ?", watch) {
            row in
            guard let kind = ItemKind(rawValue: row.text(2)) else { throw StoreError.unreadable(column: "item_kind") }
            return (
                AccountID(rawValue: row.int64(0)),
                ItemReference(project: ProjectID(rawValue: row.int64(1)), kind: kind, iid: row.int64(3))
            )
        }
    }

    private static func day(_ text: String) throws -> DueDay {
        guard let day = DueDay(text) else { throw StoreError.unreadable(column: "due_on") }
        return day
    }
}
