import Platform
import SQLite

/// OAuth grants; the access token stands where a personal access token would.
extension Store {
    /// The account's grant; nil for an account with a personal access token.
    func grant(of account: AccountID) throws -> OAuthGrant? {
        try database.first(
            """
            SELECT granted_at, access_ends_at, refresh_ciphertext, refresh_nonce, refresh_key_version, refused_at
            FROM oauth_grants WHERE account_id = ?
            """,
            account
        ) { row in
            OAuthGrant(
                grantedAt: row.wallTime(0),
                accessEndsAt: row.wallTime(1),
                refresh: SealedSecret(ciphertext: row.blob(2), nonce: row.blob(3), keyVersion: row.int64(4)),
                refusedAt: row.optionalWallTime(5)
            )
        }
    }

    /// Records a grant in place of the one before; nil for an account that has a personal access token now.
    func setGrant(_ grant: OAuthGrant?, of account: AccountID) throws {
        guard let grant else {
            try database.execute("DELETE FROM oauth_grants WHERE account_id = ?", account)
            return
        }
        try database.execute(
            """
            INSERT OR REPLACE INTO oauth_grants (
                account_id, granted_at, access_ends_at, refresh_ciphertext, refresh_nonce, refresh_key_version, refused_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            account,
            grant.grantedAt,
            grant.accessEndsAt,
            grant.refresh.ciphertext,
            grant.refresh.nonce,
            grant.refresh.keyVersion,
            grant.refusedAt
        )
    }

    /// Whether an account still has that token; of one that is signed in through GitLab, whose access tokens change, that grant.
    func holds(_ token: SealedSecret, grantedAt: WallTime?, _ id: AccountID) throws -> Bool {
        guard let account = try account(id), try grant(of: id)?.grantedAt == grantedAt else { return false }
        return grantedAt != nil || account.token == token
    }

    /// Gives the account another access token; its grant stays.
    func setAccessToken(_ token: SealedSecret, of account: AccountID) throws {
        try database.execute(
            "UPDATE accounts SET token_ciphertext = ?, token_nonce = ?, token_key_version = ? WHERE id = ?",
            token.ciphertext,
            token.nonce,
            token.keyVersion,
            account
        )
    }
}
