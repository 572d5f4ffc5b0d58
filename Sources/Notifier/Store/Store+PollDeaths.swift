import Platform
import SQLite

/// How often the process has died while an account was read.
extension Store {
    /// Nil when it has not since the last successful cycle.
    func pollDeaths(of account: AccountID) throws -> PollDeaths? {
        try database.first("SELECT deaths, last_at FROM poll_deaths WHERE account_id = ?", account) { row in
            PollDeaths(count: row.int(0), lastAt: row.wallTime(1))
        }
    }

    /// Records it; nil forgets it.
    func setPollDeaths(_ deaths: PollDeaths?, of account: AccountID) throws {
        guard let deaths else {
            try database.execute("DELETE FROM poll_deaths WHERE account_id = ?", account)
            return
        }
        try database.execute(
            """
            INSERT INTO poll_deaths (account_id, deaths, last_at) VALUES (?, ?, ?)
            ON CONFLICT (account_id) DO UPDATE SET deaths = excluded.deaths, last_at = excluded.last_at
            """,
            account,
            deaths.count,
            deaths.lastAt
        )
    }
}
