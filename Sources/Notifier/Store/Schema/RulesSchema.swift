/// What the rules of telling need: what a person chose, and what waits for the end of their quiet hours.
enum RulesSchema {
    static let version2 = """
        -- An entry without a row here has the defaults.
        CREATE TABLE account_settings (
            account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            time_zone TEXT NOT NULL CHECK (length(CAST(time_zone AS BLOB)) BETWEEN 1 AND 64),
            urgent_bypass INTEGER NOT NULL CHECK (urgent_bypass IN (0, 1)),
            auto_watch INTEGER NOT NULL CHECK (auto_watch IN (0, 1)),
            mirror_subscriptions INTEGER NOT NULL CHECK (mirror_subscriptions IN (0, 1)),
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

        CREATE INDEX notifications_unread ON notifications (account_id, source, kind) WHERE read_at IS NULL;

        CREATE TABLE denied_actors (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            gitlab_user_id INTEGER NOT NULL CHECK (gitlab_user_id > 0),
            display_name TEXT,
            reason TEXT,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, gitlab_user_id)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE watches ADD COLUMN muted_until INTEGER;
        ALTER TABLE watches ADD COLUMN mute_changed_at INTEGER
            CHECK (muted_until IS NULL OR mute_changed_at IS NOT NULL);
        ALTER TABLE watches ADD COLUMN origin TEXT NOT NULL DEFAULT 'manual' CHECK (origin IN ('manual', 'auto'));

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
            PRIMARY KEY (account_id, project_id, item_kind, item_iid)
        ) STRICT, WITHOUT ROWID;

        -- Items to be watched because the person was tagged there, until their baseline has been read.
        CREATE TABLE auto_watch_requests (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            project_id INTEGER NOT NULL,
            item_kind TEXT NOT NULL CHECK (item_kind IN ('issue', 'merge_request')),
            item_iid INTEGER NOT NULL CHECK (item_iid > 0),
            requested_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, project_id, item_kind, item_iid)
        ) STRICT, WITHOUT ROWID;

        -- Told facts whose telling waits for the end of the quiet hours, oldest first by id.
        CREATE TABLE held_facts (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            fact_key TEXT NOT NULL,
            action TEXT NOT NULL,
            actor_id INTEGER NOT NULL,
            actor_name TEXT NOT NULL,
            project_id INTEGER,
            item_kind TEXT CHECK (item_kind IN ('issue', 'merge_request')),
            item_iid INTEGER,
            item_title TEXT NOT NULL,
            project_path TEXT,
            web_url TEXT,
            occurred_at INTEGER NOT NULL,
            held_at INTEGER NOT NULL,
            UNIQUE (account_id, fact_key),
            CHECK ((item_kind IS NULL) = (item_iid IS NULL) AND (item_kind IS NULL OR project_id IS NOT NULL))
        ) STRICT;
        """
}
