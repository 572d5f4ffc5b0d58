import SQLite

/// The schema as the list of steps that lead to it. A step that has shipped is never edited: changes are further steps.
/// `docs/schema.sql` shows it as a whole.
///
/// Times are microseconds since 1970 from the injected wall clock. Secrets are sealed before they come here.
enum Schema {
    /// From version 1 upwards.
    static let migrations = [
        Migration(version: 1, sql: SQL(text: [people, news, asks, dueDates, sync, duties].joined(separator: "\n\n")))
    ]

    /// Every step, oldest first, as one script.
    static var text: String { migrations.map(\.sql.text).joined(separator: "\n\n") }

    /// Who uses the server, with which devices, and what they chose.
    private static let people = """
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
            -- Until when every list of every watched item had been read and dealt with; may lie well before the last poll.
            complete_at INTEGER,
            -- What the account's devices compare to learn that something has changed: by data_version all but the notifications, by
            -- notification_version these. They begin where the clock says, and never fall, not even over a restored backup.
            data_version INTEGER NOT NULL CHECK (data_version BETWEEN 0 AND 9007199254740991),
            notification_version INTEGER NOT NULL CHECK (notification_version BETWEEN 0 AND 9007199254740991),
            UNIQUE (gitlab_origin, gitlab_user_id)
        ) STRICT;

        -- Numbers of accounts whose persons have left. They are never given again, so that nothing that was under way for one
        -- person reaches another.
        CREATE TABLE removed_accounts (
            account_id INTEGER PRIMARY KEY,
            removed_at INTEGER NOT NULL
        ) STRICT;

        -- When GitLab was asked last how long an account's token lives, and how far the person was warned of that date. A row lives as
        -- long as the token it is about.
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

        -- Which generation of an account's sessions is valid; without a row the first.
        CREATE TABLE session_generations (
            account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            generation INTEGER NOT NULL CHECK (generation > 1)
        ) STRICT;

        -- Of sessions and pairing codes only keyed digests are kept. A device that was paired and has no push token yet has no row in
        -- devices: it is known by its session.
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

        CREATE TABLE devices (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            -- The token's keyed digest; the token itself is sealed.
            apns_token TEXT NOT NULL,
            token_ciphertext BLOB NOT NULL,
            token_nonce BLOB NOT NULL CHECK (length(token_nonce) = 12),
            token_key_version INTEGER NOT NULL,
            environment TEXT NOT NULL CHECK (environment IN ('production', 'sandbox')),
            platform TEXT NOT NULL CHECK (platform IN ('ios', 'macos')),
            app_version TEXT,
            state TEXT NOT NULL CHECK (state IN ('active', 'held', 'dead')),
            state_reason TEXT,
            registered_at INTEGER NOT NULL,
            state_changed_at INTEGER NOT NULL,
            -- When APNs refused a push last because there were too many, until it takes one again.
            throttled_at INTEGER,
            -- How often in a row; what was under way together is one time.
            throttle_count INTEGER NOT NULL DEFAULT 0 CHECK (throttle_count >= 0),
            -- While it is held: when it is tried with one push, and how often that was begun. Without an instant it never is.
            trial_at INTEGER,
            trials INTEGER NOT NULL DEFAULT 0 CHECK (trials >= 0),
            UNIQUE (apns_token, environment)
        ) STRICT;
        CREATE INDEX devices_by_account ON devices (account_id, state);
        CREATE INDEX devices_on_trial ON devices (trial_at) WHERE state = 'held';

        -- The key of the digests.
        CREATE TABLE device_token_keys (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            key_ciphertext BLOB NOT NULL,
            key_nonce BLOB NOT NULL CHECK (length(key_nonce) = 12),
            key_key_version INTEGER NOT NULL
        ) STRICT;

        -- An entry without a row here has the defaults.
        CREATE TABLE account_settings (
            account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            time_zone TEXT NOT NULL CHECK (length(CAST(time_zone AS BLOB)) BETWEEN 1 AND 64),
            urgent_bypass INTEGER NOT NULL CHECK (urgent_bypass IN (0, 1)),
            auto_watch INTEGER NOT NULL CHECK (auto_watch IN (0, 1)),
            mirror_subscriptions INTEGER NOT NULL CHECK (mirror_subscriptions IN (0, 1)),
            reminders INTEGER NOT NULL CHECK (reminders IN (0, 1)),
            due_reminders INTEGER NOT NULL CHECK (due_reminders IN (0, 1)),
            -- How long before the day by which something is due; NULL for the server's standard.
            due_lead_hours INTEGER CHECK (due_lead_hours BETWEEN 0 AND 336),
            -- Kinds of activity to be told, with spaces; NULL for the standard ones.
            activity_kinds TEXT CHECK (length(activity_kinds) <= 200),
            changed_at INTEGER NOT NULL
        ) STRICT;

        -- Minutes of the local day; a window that ends at or before its beginning ends on the next day.
        CREATE TABLE quiet_windows (
            account_id INTEGER NOT NULL REFERENCES account_settings (account_id) ON DELETE CASCADE,
            weekday INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),
            from_minute INTEGER NOT NULL CHECK (from_minute BETWEEN 0 AND 1439),
            until_minute INTEGER NOT NULL CHECK (until_minute BETWEEN 1 AND 1440 AND until_minute <> from_minute),
            PRIMARY KEY (account_id, weekday, from_minute)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE denied_actors (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            gitlab_user_id INTEGER NOT NULL CHECK (gitlab_user_id > 0),
            display_name TEXT,
            reason TEXT,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, gitlab_user_id)
        ) STRICT, WITHOUT ROWID;

        -- A number is never given again: the poller knows items by it, and may still be at one that is watched no more.
        CREATE TABLE watches (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
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
            muted_until INTEGER,
            mute_changed_at INTEGER CHECK (muted_until IS NULL OR mute_changed_at IS NOT NULL),
            origin TEXT NOT NULL DEFAULT 'manual' CHECK (origin IN ('manual', 'auto')),
            created_at INTEGER NOT NULL,
            -- Notes up to this one lay before the watch; set where there were too many to record each.
            baseline_note_id INTEGER,
            -- Whether every list that the person wants of it has been read since it began.
            is_read INTEGER NOT NULL DEFAULT 0 CHECK (is_read IN (0, 1)),
            -- By GitLab's clock when it began, where GitLab had no such list then: what is older lay before the watch.
            notes_since INTEGER,
            state_events_since INTEGER,
            UNIQUE (account_id, project_id, item_kind, item_iid)
        ) STRICT;
        -- Who watches the item that a webhook names.
        CREATE INDEX watches_by_item ON watches (project_id, item_kind, item_iid);

        -- What was last known of the person's subscription to a watched item in GitLab.
        CREATE TABLE subscriptions (
            watch_id INTEGER PRIMARY KEY REFERENCES watches (id) ON DELETE CASCADE,
            is_subscribed INTEGER NOT NULL CHECK (is_subscribed IN (0, 1)),
            known_at INTEGER NOT NULL
        ) STRICT;

        -- The last choice about an item and when it was made: the last one wins, in whatever order they arrive. Outlives the
        -- watch, so that an older one cannot bring it back.
        CREATE TABLE item_choices (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            project_id INTEGER NOT NULL,
            item_kind TEXT NOT NULL CHECK (item_kind IN ('issue', 'merge_request')),
            item_iid INTEGER NOT NULL CHECK (item_iid > 0),
            choice TEXT NOT NULL CHECK (choice IN ('watched', 'unwatched', 'dismissed')),
            title TEXT,
            project_path TEXT,
            web_url TEXT,
            changed_at INTEGER NOT NULL,
            -- The device and the change, which decide between choices of the same instant; empty for the server's own.
            changed_by TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (account_id, project_id, item_kind, item_iid)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX item_choices_unwatched ON item_choices (changed_at) WHERE choice = 'unwatched';

        -- Items to be watched because the person was tagged there, until their baseline has been read or they are given up.
        CREATE TABLE auto_watch_requests (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            project_id INTEGER NOT NULL,
            item_kind TEXT NOT NULL CHECK (item_kind IN ('issue', 'merge_request')),
            item_iid INTEGER NOT NULL CHECK (item_iid > 0),
            -- By GitLab's clock: what was written before lay there when the watch began, however late that is.
            tagged_at INTEGER NOT NULL,
            requested_at INTEGER NOT NULL,
            -- When that failed last.
            tried_at INTEGER,
            PRIMARY KEY (account_id, project_id, item_kind, item_iid)
        ) STRICT, WITHOUT ROWID;

        -- Watched issues that were moved to another project, until the watch has followed them or cannot. The path is as GitLab's
        -- note writes it, the time by GitLab's clock.
        CREATE TABLE moved_issues (
            watch_id INTEGER PRIMARY KEY REFERENCES watches (id) ON DELETE CASCADE,
            project_path TEXT NOT NULL,
            item_iid INTEGER NOT NULL CHECK (item_iid > 0),
            moved_at INTEGER NOT NULL,
            noticed_at INTEGER NOT NULL,
            -- When it was followed in vain last.
            tried_at INTEGER
        ) STRICT;
        """
}
