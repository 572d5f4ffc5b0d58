extension Schema {
    /// The first schema, shipped and so never edited.
    static let version1 = """
        CREATE TABLE accounts (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE,
            gitlab_origin TEXT NOT NULL,
            gitlab_user_id INTEGER NOT NULL,
            username TEXT NOT NULL,
            token_ciphertext BLOB NOT NULL,
            token_nonce BLOB NOT NULL CHECK (length(token_nonce) = 12),
            token_key_version INTEGER NOT NULL,
            token_expires_on TEXT,
            gitlab_version TEXT,
            state TEXT NOT NULL CHECK (state IN ('active', 'auth_expired')),
            trouble_since INTEGER,
            trouble_announced INTEGER NOT NULL DEFAULT 0 CHECK (trouble_announced IN (0, 1)),
            created_at INTEGER NOT NULL,
            last_poll_at INTEGER,
            UNIQUE (gitlab_origin, gitlab_user_id)
        ) STRICT;

        CREATE TABLE devices (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            apns_token TEXT NOT NULL,
            environment TEXT NOT NULL CHECK (environment IN ('production', 'sandbox')),
            platform TEXT NOT NULL CHECK (platform IN ('ios', 'macos')),
            app_version TEXT,
            state TEXT NOT NULL CHECK (state IN ('active', 'held', 'dead')),
            state_reason TEXT,
            registered_at INTEGER NOT NULL,
            state_changed_at INTEGER NOT NULL,
            UNIQUE (apns_token, environment)
        ) STRICT;
        CREATE INDEX devices_by_account ON devices (account_id, state);

        CREATE TABLE watches (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            project_id INTEGER NOT NULL,
            item_kind TEXT NOT NULL CHECK (item_kind IN ('issue', 'merge_request')),
            item_iid INTEGER NOT NULL CHECK (item_iid > 0),
            title TEXT NOT NULL,
            project_path TEXT,
            web_url TEXT,
            missing_since INTEGER,
            missing_count INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            UNIQUE (account_id, project_id, item_kind, item_iid)
        ) STRICT;

        -- Every row of a source that was read and dealt with: what is new is what is not here.
        CREATE TABLE seen_notes (
            watch_id INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            note_id INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (watch_id, note_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE seen_state_events (
            watch_id INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            event_id INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (watch_id, event_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE seen_todos (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            todo_id INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, todo_id)
        ) STRICT, WITHOUT ROWID;

        -- Facts already told, by canonical key.
        CREATE TABLE told_facts (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            fact_key TEXT NOT NULL,
            occurred_at INTEGER NOT NULL,
            told_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, fact_key)
        ) STRICT, WITHOUT ROWID;

        -- The outbox: one row for each notification, one delivery for each device it goes to.
        CREATE TABLE notifications (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            kind TEXT NOT NULL
                CHECK (kind IN ('activity', 'auth_expired', 'service_trouble', 'service_recovered', 'test')),
            project_id INTEGER,
            item_kind TEXT CHECK (item_kind IN ('issue', 'merge_request')),
            item_iid INTEGER,
            source TEXT,
            source_id INTEGER,
            title TEXT NOT NULL,
            body TEXT NOT NULL,
            web_url TEXT,
            fact_keys TEXT NOT NULL,
            payload BLOB NOT NULL CHECK (length(payload) <= 4096),
            thread_id TEXT NOT NULL,
            collapse_id TEXT NOT NULL CHECK (length(CAST(collapse_id AS BLOB)) <= 64),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX notifications_by_account ON notifications (account_id, id);

        CREATE TABLE deliveries (
            id INTEGER PRIMARY KEY,
            notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
            device_id INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            -- The device's, which never changes: claims are made per environment.
            environment TEXT NOT NULL CHECK (environment IN ('production', 'sandbox')),
            apns_id TEXT NOT NULL UNIQUE,
            state TEXT NOT NULL CHECK (state IN ('queued', 'claimed', 'accepted', 'dead')),
            attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            next_attempt_at INTEGER NOT NULL,
            lease_until INTEGER,
            last_outcome TEXT,
            accepted_at INTEGER,
            finished_at INTEGER,
            UNIQUE (notification_id, device_id),
            CHECK ((state = 'claimed') = (lease_until IS NOT NULL))
        ) STRICT;
        CREATE INDEX deliveries_due ON deliveries (environment, next_attempt_at) WHERE state = 'queued';
        CREATE INDEX deliveries_queued_by_device ON deliveries (device_id) WHERE state = 'queued';
        CREATE INDEX deliveries_dead ON deliveries (id) WHERE state = 'dead';
        CREATE INDEX deliveries_leased ON deliveries (lease_until) WHERE state = 'claimed';

        -- The provider token in use, sealed, so that a restart does not mint another (APNs facts §7).
        CREATE TABLE provider_tokens (
            key_id TEXT NOT NULL,
            team_id TEXT NOT NULL,
            issued_at INTEGER NOT NULL,
            token_ciphertext BLOB NOT NULL,
            token_nonce BLOB NOT NULL CHECK (length(token_nonce) = 12),
            token_key_version INTEGER NOT NULL,
            PRIMARY KEY (key_id, team_id)
        ) STRICT, WITHOUT ROWID;
        """
}
