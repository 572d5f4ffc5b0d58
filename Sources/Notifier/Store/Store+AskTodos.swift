import Platform
import SQLite

/// Which to-do items asks stand behind.
extension Store {
    /// A to-do item stands for the review that the same person asks for on the same item, where a note had told of it before: its end is the ask's.
    /// A newer one takes the place of one that had stood for what was asked before.
    ///
    /// - Throws: `SQLiteError`.
    func noteReviewTodo(_ todo: Int64, by asker: Int64, on item: ItemReference, of account: AccountID) throws {
        try database.execute(
            """
            UPDATE asks SET todo_id = ?, missing_since = NULL
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ? AND actor_id = ?
                AND kind = 'review_requested' AND settled_at IS NULL AND coalesce(todo_id, 0) < ?
            """,
            todo,
            account,
            item.project,
            item.kind,
            item.iid,
            asker,
            todo
        )
    }

    /// What a list of to-do items shows of why nobody waits behind some that are pending. What was asked since is waited for.
    ///
    /// - Parameters:
    ///   - endings: by the numbers of the to-do items.
    ///   - account: whose they are.
    ///   - now: the time.
    /// - Returns: how many were open, by what ended them.
    /// - Throws: `SQLiteError`.
    @discardableResult
    func settleAsks(endedBy endings: [Int64: TodoEnding], of account: AccountID, at now: WallTime) throws
        -> [Ask.Settlement: Int]
    {
        guard !endings.isEmpty else { return [:] }
        let open = try database.rows(
            """
            SELECT id, todo_id, kind, occurred_at FROM asks
            WHERE account_id = ? AND settled_at IS NULL AND todo_id IS NOT NULL ORDER BY id
            """,
            account
        ) { (id: $0.int64(0), todo: $0.int64(1), kind: $0.text(2), occurredAt: $0.wallTime(3)) }
        var settled: [Ask.Settlement: Int] = [:]
        for ask in open {
            guard let ending = endings[ask.todo] else { continue }
            let isReview = ask.kind == Ask.Kind.reviewRequested.rawValue
            let reason: Ask.Settlement
            if let end = ending.itemEndedAt, ask.occurredAt <= end {
                reason = .itemEnded
            } else if isReview, let end = ending.withdrawnAt, ask.occurredAt <= end {
                reason = .withdrawn
            } else {
                continue
            }
            try settle(ask.id, by: reason, at: now)
            settled[reason, default: 0] += 1
        }
        if !settled.isEmpty { try raiseDataVersion(of: account) }
        return settled
    }

    /// What a complete reading of the person's to-do items says of those of reviews that were withdrawn: one that it leaves out, such as one that is
    /// snoozed, may be done, and its absence says nothing of the next request.
    ///
    /// - Throws: `SQLiteError`.
    func reviewWithdrawn(pending: Set<Int64>, of account: AccountID, at now: WallTime) throws {
        let withdrawn = try database.rows(
            """
            SELECT id, todo_id, missing_since IS NULL FROM asks
            WHERE account_id = ? AND settled_by = 'withdrawn' AND todo_id IS NOT NULL ORDER BY id
            """,
            account
        ) { (id: $0.int64(0), todo: $0.int64(1), isListed: $0.bool(2)) }
        for ask in withdrawn where ask.isListed != pending.contains(ask.todo) {
            try setMissing(ask.isListed ? now : nil, ask: ask.id)
        }
    }

    /// Who is asked again for a review is asked for one: the newest request alone is waited for, whoever made it. While a to-do item of a former
    /// one is pending GitLab makes no other, so that it stands for the newest, too, also where the former was withdrawn; one that a list has left out
    /// may be done.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - account: who is asked.
    ///   - serverTime: what GitLab's clock shows, if it is known: what lies ahead was asked before that was set back.
    ///   - now: the time.
    /// - Throws: `SQLiteError`.
    func keepNewestReview(
        on item: ItemReference,
        of account: AccountID,
        serverTime: WallTime?,
        at now: WallTime
    ) throws {
        let requests = try database.rows(
            """
            SELECT id, CASE WHEN missing_since IS NULL THEN todo_id END, settled_at IS NULL FROM asks
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ? AND kind = 'review_requested'
                AND (settled_at IS NULL OR settled_by = 'withdrawn')
            ORDER BY CASE WHEN occurred_at > ? THEN 0 ELSE occurred_at END DESC, id DESC
            """,
            account,
            item.project,
            item.kind,
            item.iid,
            serverTime?.advanced(by: Self.clockLead).microseconds ?? .max
        ) { (id: $0.int64(0), todo: $0.optionalInt64(1), isOpen: $0.bool(2)) }
        guard let newest = requests.first(where: \.isOpen) else { return }
        var isOneSettled = false
        for former in requests where former.id != newest.id {
            try database.execute(
                "UPDATE asks SET todo_id = ? WHERE id = ? AND todo_id IS NULL",
                former.todo,
                newest.id
            )
            guard former.isOpen else { continue }
            try settle(former.id, by: .askedAgain, at: now)
            isOneSettled = true
        }
        if isOneSettled { try raiseDataVersion(of: account) }
    }
}
