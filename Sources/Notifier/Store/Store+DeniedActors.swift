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

    /// How many are on an account's deny-list.
    func deniedActorCount(of account: AccountID) throws -> Int {
        try database.first("SELECT count(*) FROM denied_actors WHERE account_id = ?", account) { $0.int(0) } ?? 0
    }

    /// Puts somebody on the list, or changes what is said about them there. False when a later choice stands.
    @discardableResult
    func denyActor(
        _ actor: DeniedActor,
        of account: AccountID,
        at chosenAt: WallTime,
        by origin: String = ""
    ) throws -> Bool {
        let stamp = ChangeStamp(at: chosenAt, by: origin)
        guard try take(stamp, .actor, String(actor.gitlabUserID), of: account) else { return false }
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
            chosenAt
        )
        try settleAsks(.actor(actor.gitlabUserID), of: account, by: .deniedActor, at: chosenAt)
        return true
    }

    /// Takes somebody off the list. False when they were not on it, or a later choice stands.
    func allowActor(
        _ gitlabUserID: Int64,
        of account: AccountID,
        at chosenAt: WallTime,
        by origin: String = ""
    ) throws -> Bool {
        let isDenied = try isDenied(gitlabUserID, of: account)
        let stamp = ChangeStamp(at: chosenAt, by: origin)
        guard try take(stamp, .actor, String(gitlabUserID), of: account) else { return false }
        try database.execute(
            "DELETE FROM denied_actors WHERE account_id = ? AND gitlab_user_id = ?",
            account,
            gitlabUserID
        )
        return isDenied
    }

    /// Whether somebody is on the list.
    func isDenied(_ gitlabUserID: Int64, of account: AccountID) throws -> Bool {
        try deniedActor(gitlabUserID, of: account) != nil
    }

    /// What is said about somebody on the list; nil when they are not on it.
    func deniedActor(_ gitlabUserID: Int64, of account: AccountID) throws -> DeniedActor? {
        try database.first(
            """
            SELECT gitlab_user_id, display_name, reason FROM denied_actors WHERE account_id = ? AND gitlab_user_id = ?
            """,
            account,
            gitlabUserID
        ) { DeniedActor(gitlabUserID: $0.int64(0), displayName: $0.optionalText(1), reason: $0.optionalText(2)) }
    }
}
