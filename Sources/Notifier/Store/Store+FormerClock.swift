import Platform
import SQLite

/// What an earlier process planned by a clock that was ahead, and that would be due only when ours is as far. Each lies farther ahead than this
/// process would plan it.
extension Store {
    /// Pushes to devices that APNs has not called too busy by our clock, and that wait for longer than `longest`, are due now.
    ///
    /// - Parameters:
    ///   - longest: the longest pause before a push is tried again.
    ///   - now: the time.
    /// - Throws: `SQLiteError`.
    func endFormerPauses(longest: Duration, at now: WallTime) throws {
        try database.execute(
            """
            UPDATE deliveries SET next_attempt_at = ?1
            WHERE state = 'queued' AND next_attempt_at > ?2 AND due_at IS NULL AND device_id IN (
                SELECT id FROM devices WHERE state = 'active' AND (throttled_at IS NULL OR throttled_at > ?1)
            )
            """,
            now,
            now.advanced(by: longest)
        )
        try shiftThrottles(by: .zero, at: now)
    }

    /// That APNs called a device too busy was noted by a clock that was ahead by `step`: what APNs takes from now on counts as later.
    func shiftThrottles(by step: Duration, at now: WallTime) throws {
        try database.execute(
            "UPDATE devices SET throttled_at = min(throttled_at + ?, ?) WHERE throttled_at > ?",
            step.wholeMicroseconds,
            now.advanced(by: .microseconds(-1)),
            now
        )
    }

    /// What the operator announced in quiet hours goes by the clock on the wall, which was set by `step` and shows `now`: what waits for their end by
    /// either clock waits until they end by this one, or no more.
    ///
    /// - Parameters:
    ///   - step: by how much.
    ///   - zones: the rules of people's zones.
    ///   - now: the time.
    /// - Throws: `SQLiteError`.
    func replanAnnouncements(over step: Duration, by zones: any TimeZoneSource, at now: WallTime) throws {
        let waiting = try database.rows(
            """
            SELECT d.id, n.account_id FROM deliveries AS d JOIN notifications AS n ON n.id = d.notification_id
            WHERE d.state = 'queued' AND d.due_at > ?
            """,
            min(now, now.advanced(by: .zero - step))
        ) { (id: DeliveryID(rawValue: $0.int64(0)), account: AccountID(rawValue: $0.int64(1))) }
        for delivery in waiting {
            let end = try settings(of: delivery.account).quietHours(zones)?.end(at: now)
            // What waits for its device besides goes no earlier either.
            try database.execute(
                """
                UPDATE deliveries SET due_at = ?1,
                    next_attempt_at = CASE next_attempt_at WHEN due_at THEN ?1 ELSE max(next_attempt_at, ?1) END
                WHERE id = ?2
                """,
                end ?? now,
                delivery.id
            )
        }
    }

    /// Silent pushes, and trials of held devices, come no later than if they were planned now.
    ///
    /// - Parameters:
    ///   - policy: when a silent push is planned for.
    ///   - now: the time.
    /// - Throws: `SQLiteError`.
    func endFormerPlans(by policy: SilentPushPolicy, at now: WallTime) throws {
        try database.execute(
            "UPDATE device_syncs SET due_at = ? WHERE due_at > ?",
            now.advanced(by: SilentPushPolicy.settling),
            now.advanced(by: policy.longestWait)
        )
        for trials in 0...2 {
            let latest = now.advanced(by: DeliveryPolicy.trialPause(after: trials))
            try database.execute(
                "UPDATE devices SET trial_at = ?1 WHERE state = 'held' AND trial_at > ?1 AND min(trials, 2) = ?2",
                latest,
                trials
            )
        }
    }

    /// Reminders come no later than their delay from now, or than "later" where the person has said that. What quiet hours have put off is decided
    /// anew.
    func endFormerReminders(at now: WallTime) throws {
        try database.execute(
            """
            UPDATE reminders SET due_at = ?1 + delay
            WHERE state = 'waiting' AND quiet_until IS NULL AND postponed_until IS NULL AND due_at > ?1 + delay
            """,
            now
        )
        try database.execute(
            """
            UPDATE reminders SET due_at = ?1 + max(delay, ?2), postponed_until = min(postponed_until, ?1 + ?2)
            WHERE state = 'waiting' AND quiet_until IS NULL AND postponed_until IS NOT NULL
                AND due_at > ?1 + max(delay, ?2)
            """,
            now,
            ReminderPolicy.later.wholeMicroseconds
        )
        try database.execute(
            "UPDATE reminders SET due_at = ?1 WHERE state = 'waiting' AND quiet_until IS NOT NULL AND due_at > ?1",
            now
        )
    }

    /// What people chose, envelopes that came, and tags that make them watch, by a clock that was ahead and has been set back since: each counts
    /// as from a minute ago, or it would stand against all that is chosen until the clock is as far again. They keep their order, and what was
    /// chosen before that minute gives way to them.
    ///
    /// - Parameters:
    ///   - account: whose.
    ///   - now: the time, read after all of them were committed.
    /// - Throws: `SQLiteError`.
    func endFormerChoices(of account: AccountID, at now: WallTime) throws {
        let start = now.advanced(by: .zero - Self.clockLead)
        // By their age, as next to none lies ahead.
        try database.execute(
            """
            UPDATE choice_stamps SET changed_at = min(?1 + (changed_at - ?2) / 10000, ?2)
            WHERE changed_at > ?2 AND +account_id = ?3
            """,
            start,
            now,
            account
        )
        try database.execute(
            """
            UPDATE item_choices SET changed_at = min(?1 + (changed_at - ?2) / 10000, ?2)
            WHERE account_id = ?3 AND changed_at > ?2
            """,
            start,
            now,
            account
        )
        try database.execute(
            """
            UPDATE duty_mutes SET changed_at = min(?1 + (changed_at - ?2) / 10000, ?2)
            WHERE account_id = ?3 AND changed_at > ?2
            """,
            start,
            now,
            account
        )
        try database.execute(
            """
            UPDATE auto_watch_requests SET requested_at = min(?1 + (requested_at - ?2) / 10000, ?2)
            WHERE account_id = ?3 AND requested_at > ?2
            """,
            start,
            now,
            account
        )
        // One that comes again must not be later than what was chosen since.
        try database.execute(
            """
            UPDATE sync_envelopes SET received_at = min(?1 + (received_at - ?2) / 10000, ?2)
            WHERE account_id = ?3 AND received_at > ?2
            """,
            start,
            now,
            account
        )
    }

    /// The same of when a notification was said to be read, or unread.
    func endFormerMark(of notification: NotificationID, at now: WallTime) throws {
        try database.execute(
            """
            UPDATE notifications SET read_changed_at = min(?1 + (read_changed_at - ?2) / 10000, ?2)
            WHERE id = ?3 AND read_changed_at > ?2
            """,
            now.advanced(by: .zero - Self.clockLead),
            now,
            notification
        )
    }
}
