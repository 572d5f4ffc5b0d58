/// How accounts get into GitLab.
enum AccessSchema {
    /// When GitLab was asked last how long an account's token lives, and how far the person was warned of that date. A row lives as
    /// long as the token it is about.
    static let version2 = """
        CREATE TABLE token_checks (
            account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            read_at INTEGER NOT NULL,
            warned TEXT NOT NULL CHECK (warned IN ('none', 'ahead', 'last_day'))
        ) STRICT;

        -- The grants of those who signed in through GitLab; their access token stands in accounts.
        CREATE TABLE oauth_grants (
            account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            granted_at INTEGER NOT NULL,
            access_ends_at INTEGER NOT NULL,
            refresh_ciphertext BLOB NOT NULL,
            refresh_nonce BLOB NOT NULL CHECK (length(refresh_nonce) = 12),
            refresh_key_version INTEGER NOT NULL,
            refused_at INTEGER
        ) STRICT;

        -- Sign-ins whose person is with GitLab, by the SHA-256 of their state.
        CREATE TABLE oauth_flows (
            state_digest BLOB NOT NULL PRIMARY KEY CHECK (length(state_digest) = 32),
            kind TEXT NOT NULL CHECK (kind IN ('authorization_code', 'device_code')),
            gitlab_origin TEXT NOT NULL,
            secret_ciphertext BLOB NOT NULL,
            secret_nonce BLOB NOT NULL CHECK (length(secret_nonce) = 12),
            secret_key_version INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            ask_from INTEGER NOT NULL,
            interval_ms INTEGER NOT NULL CHECK (interval_ms >= 0)
        ) STRICT, WITHOUT ROWID;

        -- Who watches the item that a webhook names.
        CREATE INDEX watches_by_item ON watches (project_id, item_kind, item_iid);
        """
}
