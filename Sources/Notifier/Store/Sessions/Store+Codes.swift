import Platform
import SQLite

/// A table of codes that people type, digests of them: whoever gives one away has one at a time, and each wrong one counts against all
/// that it could have been.
struct CodeTable: Sendable {
    /// Let an account's next device in.
    static let pairing = CodeTable(name: "pairing_codes", owner: "account_id")
    /// Let another account take part in a duty.
    static let invitations = CodeTable(name: "duty_invitations", owner: "duty_id")

    /// Wrong codes after which every code that lived meanwhile is over.
    static let missLimit = 2_000

    fileprivate let name: String
    /// The column of whose row gives the code away.
    fileprivate let owner: String
}

/// A code that can be used.
struct LiveCode: Equatable, Sendable {
    /// The number of the row that gives it away.
    var owner: Int64
    /// Keyed; 32 bytes.
    var digest: [UInt8]
}

extension Store {
    /// Gives `owner` a code in place of the one it had.
    func setCode(_ table: CodeTable, of owner: Int64, to digest: [UInt8], expiresAt: WallTime) throws {
        try database.execute(
            SQL(
                text: """
                    INSERT INTO \(table.name) (\(table.owner), digest, expires_at) VALUES (?, ?, ?)
                    ON CONFLICT (\(table.owner)) DO UPDATE
                        SET digest = excluded.digest, misses = 0, expires_at = excluded.expires_at
                    """
            ),
            bindings: [owner, digest, expiresAt]
        )
    }

    /// Every code that can be used.
    func liveCodes(_ table: CodeTable, at now: WallTime) throws -> [LiveCode] {
        try database.rows(
            SQL(
                text: """
                    SELECT \(table.owner), digest FROM \(table.name) WHERE expires_at > ? AND misses < ? ORDER BY \(table.owner)
                    """
            ),
            bindings: [now, CodeTable.missLimit]
        ) { LiveCode(owner: $0.int64(0), digest: $0.blob(1)) }
    }

    /// Counts a wrong code against every code that it could have been.
    func noteMiss(_ table: CodeTable, at now: WallTime) throws {
        try database.execute(
            SQL(text: "UPDATE \(table.name) SET misses = misses + 1 WHERE expires_at > ? AND misses < ?"),
            bindings: [now, CodeTable.missLimit]
        )
    }

    func deleteCode(_ table: CodeTable, of owner: Int64) throws {
        try database.execute(SQL(text: "DELETE FROM \(table.name) WHERE \(table.owner) = ?"), bindings: [owner])
    }

    /// Forgets codes that are over, at most `limit`.
    func purgeCodes(_ table: CodeTable, at now: WallTime, limit: Int) throws {
        try database.execute(
            SQL(
                text: """
                    DELETE FROM \(table.name) WHERE \(table.owner) IN (
                        SELECT \(table.owner) FROM \(table.name) WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
                    )
                    """
            ),
            bindings: [now, limit]
        )
    }
}
