import HTTP
import Platform
import SQLite

/// One person's connection to one GitLab.
struct Account: Equatable, Sendable {
    /// Whether GitLab takes the token.
    enum State: String, Sendable, CaseIterable {
        case active
        case authExpired = "auth_expired"
    }

    var id: AccountID
    /// The id that clients know.
    var publicID: String
    var origin: HTTPOrigin
    var gitlabUserID: Int64
    var username: String
    /// Sealed for ``publicID``.
    var token: SealedSecret
    /// The token's last day as GitLab says it, such as `2026-12-31`.
    var tokenExpiresOn: String?
    var gitlabVersion: String?
    var state: State
    /// Since when GitLab could not be read; nil while all is well.
    var troubleSince: WallTime?
    /// True when the person was notified of the trouble.
    var isTroubleAnnounced: Bool
    var createdAt: WallTime
    /// When a poll last succeeded.
    var lastPollAt: WallTime?
    /// Until when everything on every watched item had been read and dealt with, as far as the store was told.
    var completeAt: WallTime?
}

/// What registration learns about an account.
struct AccountRegistration: Equatable, Sendable {
    var publicID: String
    var origin: HTTPOrigin
    var gitlabUserID: Int64
    var username: String
    var token: SealedSecret
    var tokenExpiresOn: String?
    var gitlabVersion: String?
}

extension Store {
    /// Accounts that are polled, in the order in which they came.
    func activeAccounts() throws -> [Account] {
        try database.rows(
            """
            SELECT id, public_id, gitlab_origin, gitlab_user_id, username, token_ciphertext, token_nonce,
                token_key_version, token_expires_on, gitlab_version, state, trouble_since, trouble_announced,
                created_at, last_poll_at, complete_at
            FROM accounts WHERE state = 'active' ORDER BY id
            """,
            decode: Self.account
        )
    }

    func account(_ id: AccountID) throws -> Account? {
        try database.first(
            """
            SELECT id, public_id, gitlab_origin, gitlab_user_id, username, token_ciphertext, token_nonce,
                token_key_version, token_expires_on, gitlab_version, state, trouble_since, trouble_announced,
                created_at, last_poll_at, complete_at
            FROM accounts WHERE id = ?
            """,
            id,
            decode: Self.account
        )
    }

    func account(origin: HTTPOrigin, gitlabUserID: Int64) throws -> Account? {
        try database.first(
            "SELECT id FROM accounts WHERE gitlab_origin = ? AND gitlab_user_id = ?",
            origin.description,
            gitlabUserID
        ) { AccountID(rawValue: $0.int64(0)) }.flatMap { try account($0) }
    }

    /// Adds an account that is polled from now on.
    func insert(_ registration: AccountRegistration, at now: WallTime) throws -> AccountID {
        try database.execute(
            """
            INSERT INTO accounts (
                id, public_id, gitlab_origin, gitlab_user_id, username, token_ciphertext, token_nonce, token_key_version,
                token_expires_on, gitlab_version, state, created_at, data_version, notification_version
            ) VALUES (
                1 + max(
                    ifnull((SELECT max(id) FROM accounts), 0),
                    ifnull((SELECT max(account_id) FROM removed_accounts), 0)
                ),
                ?, ?, ?, ?, ?, ?, ?, ?, ?, 'active', ?, ?, ?
            )
            """,
            registration.publicID,
            registration.origin.description,
            registration.gitlabUserID,
            registration.username,
            registration.token.ciphertext,
            registration.token.nonce,
            registration.token.keyVersion,
            registration.tokenExpiresOn,
            registration.gitlabVersion,
            now,
            AccountVersions.first(at: now),
            AccountVersions.first(at: now)
        )
        let id = AccountID(rawValue: database.lastInsertRowID)
        // Devices of somebody who left and comes again know revisions of an account that is gone.
        try raiseSyncFloor(of: id, to: AccountVersions.first(at: now))
        return id
    }

    /// Gives an account a new token, sealed for its own public id, and polls it again. All else stays.
    func replaceToken(of account: AccountID, by registration: AccountRegistration) throws {
        try database.execute(
            """
            UPDATE accounts SET username = ?, token_ciphertext = ?, token_nonce = ?, token_key_version = ?,
                token_expires_on = ?, gitlab_version = coalesce(?, gitlab_version), state = 'active'
            WHERE id = ?
            """,
            registration.username,
            registration.token.ciphertext,
            registration.token.nonce,
            registration.token.keyVersion,
            registration.tokenExpiresOn,
            registration.gitlabVersion,
            account
        )
    }

    /// Records what the person is called now.
    func setUsername(_ username: String, of account: AccountID) throws {
        try database.execute("UPDATE accounts SET username = ? WHERE id = ?", username, account)
    }

    /// Forgets an account and everything of it: token, sessions, devices, watch list, choices and history. Its number is not given
    /// again.
    func remove(_ account: AccountID, at now: WallTime) throws {
        try database.execute(
            "INSERT INTO removed_accounts (account_id, removed_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
            account,
            now
        )
        try database.execute("DELETE FROM accounts WHERE id = ?", account)
    }

    /// Marks the account's token as refused, or as good again. Returns false when that was known.
    @discardableResult
    func setState(_ state: Account.State, of account: AccountID) throws -> Bool {
        try database.execute(
            "UPDATE accounts SET state = ? WHERE id = ? AND state <> ?",
            state.rawValue,
            account,
            state.rawValue
        ) > 0
    }

    /// Records a successful poll, and until when every item had been read.
    func setLastPoll(_ instant: WallTime, completeAt: WallTime, of account: AccountID) throws {
        try database.execute(
            "UPDATE accounts SET last_poll_at = ?, complete_at = ? WHERE id = ?",
            instant,
            completeAt,
            account
        )
    }

    /// When somebody's GitLab was read last, by the clock of then; nil where none ever was.
    func newestPoll() throws -> WallTime? {
        try database.first("SELECT max(last_poll_at) FROM accounts") { $0.optionalWallTime(0) } ?? nil
    }

    /// Records since when GitLab cannot be read and whether the person knows; nil and false once it can.
    func setTrouble(since: WallTime?, isAnnounced: Bool, of account: AccountID) throws {
        try database.execute(
            "UPDATE accounts SET trouble_since = ?, trouble_announced = ? WHERE id = ?",
            since,
            isAnnounced,
            account
        )
    }

    private static func account(_ row: borrowing Row) throws -> Account {
        guard let origin = HTTPOrigin(row.text(2)) else { throw StoreError.unreadable(column: "gitlab_origin") }
        guard let state = Account.State(rawValue: row.text(10)) else { throw StoreError.unreadable(column: "state") }
        return Account(
            id: AccountID(rawValue: row.int64(0)),
            publicID: row.text(1),
            origin: origin,
            gitlabUserID: row.int64(3),
            username: row.text(4),
            token: SealedSecret(ciphertext: row.blob(5), nonce: row.blob(6), keyVersion: row.int64(7)),
            tokenExpiresOn: row.optionalText(8),
            gitlabVersion: row.optionalText(9),
            state: state,
            troubleSince: row.optionalWallTime(11),
            isTroubleAnnounced: row.bool(12),
            createdAt: row.wallTime(13),
            lastPollAt: row.optionalWallTime(14),
            completeAt: row.optionalWallTime(15)
        )
    }
}
