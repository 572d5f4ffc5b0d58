import Platform
import SQLite

extension Store {
    /// Keeps that a watched issue was moved. Call it in the transaction that takes the note which says so; the first move stands.
    func insertMovedIssue(_ moved: MovedIssue) throws {
        try database.execute(
            """
            INSERT INTO moved_issues (watch_id, project_path, item_iid, moved_at, noticed_at)
            VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            moved.watch,
            moved.destination.project,
            moved.destination.iid,
            moved.movedAt,
            moved.noticedAt
        )
    }

    /// An account's issues whose move has not been followed, at most `limit`: those first that have waited longest since they were noticed
    /// or tried, so that what fails again and again holds up nothing.
    func movedIssues(of account: AccountID, limit: Int) throws -> [MovedIssue] {
        try database.rows(
            """
            SELECT moved.watch_id, moved.project_path, moved.item_iid, moved.moved_at, moved.noticed_at
            FROM moved_issues AS moved JOIN watches ON watches.id = moved.watch_id
            WHERE watches.account_id = ?
            ORDER BY coalesce(moved.tried_at, moved.noticed_at), moved.tried_at IS NOT NULL, moved.watch_id LIMIT ?
            """,
            account,
            limit
        ) { row in
            MovedIssue(
                watch: WatchID(rawValue: row.int64(0)),
                destination: IssueDestination(project: row.text(1), iid: row.int64(2)),
                movedAt: row.wallTime(3),
                noticedAt: row.wallTime(4)
            )
        }
    }

    /// Keeps that a move was followed in vain: the others come before it.
    func setTried(_ watch: WatchID, at now: WallTime) throws {
        try database.execute("UPDATE moved_issues SET tried_at = ? WHERE watch_id = ?", now, watch)
    }

    /// Forgets a move, because the watch has followed it or cannot.
    func deleteMovedIssue(_ watch: WatchID) throws {
        try database.execute("DELETE FROM moved_issues WHERE watch_id = ?", watch)
    }
}
