import Platform
import SQLite

/// A code by which somebody may take part in a duty.
struct LiveDutyInvitation: Equatable, Sendable {
    /// The number of the duty's row.
    var duty: Int64
    /// Keyed; 32 bytes.
    var digest: [UInt8]
}

extension Store {
    /// Gives the duty a code in place of the one it had.
    func setDutyInvitation(_ digest: [UInt8], to duty: Int64, expiresAt: WallTime) throws {
        try database.execute(
            """
            INSERT INTO duty_invitations (duty_id, digest, expires_at) VALUES (?, ?, ?)
            ON CONFLICT (duty_id) DO UPDATE
                SET digest = excluded.digest, misses = 0, expires_at = excluded.expires_at
            """,
            duty,
            digest,
            expiresAt
        )
    }

    /// Every code that can be used.
    func liveDutyInvitations(at now: WallTime) throws -> [LiveDutyInvitation] {
        try database.rows(
            "SELECT duty_id, digest FROM duty_invitations WHERE expires_at > ? AND misses < ? ORDER BY duty_id",
            now,
            LivePairingCode.missLimit
        ) { LiveDutyInvitation(duty: $0.int64(0), digest: $0.blob(1)) }
    }

    /// Counts a wrong code against every code that it could have been.
    func noteInvitationMiss(at now: WallTime) throws {
        try database.execute(
            "UPDATE duty_invitations SET misses = misses + 1 WHERE expires_at > ? AND misses < ?",
            now,
            LivePairingCode.missLimit
        )
    }

    func deleteDutyInvitation(to duty: Int64) throws {
        try database.execute("DELETE FROM duty_invitations WHERE duty_id = ?", duty)
    }

    /// Forgets codes that are over, at most `limit`.
    func purgeDutyInvitations(at now: WallTime, limit: Int) throws {
        try database.execute(
            """
            DELETE FROM duty_invitations WHERE duty_id IN (
                SELECT duty_id FROM duty_invitations WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
            )
            """,
            now,
            limit
        )
    }
}
