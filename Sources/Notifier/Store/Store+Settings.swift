import Platform
import SQLite

/// What people chose about being told.
extension Store {
    /// An account's settings; the defaults as long as it chose nothing.
    func settings(of account: AccountID) throws -> PersonSettings {
        var settings = PersonSettings()
        let isChosen: Void? = try database.first(
            """
            SELECT time_zone, urgent_bypass, auto_watch, mirror_subscriptions, activity_kinds, reminders, due_reminders,
                due_lead_hours
            FROM account_settings WHERE account_id = ?
            """,
            account
        ) { row in
            settings.timeZone = row.text(0)
            settings.isUrgentBypassOn = row.int(1) == 1
            settings.isAutoWatchOn = row.int(2) == 1
            settings.isMirroringOn = row.int(3) == 1
            settings.activityKinds = row.optionalText(4).map { $0.split(separator: " ").map(String.init) }
            settings.areRemindersOn = row.int(5) == 1
            settings.areDueRemindersOn = row.int(6) == 1
            settings.dueLeadHours = row.optionalInt64(7).map { Int($0) }
        }
        guard isChosen != nil else { return settings }
        settings.quietWindows = try database.rows(
            """
            SELECT weekday, from_minute, until_minute FROM quiet_windows WHERE account_id = ?
            ORDER BY weekday, from_minute
            """,
            account
        ) { QuietHours.Window(weekday: $0.int(0), from: $0.int(1), until: $0.int(2)) }
        return settings
    }

    /// Replaces an account's settings as a whole.
    func setSettings(_ settings: PersonSettings, of account: AccountID, at now: WallTime) throws {
        try database.execute("DELETE FROM account_settings WHERE account_id = ?", account)
        try database.execute(
            """
            INSERT INTO account_settings (
                account_id, time_zone, urgent_bypass, auto_watch, mirror_subscriptions, activity_kinds, reminders,
                due_reminders, due_lead_hours, changed_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            account,
            settings.timeZone,
            settings.isUrgentBypassOn ? 1 : 0,
            settings.isAutoWatchOn ? 1 : 0,
            settings.isMirroringOn ? 1 : 0,
            settings.activityKinds?.joined(separator: " "),
            settings.areRemindersOn ? 1 : 0,
            settings.areDueRemindersOn ? 1 : 0,
            settings.dueLeadHours,
            now
        )
        for window in settings.quietWindows {
            try database.execute(
                "INSERT INTO quiet_windows (account_id, weekday, from_minute, until_minute) VALUES (?, ?, ?, ?)",
                account,
                window.weekday,
                window.from,
                window.until
            )
        }
    }

    /// The rules for facts on `items`, as the account's choices are now. To be asked in the transaction that records the facts.
    func notificationRules(
        of account: AccountID,
        on items: [ItemReference],
        zones: any TimeZoneSource,
        at now: WallTime
    ) throws -> NotificationRules {
        let settings = try settings(of: account)
        var standings: [ItemReference: ItemStanding] = [:]
        for item in items where standings[item] == nil { standings[item] = try standing(of: item, for: account) }
        return NotificationRules(
            settings: settings,
            items: standings,
            deniedActors: Set(try deniedActors(of: account).map(\.gitlabUserID)),
            quietUntil: settings.quietHours(zones)?.end(at: now),
            now: now,
            mutedPrograms: try mutedPrograms(of: account, at: now),
            mutedDuties: try mutedDuties(of: account, at: now)
        )
    }

    private func standing(of item: ItemReference, for account: AccountID) throws -> ItemStanding {
        var standing = ItemStanding()
        try database.query(
            """
            SELECT muted_until FROM watches
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?
            """,
            account,
            item.project,
            item.kind,
            item.iid
        ) { row in
            standing.isWatched = true
            standing.mutedUntil = row.optionalWallTime(0)
        }
        let last = try choice(on: item, of: account)
        standing.isDismissed = last?.choice == .dismissed
        if let last, last.choice == .unwatched { standing.unwatchedAt = last.changedAt }
        return standing
    }
}

extension PersonSettings {
    /// The quiet hours, if there are any. A zone that the system no longer knows counts as UTC: a window an hour off is better
    /// than none, and than losing news.
    func quietHours(_ zones: any TimeZoneSource) -> QuietHours? {
        guard !quietWindows.isEmpty else { return nil }
        return QuietHours(zone: zone(zones), windows: quietWindows)
    }

    /// When the person is reminded of what is due; `leadTime` is the server's standard.
    func dueDatePolicy(_ zones: any TimeZoneSource, leadTime: Duration) -> DueDatePolicy {
        DueDatePolicy(leadTime: dueLeadHours.map { .hours($0) } ?? leadTime, zone: zone(zones))
    }

    private func zone(_ zones: any TimeZoneSource) -> TimeZone { TimeZone(timeZone, from: zones) ?? .utc }
}
