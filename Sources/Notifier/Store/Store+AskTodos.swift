import SQLite

/// Which to-do items asks stand behind.
extension Store {
    /// A to-do item stands for the review that the same person asks for on the same item, where a note had told of it before: its end is the ask's.
    ///
    /// - Throws: `SQLiteError`.
    func noteReviewTodo(_ todo: Int64, by asker: Int64, on item: ItemReference, of account: AccountID) throws {
        try database.execute(
            """
            UPDATE asks SET todo_id = ?
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ? AND actor_id = ?
                AND kind = 'review_requested' AND settled_at IS NULL AND todo_id IS NULL
            """,
            todo,
            account,
            item.project,
            item.kind,
            item.iid,
            asker
        )
    }
}
