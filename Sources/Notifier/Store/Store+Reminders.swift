import Platform
import SQLite

/// When people are told again.
extension Store {
    /// Open asks of which a reminder is due, the one that waits longest first.
    func asksWithDueReminders(at now: WallTime, limit: Int) throws -> [Ask] {
        try database.rows(
            """
            SELECT a.id, a.public_id, a.account_id, a.kind, a.project_id, a.item_kind, a.item_iid, a.title, a.item_title,
                a.project_path, a.web_url, a.subject, a.notification_id, a.raised_at, a.told_at, a.missing_since,
                a.ask_key,
                min(r.due_at)
            FROM reminders AS r JOIN asks AS a ON a.id = r.ask_id
            WHERE r.state = 'waiting' AND r.due_at <= ? GROUP BY a.id ORDER BY min(r.due_at), a.id LIMIT ?
            """,
            now,
            limit
        ) { try Self.ask($0) }
    }

    /// When the next reminder is due, or was; nil when none waits. One look at an index, however many asks are open.
    func nextReminder() throws -> WallTime? {
        try database.first(
            "SELECT due_at FROM reminders WHERE state = 'waiting' AND due_at IS NOT NULL ORDER BY due_at LIMIT 1"
        ) { $0.wallTime(0) }
    }

    /// How many reminders are due or put off because nobody knows whether it was dealt with; an index alone says which.
    func dueReminders(at now: WallTime) throws -> [(account: AccountID, count: Int)] {
        try database.rows(
            """
            SELECT a.account_id, count(*) FROM reminders AS r JOIN asks AS a ON a.id = r.ask_id
            WHERE r.state = 'waiting' AND r.due_at <= ? AND (r.due_at <= ? OR r.held_since IS NOT NULL)
            GROUP BY a.account_id ORDER BY a.account_id
            """,
            now.advanced(by: ReminderPolicy.look),
            now
        ) { (account: AccountID(rawValue: $0.int64(0)), count: $0.int(1)) }
    }

    /// An ask's reminders that wait, in the order of their steps.
    func waitingReminders(of ask: Ask) throws -> [Reminder] {
        try database.rows(
            "SELECT step, due_at, held_since FROM reminders WHERE ask_id = ? AND state = 'waiting' AND due_at IS NOT NULL ORDER BY step",
            ask.id
        ) { Reminder(step: $0.int(0), dueAt: $0.wallTime(1), heldSince: $0.optionalWallTime(2)) }
    }

    /// Puts off what is due, because nobody knows whether it was dealt with.
    func holdReminders(of ask: Ask, dueBy now: WallTime, until instant: WallTime) throws {
        try database.execute(
            """
            UPDATE reminders SET due_at = ?, held_since = coalesce(held_since, ?), quiet_until = NULL
            WHERE ask_id = ? AND state = 'waiting' AND due_at <= ?
            """,
            instant,
            now,
            ask.id,
            now
        )
    }

    /// A process that begins knows nothing of what an earlier one held, and for how long: it is held anew.
    func forgetHeldReminders() throws {
        try database.execute(
            """
            UPDATE reminders SET held_since = NULL
            WHERE state = 'waiting' AND due_at IS NOT NULL AND held_since IS NOT NULL
            """
        )
    }

    /// Puts off what is due to the end of the quiet hours, where nobody may know anew whether it was dealt with.
    func postponeReminders(of ask: Ask, dueBy now: WallTime, until end: WallTime) throws {
        try database.execute(
            """
            UPDATE reminders SET due_at = ?, quiet_until = ?, held_since = NULL
            WHERE ask_id = ? AND state = 'waiting' AND due_at <= ?
            """,
            end,
            end,
            ask.id,
            now
        )
    }

    /// What is due of an ask that is not told yet is planned once it is.
    func unplanReminders(of ask: Ask, dueBy now: WallTime) throws {
        try database.execute(
            """
            UPDATE reminders SET due_at = NULL, quiet_until = NULL, held_since = NULL
            WHERE ask_id = ? AND state = 'waiting' AND due_at <= ?
            """,
            ask.id,
            now
        )
    }

    /// The person's quiet hours are others: what they have put off is due at their end now, or at once where it is quiet no more.
    func replanReminders(of account: AccountID, quietUntil end: WallTime?, at now: WallTime) throws {
        try database.execute(
            """
            UPDATE reminders SET due_at = ?, quiet_until = ?
            WHERE state = 'waiting' AND quiet_until IS NOT NULL
                AND ask_id IN (SELECT id FROM asks WHERE account_id = ? AND settled_at IS NULL)
            """,
            end ?? now,
            end,
            account
        )
    }

    /// The person wants to be told again at that instant, and not before: the next reminder waits until then, and what would come before it
    /// as well; an earlier one that waits for its push is not sent. Where it is quiet then, it waits for the end.
    ///
    /// - Returns: whether any reminder waits; nil when no such ask is open.
    /// - Throws: `SQLiteError`.
    func snooze(_ publicID: String, of account: AccountID, until instant: WallTime) throws -> Bool? {
        let ask = try database.first(
            "SELECT id FROM asks WHERE public_id = ? AND account_id = ? AND settled_at IS NULL",
            publicID,
            account
        ) { $0.int64(0) }
        guard let ask else { return nil }
        let count = try database.execute(
            """
            UPDATE reminders SET due_at = CASE WHEN quiet_until IS NULL THEN max(coalesce(due_at, 0), ?1) ELSE ?1 END,
                quiet_until = NULL, held_since = NULL, postponed_until = ?1
            WHERE state = 'waiting' AND ask_id = ?2
            """,
            instant,
            ask
        )
        if count > 0 { try raiseDataVersion(of: account) }
        return count > 0
    }

    /// The wall clock was set by `step`, shows `now`, and was right last `passed` ago: what waits is moved by as much, but what was told since, and
    /// so counts by the new clock. What quiet hours have put off goes by the clock on the wall: it is decided anew.
    func shiftReminders(by step: Duration, noticedAfter passed: Duration, at now: WallTime) throws {
        try database.execute(
            """
            UPDATE reminders SET due_at = due_at + ?1, held_since = held_since + ?1,
                postponed_until = postponed_until + ?1
            WHERE state = 'waiting' AND quiet_until IS NULL AND due_at > ?2
                AND NOT EXISTS (SELECT 1 FROM asks WHERE id = ask_id AND told_at > ?3 AND told_at <= ?4)
            """,
            step.wholeMicroseconds,
            // What was due by the former clock and was not told yet stays due.
            min(now, now.advanced(by: .zero - step)),
            now.advanced(by: .zero - passed),
            now
        )
        try database.execute(
            "UPDATE reminders SET due_at = ? WHERE state = 'waiting' AND quiet_until IS NOT NULL AND due_at > ?",
            now,
            now
        )
    }

    /// Ends reminders that wait.
    func finishReminders(
        of ask: Ask,
        _ steps: [Int],
        as state: Reminder.State,
        notification: NotificationID? = nil
    ) throws {
        for step in steps {
            try database.execute(
                """
                UPDATE reminders SET state = ?, notification_id = ? WHERE ask_id = ? AND step = ? AND state = 'waiting'
                """,
                state.rawValue,
                notification,
                ask.id,
                step
            )
        }
    }

    /// What a reminder of an ask says.
    func reminderText(of ask: Ask, step: Int) throws -> ReminderText {
        // What told of more than the ask stays on the screen beside it.
        let collapse = try ask.notification.flatMap { notification in
            try database.first(
                "SELECT collapse_id FROM notifications WHERE id = ? AND fact_keys = ?",
                notification,
                ask.key
            ) { $0.text(0) }
        }
        return ReminderText(
            ask: ask.publicID,
            step: step,
            item: ask.item,
            title: ask.title,
            itemTitle: ask.itemTitle,
            projectPath: ask.projectPath,
            webURL: ask.webURL,
            subject: ask.subject,
            factKey: ask.key,
            collapseID: collapse ?? ask.publicID
        )
    }
}
