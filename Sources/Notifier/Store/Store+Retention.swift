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
