import Platform
import SQLite

/// What the database knows of a refresh token that a client shows.
struct PresentedRefreshToken: Equatable, Sendable {
    var session: SessionID
    /// In which pair of the session's tokens it was given.
    var rotation: Int64
    /// Whether another one took its place in the same rotation.
    var isSuperseded: Bool
    var expiresAt: WallTime
    /// The session's newest rotation, and whether it is known to have arrived.
    var newestRotation: Int64
    var isNewestConfirmed: Bool
    /// When the newest pair was given.
    var newestGivenAt: WallTime
}

extension Store {
    /// How many rotations back, and how many superseded tokens, a session remembers in order to recognise them.
    private static let memory = 50

    func refreshToken(_ digest: [UInt8]) throws -> PresentedRefreshToken? {
        try database.first(
            """
            SELECT t.session_id, t.rotation, t.is_superseded, t.expires_at, s.rotation, s.is_confirmed,
                s.refreshed_at
            FROM refresh_tokens AS t JOIN sessions AS s ON s.id = t.session_id WHERE t.digest = ?
            """,
            digest
        ) { row in
            PresentedRefreshToken(
                session: SessionID(rawValue: row.int64(0)),
                rotation: row.int64(1),
                isSuperseded: row.bool(2),
                expiresAt: row.wallTime(3),
                newestRotation: row.int64(4),
                isNewestConfirmed: row.bool(5),
                newestGivenAt: row.wallTime(6)
            )
        }
    }

    func insertRefreshToken(
        _ digest: [UInt8],
        of session: SessionID,
        rotation: Int64,
        expiresAt: WallTime
    ) throws {
        try database.execute(
            "INSERT INTO refresh_tokens (digest, session_id, rotation, expires_at) VALUES (?, ?, ?, ?)",
            digest,
            session,
            rotation,
            expiresAt
        )
    }

    /// Makes `digest` the session's token in `rotation`, which nobody is known to have received yet. One that stood there before is
    /// superseded.
    func rotate(
        _ session: SessionID,
        to rotation: Int64,
        refreshToken digest: [UInt8],
        expiresAt: WallTime,
        at now: WallTime
    ) throws {
        try database.execute(
            "UPDATE refresh_tokens SET is_superseded = 1 WHERE session_id = ? AND rotation = ?",
            session,
            rotation
        )
        try insertRefreshToken(digest, of: session, rotation: rotation, expiresAt: expiresAt)
        try database.execute(
            "UPDATE sessions SET rotation = ?, is_confirmed = 0, refreshed_at = ? WHERE id = ?",
            rotation,
            now,
            session
        )
        try forgetRefreshTokens(of: session, newest: rotation)
    }

    /// Whether `digest` is the session's newest token.
    func isNewest(_ digest: [UInt8], of session: Session) throws -> Bool {
        try database.first(
            "SELECT 1 FROM refresh_tokens WHERE digest = ? AND session_id = ? AND rotation = ? AND is_superseded = 0",
            digest,
            session.id,
            session.rotation
        ) { _ in true } ?? false
    }

    /// The newest pair was given once more: it lives from now on.
    func prolong(_ session: SessionID, refreshToken digest: [UInt8], expiresAt: WallTime, at now: WallTime) throws {
        try database.execute("UPDATE refresh_tokens SET expires_at = ? WHERE digest = ?", expiresAt, digest)
        try database.execute("UPDATE sessions SET refreshed_at = ? WHERE id = ?", now, session)
    }

    private func forgetRefreshTokens(of session: SessionID, newest: Int64) throws {
        try database.execute(
            "DELETE FROM refresh_tokens WHERE session_id = ? AND rotation <= ?",
            session,
            newest - Int64(Self.memory)
        )
        try database.execute(
            """
            DELETE FROM refresh_tokens WHERE digest IN (
                SELECT digest FROM refresh_tokens WHERE session_id = ? AND is_superseded = 1
                ORDER BY expires_at DESC, digest LIMIT -1 OFFSET ?
            )
            """,
            session,
            Self.memory
        )
    }
}
