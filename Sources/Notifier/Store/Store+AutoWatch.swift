import Platform
import SQLite

/// An item to be watched because the person was tagged there.
struct AutoWatchRequest: Hashable, Sendable {
    var item: ItemReference
    var requestedAt: WallTime

    /// How long the item is looked for: a replica may not have it yet, and the person may never be allowed to read it.
    private static let patience = Duration.minutes(15)

    /// Whether to look no more.
    func isGivenUp(at now: WallTime) -> Bool { requestedAt.advanced(by: Self.patience) < now }
}

extension Store {
    /// Asks for an item to be watched. Call it in the transaction that records the tag; one that is asked for stays as it is.
    func insertAutoWatchRequest(_ item: ItemReference, of account: AccountID, at now: WallTime) throws {
        try database.execute(
            """
            INSERT INTO auto_watch_requests (account_id, project_id, item_kind, item_iid, requested_at)
            VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            account,
            item.project,
            item.kind,
            item.iid,
            now
        )
    }

    /// An account's requests, at most `limit`: those first that have waited longest since they were made or tried, so that what fails again
    /// and again holds up nothing.
    func autoWatchRequests(of account: AccountID, limit: Int) throws -> [AutoWatchRequest] {
        try database.rows(
            """
            SELECT project_id, item_kind, item_iid, requested_at FROM auto_watch_requests WHERE account_id = ?
            ORDER BY coalesce(tried_at, requested_at), tried_at IS NOT NULL, project_id, item_kind, item_iid LIMIT ?
            """,
            account,
            limit
        ) { row in
            guard let kind = ItemKind(rawValue: row.text(1)) else { throw StoreError.unreadable(column: "item_kind") }
            return AutoWatchRequest(
                item: ItemReference(project: ProjectID(rawValue: row.int64(0)), kind: kind, iid: row.int64(2)),
                requestedAt: row.wallTime(3)
            )
        }
    }

    /// Keeps that a request was tried in vain: the others come before it.
    func setTried(_ item: ItemReference, of account: AccountID, at now: WallTime) throws {
        try database.execute(
            """
            UPDATE auto_watch_requests SET tried_at = ?
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?
            """,
            now,
            account,
            item.project,
            item.kind,
            item.iid
        )
    }

    /// Forgets a request, because it was met or cannot be.
    func deleteAutoWatchRequest(_ item: ItemReference, of account: AccountID) throws {
        try database.execute(
            "DELETE FROM auto_watch_requests WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?",
            account,
            item.project,
            item.kind,
            item.iid
        )
    }
}
