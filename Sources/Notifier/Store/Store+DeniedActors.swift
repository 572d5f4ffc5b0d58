import Platform
import SQLite

/// Somebody whose actions are not told.
struct DeniedActor: Hashable, Sendable {
    var gitlabUserID: Int64
    var displayName: String?
    /// The person's own note.
    var reason: String?
}

extension Store {
    /// An account's deny-list, by GitLab's number.
    func deniedActors(of account: AccountID) throws -> [DeniedActor] {
        try database.rows(
            """
            SELECT gitlab_user_id, display_name, reason FROM denied_actors WHERE account_id = ? ORDER BY gitlab_user_id
            """,
            account
        ) { DeniedActor(gitlabUserID: $0.int64(0), displayName: $0.optionalText(1), reason: $0.optionalText(2)) }
    }

    /// Puts somebody on the list, or changes what is said about them there.
    func denyActor(_ actor: DeniedActor, of account: AccountID, at now: WallTime) throws {
        try database.execute(
            """
            INSERT INTO denied_actors (account_id, gitlab_user_id, display_name, reason, created_at)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET display_name = excluded.display_name, reason = excluded.reason
            """,
            account,
            actor.gitlabUserID,
            actor.displayName,
            actor.reason,
            now
        )
        try settleAsks(.actor(actor.gitlabUserID), of: account, by: .deniedActor, at: now)
        try raiseDataVersion(of: account)
    }

    /// Takes somebody off the list. False when they were not on it.
    func allowActor(_ gitlabUserID: Int64, of account: AccountID) throws -> Bool {
        let isAllowed =
            try database.execute(
                "DELETE FROM denied_actors WHERE account_id = ? AND gitlab_user_id = ?",
                account,
                gitlabUserID
            ) > 0
        if isAllowed { try raiseDataVersion(of: account) }
        return isAllowed
    }
}
