/// What is known of the polls themselves.
enum PollingSchema {
    static let version2 = """
        -- Deaths of the process while an account was read; a successful cycle deletes the row.
        CREATE TABLE poll_deaths (
            account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            deaths INTEGER NOT NULL CHECK (deaths > 0),
            last_at INTEGER NOT NULL
        ) STRICT;
        """
}
