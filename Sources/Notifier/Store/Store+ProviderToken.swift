import Platform
import SQLite

extension Store {
    /// The sealed provider token of a key, and when it was issued.
    func providerToken(keyID: String, teamID: String) throws -> (issuedAt: WallTime, sealed: SealedSecret)? {
        try database.first(
            """
            SELECT issued_at, token_ciphertext, token_nonce, token_key_version
            FROM provider_tokens WHERE key_id = ? AND team_id = ?
            """,
            keyID,
            teamID
        ) { row in
            let sealed = SealedSecret(ciphertext: row.blob(1), nonce: row.blob(2), keyVersion: row.int64(3))
            return (row.wallTime(0), sealed)
        }
    }

    /// Keeps the provider token of a key, in place of the one before.
    func setProviderToken(_ sealed: SealedSecret, issuedAt: WallTime, keyID: String, teamID: String) throws {
        try database.execute(
            """
            INSERT OR REPLACE INTO provider_tokens (
                key_id, team_id, issued_at, token_ciphertext, token_nonce, token_key_version
            ) VALUES (?, ?, ?, ?, ?, ?)
            """,
            keyID,
            teamID,
            issuedAt,
            sealed.ciphertext,
            sealed.nonce,
            sealed.keyVersion
        )
    }

    /// Whether APNs has taken a push since an instant, by the clock of the process that sent it: of news that is no older than a day then, as
    /// what is older is not pushed.
    func hasAcceptance(since instant: WallTime) throws -> Bool {
        try database.first(
            """
            SELECT 1 FROM notifications AS n CROSS JOIN deliveries AS d ON d.notification_id = n.id
            WHERE n.created_at >= ? AND d.accepted_at >= ? LIMIT 1
            """,
            instant.advanced(by: .zero - .days(1)),
            instant
        ) { _ in true } ?? false
    }
}
