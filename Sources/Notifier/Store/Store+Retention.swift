import Platform
import SQLite

/// Forgetting, a batch at a time.
extension Store {
    /// Forgets which facts were notified before `end`; at most `limit` at once. Returns how many.
    func purgeNotifiedFacts(before end: WallTime, limit: Int) throws -> Int {
        try database.execute(
            """
            DELETE FROM notified_facts WHERE (account_id, fact_key) IN (
                SELECT account_id, fact_key FROM notified_facts WHERE notified_at < ? LIMIT ?
            )
            """,
            end,
            limit
        )
    }

    /// Forgets devices that have been dead since before `end`, with their tokens, once nothing is known any more that was sent to them and
    /// nobody is signed in there; at most `limit` at once. Returns how many. One that registers after that is a new one.
    func purgeDeadDevices(before end: WallTime, limit: Int) throws -> Int {
        try database.execute(
            """
            DELETE FROM devices WHERE id IN (
                SELECT id FROM devices AS old WHERE state = 'dead' AND state_changed_at < ?
                    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE device_id = old.id)
                    AND NOT EXISTS (SELECT 1 FROM sessions WHERE device_public_id = old.public_id)
                LIMIT ?
            )
            """,
            end,
            limit
        )
    }

    /// Forgets that something was unwatched before `end`, which says no more than that nothing was chosen: no change that would come before it is
    /// taken by then. Devices keep it and are told of nothing. At most `limit` at once; returns how many.
    func purgeUnwatched(before end: WallTime, limit: Int) throws -> Int {
        let gone = try database.rows(
            """
            SELECT account_id, project_id, item_kind, item_iid FROM item_choices
            WHERE choice = 'unwatched' AND changed_at < ? LIMIT ?
            """,
            end,
            limit
        ) { row in
            guard let kind = ItemKind(rawValue: row.text(2)) else { throw StoreError.unreadable(column: "item_kind") }
            let item = ItemReference(project: ProjectID(rawValue: row.int64(1)), kind: kind, iid: row.int64(3))
            return (account: AccountID(rawValue: row.int64(0)), item: item)
        }
        for row in gone {
            try database.execute(
                "DELETE FROM sync_rows WHERE account_id = ? AND entity = 'choice' AND row_key = ?",
                row.account,
                row.item.syncKey
            )
            try database.execute(
                "DELETE FROM item_choices WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?",
                row.account,
                row.item.project,
                row.item.kind,
                row.item.iid
            )
        }
        return gone.count
    }

    /// Forgets provider tokens that were made before `end`: of a key that is not used any more one would stay. Returns how many.
    func purgeProviderTokens(before end: WallTime, limit: Int) throws -> Int {
        try database.execute(
            """
            DELETE FROM provider_tokens WHERE (key_id, team_id) IN (
                SELECT key_id, team_id FROM provider_tokens WHERE issued_at < ? LIMIT ?
            )
            """,
            end,
            limit
        )
    }

    /// Notes which to-dos GitLab lists now, and forgets those that it has not listed since `end`. Returns how many were forgotten.
    ///
    /// One that is done and undone after that counts as new: it asks for attention again.
    func reviewTodos(
        listed: [Int64],
        of account: AccountID,
        forgetting end: WallTime,
        at now: WallTime
    ) throws -> Int {
        for id in listed {
            try database.execute(
                "UPDATE seen_todos SET seen_at = ? WHERE account_id = ? AND todo_id = ?",
                now,
                account,
                id
            )
        }
        return try database.execute("DELETE FROM seen_todos WHERE account_id = ? AND seen_at < ?", account, end)
    }
}
