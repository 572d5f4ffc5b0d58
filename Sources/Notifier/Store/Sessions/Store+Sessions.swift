import Platform
import SQLite

/// A session, as this server numbers it.
struct SessionID: Hashable, Sendable, SQLiteBindable {
    let rawValue: Int64

    var sqliteValue: SQLiteValue { .integer(rawValue) }
}

/// One signed-in app.
struct Session: Equatable, Sendable {
    /// The device a session belongs to, as its person knows it.
    struct Device: Equatable, Sendable {
        var publicID: String
        /// `ios` or `macos`.
        var platform: String
        var name: String?
    }

    var id: SessionID
    /// The id that its tokens bear.
    var publicID: String
    var account: AccountID
    /// Of the account's sessions; older ones have ended.
    var generation: Int64
    /// Nil until the app has told which device it runs on.
    var device: Device?
    /// How many pairs of tokens it was given.
    var rotation: Int64
    /// Whether the newest pair is known to have arrived.
    var isConfirmed: Bool
}

extension Store {
    /// Adds a session, with the digest of its first refresh token.
    func insertSession(
        publicID: String,
        of account: AccountID,
        device: Session.Device?,
        refreshToken digest: [UInt8],
        expiresAt: WallTime,
        at now: WallTime
    ) throws -> Session {
        try database.execute(
            """
            INSERT INTO sessions (
                public_id, account_id, device_public_id, platform, device_name, created_at, refreshed_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            publicID,
            account,
            device?.publicID,
            device?.platform,
            device?.name,
            now,
            now
        )
        let id = SessionID(rawValue: database.lastInsertRowID)
        try insertRefreshToken(digest, of: id, rotation: 1, expiresAt: expiresAt)
        if device != nil { try raiseDataVersion(of: account) }
        return Session(
            id: id,
            publicID: publicID,
            account: account,
            generation: try sessionGeneration(of: account),
            device: device,
            rotation: 1,
            isConfirmed: false
        )
    }

    func session(publicID: String) throws -> Session? {
        try database.first(
            """
            SELECT s.id, s.public_id, s.account_id, coalesce(g.generation, 1), s.device_public_id, s.platform,
                s.device_name, s.rotation, s.is_confirmed
            FROM sessions AS s LEFT JOIN session_generations AS g ON g.account_id = s.account_id
            WHERE s.public_id = ?
            """,
            publicID,
            decode: Self.session
        )
    }

    func session(_ id: SessionID) throws -> Session? {
        try database.first("SELECT public_id FROM sessions WHERE id = ?", id) { $0.text(0) }
            .flatMap { try session(publicID: $0) }
    }

    /// Records that the pair of tokens with which the session was read has arrived. Of one that was given since nobody knows that.
    func confirm(_ session: Session) throws {
        try database.execute(
            "UPDATE sessions SET is_confirmed = 1 WHERE id = ? AND rotation = ?",
            session.id,
            session.rotation
        )
    }

    /// Gives a session to a device. A session the device had before ends: an app has one.
    func bind(_ session: SessionID, to device: Session.Device) throws {
        // Who signs in again on a device need not say its name again.
        let former = try database.first(
            """
            SELECT device_name FROM sessions WHERE device_public_id = ? AND id <> ?
                AND account_id = (SELECT account_id FROM sessions WHERE id = ?)
            """,
            device.publicID,
            session,
            session
        ) { $0.optionalText(0) }
        try database.execute(
            "DELETE FROM sessions WHERE device_public_id = ? AND id <> ?",
            device.publicID,
            session
        )
        try database.execute(
            """
            UPDATE sessions SET device_public_id = ?, platform = ?, device_name = coalesce(?, device_name, ?) WHERE id = ?
            """,
            device.publicID,
            device.platform,
            device.name,
            former ?? nil,
            session
        )
    }

    /// With it goes the name of a device, where it is of one.
    func endSession(_ session: SessionID) throws {
        let owner = try database.first("DELETE FROM sessions WHERE id = ? RETURNING account_id", session) {
            AccountID(rawValue: $0.int64(0))
        }
        if let owner { try raiseDataVersion(of: owner) }
    }

    /// Ends the session of one of the account's devices; false when it has none.
    func endSession(ofDevice publicID: String, of account: AccountID) throws -> Bool {
        let isEnded =
            try database.execute(
                "DELETE FROM sessions WHERE device_public_id = ? AND account_id = ?",
                publicID,
                account
            ) > 0
        if isEnded { try raiseDataVersion(of: account) }
        return isEnded
    }

    /// Ends every session of the account: those that are there, and by the generation every token that was ever signed.
    func endSessions(of account: AccountID) throws {
        try database.execute(
            """
            INSERT INTO session_generations (account_id, generation) VALUES (?, 2)
            ON CONFLICT (account_id) DO UPDATE SET generation = generation + 1
            """,
            account
        )
        try database.execute("DELETE FROM sessions WHERE account_id = ?", account)
        try database.execute("DELETE FROM pairing_codes WHERE account_id = ?", account)
        try raiseDataVersion(of: account)
    }

    /// Forgets sessions that were last refreshed before `end`, at most `limit` of them. Returns how many.
    func purgeSessions(before end: WallTime, limit: Int) throws -> Int {
        try database.execute(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions WHERE refreshed_at < ? ORDER BY refreshed_at LIMIT ?
            )
            """,
            end,
            limit
        )
    }

    /// Forgets of the account's sessions without a device all but the `kept` newest.
    func purgeLooseSessions(of account: AccountID, kept: Int) throws {
        try database.execute(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions WHERE account_id = ? AND device_public_id IS NULL
                ORDER BY refreshed_at DESC, id DESC LIMIT -1 OFFSET ?
            )
            """,
            account,
            kept
        )
    }

    private func sessionGeneration(of account: AccountID) throws -> Int64 {
        try database.first(
            "SELECT generation FROM session_generations WHERE account_id = ?",
            account
        ) { $0.int64(0) } ?? 1
    }

    private static func session(_ row: borrowing Row) -> Session {
        Session(
            id: SessionID(rawValue: row.int64(0)),
            publicID: row.text(1),
            account: AccountID(rawValue: row.int64(2)),
            generation: row.int64(3),
            device: row.optionalText(4).map {
                Session.Device(publicID: $0, platform: row.text(5), name: row.optionalText(6))
            },
            rotation: row.int64(7),
            isConfirmed: row.bool(8)
        )
    }
}
