import Platform
import SQLite

/// What is known of the end of an account's token, and of what of it the person was notified.
extension Store {
    /// What was recorded; nil when GitLab was not asked since the account has its token.
    func tokenExpiry(of account: AccountID) throws -> TokenExpiry? {
        try database.first(
            """
            SELECT accounts.token_expires_on, token_checks.warned, token_checks.read_at
            FROM token_checks JOIN accounts ON accounts.id = token_checks.account_id WHERE accounts.id = ?
            """,
            account
        ) { row in
            guard let warned = TokenExpiry.Warning(rawValue: row.text(1)) else {
                throw StoreError.unreadable(column: "warned")
            }
            return TokenExpiry(expiresOn: row.optionalText(0), warned: warned, readAt: row.wallTime(2))
        }
    }

    /// Records what GitLab said and of what the person is notified. Call it in the transaction that notifies.
    func setTokenExpiry(_ expiry: TokenExpiry, of account: AccountID) throws {
        guard let readAt = expiry.readAt else { preconditionFailure("what is recorded of a token was read") }
        try database.execute("UPDATE accounts SET token_expires_on = ? WHERE id = ?", expiry.expiresOn, account)
        try database.execute(
            """
            INSERT INTO token_checks (account_id, read_at, warned) VALUES (?, ?, ?)
            ON CONFLICT (account_id) DO UPDATE SET read_at = excluded.read_at, warned = excluded.warned
            """,
            account,
            readAt,
            expiry.warned.rawValue
        )
    }
}
