import HTTP
import Platform
import SQLite

/// A sign-in that has begun and whose person is with GitLab.
struct OAuthFlow: Equatable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case code = "authorization_code"
        case device = "device_code"
    }

    var kind: Kind
    var origin: HTTPOrigin
    /// The code verifier, or the device code; sealed for the digest of the state.
    var secret: SealedSecret
    var expiresAt: WallTime
    /// A device code may be asked for from then on.
    var askFrom: WallTime
    var interval: Duration
}

extension Store {
    /// Sign-ins under way, at most so many at once, some megabytes. One network has 40 of them at most, so it takes 250 to fill the table.
    static let flowLimit = 10_000

    /// Records a sign-in under the digest of its state, after forgetting those that are over. When there are too many the one that would
    /// end first gives way: whoever begins many cannot keep others from beginning.
    func insertFlow(_ flow: OAuthFlow, state: [UInt8], at now: WallTime) throws {
        try database.execute("DELETE FROM oauth_flows WHERE expires_at <= ?", now)
        let count = try database.first("SELECT count(*) FROM oauth_flows") { $0.int(0) } ?? 0
        if count >= Self.flowLimit {
            try database.execute(
                """
                DELETE FROM oauth_flows WHERE state_digest = (
                    SELECT state_digest FROM oauth_flows ORDER BY expires_at, state_digest LIMIT 1
                )
                """
            )
        }
        try database.execute(
            """
            INSERT INTO oauth_flows (
                state_digest, kind, gitlab_origin, secret_ciphertext, secret_nonce, secret_key_version, expires_at,
                ask_from, interval_ms
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            state,
            flow.kind.rawValue,
            flow.origin.description,
            flow.secret.ciphertext,
            flow.secret.nonce,
            flow.secret.keyVersion,
            flow.expiresAt,
            flow.askFrom,
            flow.interval.wholeMilliseconds
        )
    }

    /// The sign-in with that state, unless it is over.
    func flow(state: [UInt8], at now: WallTime) throws -> OAuthFlow? {
        try database.first(
            """
            SELECT kind, gitlab_origin, secret_ciphertext, secret_nonce, secret_key_version, expires_at, ask_from,
                interval_ms
            FROM oauth_flows WHERE state_digest = ? AND expires_at > ?
            """,
            state,
            now
        ) { row in
            guard let kind = OAuthFlow.Kind(rawValue: row.text(0)) else { throw StoreError.unreadable(column: "kind") }
            guard let origin = HTTPOrigin(row.text(1)) else { throw StoreError.unreadable(column: "gitlab_origin") }
            return OAuthFlow(
                kind: kind,
                origin: origin,
                secret: SealedSecret(ciphertext: row.blob(2), nonce: row.blob(3), keyVersion: row.int64(4)),
                expiresAt: row.wallTime(5),
                askFrom: row.wallTime(6),
                interval: .milliseconds(row.int64(7))
            )
        }
    }

    /// A state is used once. False when somebody else has used it.
    func deleteFlow(state: [UInt8]) throws -> Bool {
        try database.execute("DELETE FROM oauth_flows WHERE state_digest = ?", state) > 0
    }

    /// A device code was asked for; it is not again before `instant`.
    func setFlow(state: [UInt8], askFrom instant: WallTime, interval: Duration) throws {
        try database.execute(
            "UPDATE oauth_flows SET ask_from = ?, interval_ms = ? WHERE state_digest = ?",
            instant,
            interval.wholeMilliseconds,
            state
        )
    }
}
