import Platform
import SQLite

extension Store {
    /// Notes what GitLab says of the person's subscription to a watched item; does nothing when the entry is gone.
    func setSubscribed(_ isSubscribed: Bool, watch publicID: String, of account: AccountID, at now: WallTime) throws {
        let isKnown = try self.isSubscribed(watch: publicID, of: account) == isSubscribed
        try database.execute(
            """
            INSERT INTO subscriptions (watch_id, is_subscribed, known_at)
            SELECT id, ?, ? FROM watches WHERE public_id = ? AND account_id = ?
            ON CONFLICT (watch_id) DO UPDATE
                SET is_subscribed = excluded.is_subscribed, known_at = excluded.known_at
            """,
            isSubscribed,
            now,
            publicID,
            account
        )
        if !isKnown { try raiseDataVersion(of: account) }
    }

    /// What is known of the subscription to a watched item; nil when nobody has looked.
    func isSubscribed(watch publicID: String, of account: AccountID) throws -> Bool? {
        try database.first(
            """
            SELECT s.is_subscribed FROM subscriptions AS s JOIN watches AS w ON w.id = s.watch_id
            WHERE w.public_id = ? AND w.account_id = ?
            """,
            publicID,
            account
        ) { $0.bool(0) }
    }
}
