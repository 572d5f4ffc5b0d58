import HTTP
import Platform
import SQLite

extension Store {
    /// At most so many accounts are polled for one webhook.
    private static let watcherLimit = 1_000

    /// The active accounts on that GitLab that watch the item, in the order in which they came.
    func watchers(of item: ItemReference, at origin: HTTPOrigin) throws -> [AccountID] {
        try database.rows(
            """
            SELECT accounts.id FROM watches JOIN accounts ON accounts.id = watches.account_id
            WHERE watches.project_id = ? AND watches.item_kind = ? AND watches.item_iid = ?
                AND accounts.gitlab_origin = ? AND accounts.state = 'active'
            ORDER BY accounts.id LIMIT ?
            """,
            item.project,
            item.kind,
            item.iid,
            origin.description,
            Self.watcherLimit
        ) { AccountID(rawValue: $0.int64(0)) }
    }
}
