import Platform
import SQLite

/// A pairing code that somebody may exchange.
struct LivePairingCode: Equatable, Sendable {
    /// Wrong codes after which every code that lived meanwhile is over.
    static let missLimit = 2_000

    var account: AccountID
    /// Keyed; 32 bytes.
    var digest: [UInt8]
}

extension Store {
    /// Gives the account a code in place of the one it had.
    func setPairingCode(_ digest: [UInt8], of account: AccountID, expiresAt: WallTime) throws {
        try database.execute(
            """
            INSERT INTO pairing_codes (account_id, digest, expires_at) VALUES (?, ?, ?)
            ON CONFLICT (account_id) DO UPDATE
                SET digest = excluded.digest, misses = 0, expires_at = excluded.expires_at
            """,
            account,
            digest,
            expiresAt
        )
    }

    /// Every code that can be exchanged.
    func livePairingCodes(at now: WallTime) throws -> [LivePairingCode] {
        try database.rows(
            "SELECT account_id, digest FROM pairing_codes WHERE expires_at > ? AND misses < ? ORDER BY account_id",
            now,
            LivePairingCode.missLimit
        ) { LivePairingCode(account: AccountID(rawValue: $0.int64(0)), digest: $0.blob(1)) }
    }

    /// Counts a wrong code against every code that it could have been.
    func notePairingMiss(at now: WallTime) throws {
        try database.execute(
            "UPDATE pairing_codes SET misses = misses + 1 WHERE expires_at > ? AND misses < ?",
            now,
            LivePairingCode.missLimit
        )
    }

    func deletePairingCode(of account: AccountID) throws {
        try database.execute("DELETE FROM pairing_codes WHERE account_id = ?", account)
    }

    /// Forgets codes that are over, at most `limit`.
    func purgePairingCodes(at now: WallTime, limit: Int) throws {
        try database.execute(
            """
            DELETE FROM pairing_codes WHERE account_id IN (
                SELECT account_id FROM pairing_codes WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
            )
            """,
            now,
            limit
        )
    }
}
