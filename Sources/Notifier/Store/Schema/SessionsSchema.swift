/// What the tables of sessions and pairing become.
enum SessionsSchema {
    /// Sessions with their refresh tokens, and pairing codes; of both only keyed digests are kept.
    ///
    /// A device that was paired and has no push token yet has no row in `devices`: it is known by its session.
    static let version2 = """
        -- Which generation of an account's sessions is valid; without a row the first.
        CREATE TABLE session_generations (
            account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            generation INTEGER NOT NULL CHECK (generation > 1)
        ) STRICT;

        CREATE TABLE sessions (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            -- The device it belongs to, by the id that clients know.
            device_public_id TEXT UNIQUE,
            platform TEXT CHECK (platform IN ('ios', 'macos')),
            device_name TEXT CHECK (length(device_name) BETWEEN 1 AND 64),
            -- How many pairs of tokens it was given, and whether the newest is known to have arrived.
            rotation INTEGER NOT NULL DEFAULT 1 CHECK (rotation > 0),
            is_confirmed INTEGER NOT NULL DEFAULT 0 CHECK (is_confirmed IN (0, 1)),
            created_at INTEGER NOT NULL,
            refreshed_at INTEGER NOT NULL,
            CHECK ((device_public_id IS NULL) = (platform IS NULL))
        ) STRICT;
        CREATE INDEX sessions_by_account ON sessions (account_id, refreshed_at);
        CREATE INDEX sessions_by_age ON sessions (refreshed_at);

        CREATE TABLE refresh_tokens (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            rotation INTEGER NOT NULL CHECK (rotation > 0),
            -- Another one took its place in the same rotation, because its answer seemed lost.
            is_superseded INTEGER NOT NULL DEFAULT 0 CHECK (is_superseded IN (0, 1)),
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX refresh_tokens_standing ON refresh_tokens (session_id, rotation) WHERE is_superseded = 0;
        CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session_id, rotation);

        -- One live code for each account.
        CREATE TABLE pairing_codes (
            account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            -- Wrong codes that were tried while it lived.
            misses INTEGER NOT NULL DEFAULT 0 CHECK (misses >= 0),
            expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX pairing_codes_by_end ON pairing_codes (expires_at);

        -- Numbers of accounts whose persons have left. They are never given again, so that nothing that was under way for one
        -- person reaches another.
        CREATE TABLE removed_accounts (
            account_id INTEGER PRIMARY KEY,
            removed_at INTEGER NOT NULL
        ) STRICT;

        -- Device tokens are sealed, and apns_token is their keyed digest. A row without a ciphertext is of version 1, its apns_token
        -- the token itself, until the next start seals it.
        ALTER TABLE devices ADD COLUMN token_ciphertext BLOB;
        ALTER TABLE devices ADD COLUMN token_nonce BLOB CHECK (length(token_nonce) = 12);
        ALTER TABLE devices ADD COLUMN token_key_version INTEGER
            CHECK ((token_key_version IS NULL) = (token_ciphertext IS NULL));

        -- The key of the digests.
        CREATE TABLE device_token_keys (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            key_ciphertext BLOB NOT NULL,
            key_nonce BLOB NOT NULL CHECK (length(key_nonce) = 12),
            key_key_version INTEGER NOT NULL
        ) STRICT;
        """
}
