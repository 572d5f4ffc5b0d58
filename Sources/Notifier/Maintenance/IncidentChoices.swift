import Configuration
import SQLite

/// The part of a report that tells what people chose to be told of and when: without it nobody can say whether somebody was to be told
/// at all. Whom somebody does not want to hear has a number of the report's own.
struct IncidentChoices {
    private static let zoneQuery: SQL =
        "SELECT account_id, time_zone FROM account_settings ORDER BY account_id DESC LIMIT ?"

    let clocks: IncidentClocks

    /// - Parameters:
    ///   - database: where the choices are.
    ///   - limit: rows of each kind at most.
    /// - Returns: lines of JSON.
    /// - Throws: `SQLiteError`.
    func lines(of database: Database, limit: Int) throws -> [String] {
        try [Self.preferenceQuery, Self.deniedQuery].flatMap { try database.rows($0, limit) { $0.text(0) } }
            + clocks.lines("account", Self.zoneQuery, of: database, limit)
    }

    /// When a setting was chosen last; null where that is older than what the server remembers.
    private static func chosenAt(_ names: String...) -> String {
        """
        (
            SELECT max(changed_at) FROM choice_stamps WHERE account_id = account_settings.account_id
            AND entity = 'setting' AND row_key IN (\(IncidentStory.list(names)))
        )
        """
    }

    /// Kinds of activity that the person chose, by this program's words; null for the server's.
    private static let kinds = """
        json(iif(activity_kinds IS NULL, NULL, (
            SELECT json_group_array(value)
            FROM json_each('[' || replace(json_quote(activity_kinds), ' ', '","') || ']')
            WHERE value IN (\(IncidentStory.list(ActivityKind.allCases.map(\.rawValue))))
        )))
        """

    private static let preferenceQuery = SQL(
        text: """
            SELECT json_object('kind', 'preferences', 'account', account_id, 'urgentBypass', urgent_bypass,
                'autoWatch', auto_watch, 'autoWatchChangedAt', \(chosenAt("autoWatch")),
                'mirrorsSubscriptions', mirror_subscriptions, 'mirrorChangedAt', \(chosenAt("mirrorSubscriptions")),
                'kinds', \(kinds), 'kindsChangedAt', \(chosenAt("kinds")),
                'reminders', reminders, 'dueReminders', due_reminders, 'changedAt', changed_at,
                'quietWindows', (SELECT count(*) FROM quiet_windows WHERE account_id = account_settings.account_id),
                'deniedActors', (SELECT count(*) FROM denied_actors WHERE account_id = account_settings.account_id),
                'quiet', json((
                    SELECT json_group_array(json_object('weekday', weekday, 'from', from_minute, 'until', until_minute))
                    FROM quiet_windows WHERE account_id = account_settings.account_id
                )),
                'quietChangedAt', \(chosenAt("quietHours", "timeZone", "urgentBypass")),
                'remindersChangedAt', \(chosenAt("reminders")))
            FROM account_settings ORDER BY account_id DESC LIMIT ?
            """
    )

    /// Who is denied, and who was and is no more. Somebody who uses the notifier is told by the number of their account, too.
    private static let deniedQuery: SQL = """
        WITH choices AS (
            SELECT account_id, gitlab_user_id, 1 AS is_denied, created_at AS changed_at FROM denied_actors
            UNION ALL
            SELECT account_id, CAST(row_key AS INTEGER), 0, changed_at FROM choice_stamps AS stamp
            WHERE entity = 'actor' AND NOT EXISTS (
                SELECT 1 FROM denied_actors AS denied
                WHERE denied.account_id = stamp.account_id AND denied.gitlab_user_id = CAST(stamp.row_key AS INTEGER)
            )
        )
        SELECT json_object('kind', 'denied', 'account', choices.account_id,
            'actor', dense_rank() OVER (ORDER BY owner.gitlab_origin, choices.gitlab_user_id), 'person', person.id,
            'isDenied', is_denied, 'changedAt', changed_at)
        FROM choices JOIN accounts AS owner ON owner.id = choices.account_id
            LEFT JOIN accounts AS person ON person.gitlab_origin = owner.gitlab_origin
                AND person.gitlab_user_id = choices.gitlab_user_id
        ORDER BY changed_at DESC, choices.account_id LIMIT ?
        """
}
