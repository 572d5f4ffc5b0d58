import Platform
import SQLite

/// How many wait, and since when.
extension Store {
    /// Whether what asks under that key is over for whoever asked. What a mute alone has ended is not: it may be told when the mute is over.
    func isOver(_ key: String, of account: AccountID) throws -> Bool {
        try database.first(
            """
            SELECT 1 FROM asks
            WHERE account_id = ? AND ask_key = ? AND settled_at IS NOT NULL AND settled_by <> 'silenced'
            """,
            account,
            key
        ) { _ in true } ?? false
    }

    /// How many people wait for whom; an index alone is read.
    func openAsksByAccount() throws -> [(account: AccountID, count: Int)] {
        try database.rows(
            """
            SELECT account_id, count(*) FROM asks WHERE settled_at IS NULL AND kind <> 'mentioned'
            GROUP BY account_id ORDER BY account_id
            """
        ) { (account: AccountID(rawValue: $0.int64(0)), count: $0.int(1)) }
    }

    /// What the person is waited for, as numbers.
    struct AskSummary: Equatable, Sendable {
        var open = 0
        /// Since when the first of them has been waited for.
        var oldest: WallTime?
        /// When the person is told again.
        var next: WallTime?
    }

    /// What the person is waited for, as numbers.
    func askSummary(of account: AccountID) throws -> AskSummary {
        try database.first(
            """
            SELECT count(*), min(raised_at), (
                SELECT min(r.due_at) FROM asks AS a JOIN reminders AS r ON r.ask_id = a.id
                WHERE a.account_id = ?1 AND a.settled_at IS NULL AND r.state = 'waiting' AND NOT EXISTS (
                    SELECT 1 FROM account_settings WHERE account_id = ?1 AND reminders = 0
                )
            )
            FROM asks WHERE account_id = ?1 AND settled_at IS NULL AND kind <> 'mentioned'
            """,
            account
        ) { AskSummary(open: $0.int(0), oldest: $0.optionalWallTime(1), next: $0.optionalWallTime(2)) } ?? AskSummary()
    }
}
