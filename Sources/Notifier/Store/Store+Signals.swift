import Platform
import SQLite

/// Programs that may say something to a person, and what they have said.
extension Store {
    /// Lets a program in.
    func insertSignalToken(_ token: SignalToken, digest: [UInt8]) throws {
        try database.execute(
            """
            INSERT INTO signal_tokens (id, public_id, account_id, name, digest, created_at) VALUES (?, ?, ?, ?, ?, ?)
            """,
            token.id.rawValue,
            token.publicID,
            token.account,
            token.name,
            digest,
            token.createdAt
        )
        try raiseDataVersion(of: token.account)
    }

    /// Whose token it is; nil for one that nobody made, or that was taken back.
    func signalToken(digest: [UInt8]) throws -> SignalToken? {
        try database.first(
            """
            SELECT id, public_id, account_id, name, created_at, last_used_at, muted_until FROM signal_tokens
            WHERE digest = ?
            """,
            digest,
            decode: Self.signalToken
        )
    }

    /// One of the account's programs; nil for one that it has not let in.
    func signalToken(publicID: String, of account: AccountID) throws -> SignalToken? {
        try database.first(
            """
            SELECT id, public_id, account_id, name, created_at, last_used_at, muted_until FROM signal_tokens
            WHERE public_id = ? AND account_id = ?
            """,
            publicID,
            account,
            decode: Self.signalToken
        )
    }

    /// Whether a number of a token is taken, whoever has it.
    func hasSignalToken(_ id: SignalTokenID) throws -> Bool {
        try database.first("SELECT 1 FROM signal_tokens WHERE id = ?", id.rawValue) { _ in true } ?? false
    }

    /// The account's programs, the first that was let in first.
    func signalTokens(of account: AccountID) throws -> [SignalToken] {
        try database.rows(
            """
            SELECT id, public_id, account_id, name, created_at, last_used_at, muted_until FROM signal_tokens
            WHERE account_id = ? ORDER BY created_at, public_id
            """,
            account,
            decode: Self.signalToken
        )
    }

    /// Lets a program in no longer. What it asked is over, and what of it is held is not told.
    func revoke(_ token: SignalToken, at now: WallTime) throws {
        try settleAsks(.actor(token.actorID), of: token.account, by: .revoked, at: now)
        try database.execute(
            "DELETE FROM held_facts WHERE account_id = ? AND actor_id = ?",
            token.account,
            token.actorID
        )
        try database.execute("DELETE FROM signal_tokens WHERE id = ?", token.id.rawValue)
        try raiseDataVersion(of: token.account)
    }

    /// Nothing that the program says is told before that instant, and nobody is reminded of what it asked; nil lets it speak again.
    func mute(_ token: SignalToken, until end: WallTime?, at now: WallTime) throws {
        try database.execute("UPDATE signal_tokens SET muted_until = ? WHERE id = ?", end, token.id.rawValue)
        if end != nil { try settleAsks(.actor(token.actorID), of: token.account, by: .silenced, at: now) }
        try raiseDataVersion(of: token.account)
    }

    /// The program says that nobody waits any more for what it asked under that key.
    func endAsk(_ key: FactKey, of token: SignalToken, at now: WallTime) throws {
        try settleAsks(.key(key), of: token.account, by: .program, at: now)
        // What a mute had ended before is over now whoever is muted, so that no digest tells of it.
        try database.execute(
            "UPDATE asks SET settled_by = ? WHERE account_id = ? AND ask_key = ? AND settled_by = 'silenced'",
            Ask.Settlement.program.rawValue,
            token.account,
            key.text
        )
    }

    /// A run of the program is over, and with it what was asked in it.
    func endAsks(ofRun run: String, of token: SignalToken, at now: WallTime) throws {
        try settleAsks(.run(run, of: token.actorID), of: token.account, by: .runEnded, at: now)
        try database.execute(
            """
            UPDATE asks SET settled_by = ?
            WHERE account_id = ? AND actor_id = ? AND run = ? AND settled_by = 'silenced'
            """,
            Ask.Settlement.runEnded.rawValue,
            token.account,
            token.actorID,
            run
        )
    }

    /// Programs that are not heard now, as ``Actor/id`` numbers them.
    func mutedPrograms(of account: AccountID, at now: WallTime) throws -> Set<Int64> {
        Set(
            try database.rows(
                "SELECT -id FROM signal_tokens WHERE account_id = ? AND muted_until > ? ORDER BY id",
                account,
                now
            ) { $0.int64(0) }
        )
    }

    /// Something new was said with the token.
    func noteUse(of token: SignalToken, at now: WallTime) throws {
        try database.execute("UPDATE signal_tokens SET last_used_at = ? WHERE id = ?", now, token.id.rawValue)
        try raiseDataVersion(of: token.account)
    }

    /// Whether a fact was dealt with, or is still asked about.
    func isKnown(_ key: FactKey, to account: AccountID) throws -> Bool {
        if try notifiedFact(key, to: account) != nil { return true }
        return try database.first("SELECT 1 FROM asks WHERE account_id = ? AND ask_key = ?", account, key.text) { _ in
            true
        } ?? false
    }

    /// How much programs wait for.
    func openSignalAsks(of account: AccountID) throws -> Int {
        try database.first(
            "SELECT count(*) FROM asks WHERE account_id = ? AND settled_at IS NULL AND kind = 'approval_needed'",
            account
        ) { $0.int(0) } ?? 0
    }

    private static func signalToken(_ row: borrowing Row) -> SignalToken {
        SignalToken(
            id: SignalTokenID(rawValue: row.int64(0)),
            publicID: row.text(1),
            account: AccountID(rawValue: row.int64(2)),
            name: row.text(3),
            createdAt: row.wallTime(4),
            lastUsedAt: row.optionalWallTime(5),
            mutedUntil: row.optionalWallTime(6)
        )
    }
}
