import SQLite

/// The part of a report that tells who watched what and what was told when, so that it can be played again. Items and facts have
/// numbers of the report's own; what a program or GitLab has written is told only where it is one of this program's words.
enum IncidentStory {
    /// Kinds of facts, by the beginning of their keys.
    private static let factKinds = [
        "note", "mention", "state", "todo", "event", "label", "milestone", "approval", "pipeline", "due", "duty",
        "signal",
    ]
    /// Items and their projects by numbers of the report.
    static let items = """
        items AS (
            SELECT project_id, item_kind, item_iid, dense_rank() OVER (ORDER BY project_id) AS project,
                row_number() OVER (ORDER BY project_id, item_kind, item_iid) AS number
            FROM (
                SELECT project_id, item_kind, item_iid FROM watches
                UNION SELECT project_id, item_kind, item_iid FROM item_choices
                UNION SELECT project_id, item_kind, item_iid FROM notifications WHERE item_iid IS NOT NULL
            )
        )
        """

    /// Each takes the number of rows at most.
    static var queries: [SQL] { [itemQuery, watchQuery, choiceQuery, notificationQuery, factQuery, askQuery] }

    private static let itemQuery = SQL(
        text: """
            WITH \(items)
            SELECT json_object('kind', 'item', 'item', number, 'project', project, 'of', item_kind) FROM items
            ORDER BY number DESC LIMIT ?
            """
    )

    private static let watchQuery = SQL(
        text: """
            WITH \(items)
            SELECT json_object('kind', 'watch', 'account', account_id, 'item', number, 'origin', origin,
                'createdAt', created_at, 'missingSince', missing_since, 'mutedUntil', muted_until,
                'muteChangedAt', mute_changed_at,
                'dueOn', (SELECT due_on FROM due_dates WHERE watch_id = watches.id), 'endedAt', (
                    SELECT changed_at FROM choice_stamps WHERE choice_stamps.account_id = watches.account_id
                    AND entity = 'end' AND row_key = project_id || '/' || item_kind || '/' || item_iid
                ))
            FROM watches JOIN items USING (project_id, item_kind, item_iid) ORDER BY id DESC LIMIT ?
            """
    )

    private static let choiceQuery = SQL(
        text: """
            WITH \(items)
            SELECT json_object('kind', 'choice', 'account', account_id, 'item', number, 'choice', choice,
                'changedAt', changed_at)
            FROM item_choices JOIN items USING (project_id, item_kind, item_iid) ORDER BY changed_at DESC LIMIT ?
            """
    )

    /// Who waits for the person on an item, until how that ended.
    private static let askQuery = SQL(
        text: """
            WITH \(items)
            SELECT json_object('kind', 'ask', 'account', account_id, 'item', number, 'of', kind, 'raisedAt', raised_at,
                'toldAt', told_at, 'settledAt', settled_at, 'settledBy', settled_by)
            FROM asks JOIN items USING (project_id, item_kind, item_iid) ORDER BY id DESC LIMIT ?
            """
    )

    private static let notificationQuery = SQL(
        text: """
            WITH \(items)
            SELECT json_object('kind', 'notification', 'id', id, 'publicId', public_id, 'account', account_id, 'of', kind,
                'source', source, 'item', number,
                'action', CASE WHEN action_type IN (\(list(Action.known.map(\.code)))) THEN action_type END,
                'payloadBytes', length(payload), 'createdAt', created_at, 'expiresAt', expires_at)
            FROM notifications LEFT JOIN items USING (project_id, item_kind, item_iid) ORDER BY id DESC LIMIT ?
            """
    )

    /// Every fact that an account was told of, or that was kept from it, such as what the person did. A mention and the note that it
    /// stands in have the same number.
    private static let factQuery = SQL(
        text: """
            WITH \(items),
            told AS (
                SELECT notifications.account_id, facts.value AS fact_key, min(notifications.id) AS notification_id
                FROM notifications, json_each('[' || replace(json_quote(fact_keys), ' ', '","') || ']') AS facts
                WHERE fact_keys <> '' GROUP BY 1, 2
            ),
            seen AS (
                SELECT account_id, 'note/' || project_id || '/' || note_id AS name, project_id, item_kind, item_iid
                FROM seen_notes JOIN watches ON watches.id = watch_id
                UNION ALL SELECT account_id, 'state/' || project_id || '/' || event_id, project_id, item_kind, item_iid
                FROM seen_state_events JOIN watches ON watches.id = watch_id
            ),
            newest AS (
                SELECT *, substr(fact_key, 1, instr(fact_key, '/') - 1) AS table_name,
                    iif(fact_key LIKE 'mention/%', 'note/' || substr(fact_key, 9), fact_key) AS name
                FROM notified_facts ORDER BY notified_at DESC LIMIT ?
            )
            SELECT json_object('kind', 'fact', 'fact', dense_rank() OVER (ORDER BY newest.name),
                'account', newest.account_id,
                'of', iif(table_name IN (\(list(factKinds))), table_name, 'other'), 'notification', notification_id,
                'item', number, 'silenced', silenced, 'isHeld', held_facts.id IS NOT NULL, 'happenedAt', newest.occurred_at,
                'noticedAt', notified_at)
            FROM newest LEFT JOIN told USING (account_id, fact_key) LEFT JOIN held_facts USING (account_id, fact_key)
                LEFT JOIN notifications ON notifications.id = notification_id
                LEFT JOIN seen ON seen.account_id = newest.account_id AND seen.name = newest.name
                LEFT JOIN items ON items.project_id = coalesce(notifications.project_id, seen.project_id, held_facts.project_id)
                    AND items.item_kind = coalesce(notifications.item_kind, seen.item_kind, held_facts.item_kind)
                    AND items.item_iid = coalesce(notifications.item_iid, seen.item_iid, held_facts.item_iid)
            ORDER BY notified_at DESC, newest.name
            """
    )

    /// Words of this program, as a list of SQL's.
    static func list(_ words: [String]) -> String { words.map { "'\($0)'" }.joined(separator: ", ") }
}
