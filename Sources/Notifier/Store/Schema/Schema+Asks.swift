extension Schema {
    /// Who waits for whom, and when people are told again.
    static let asks = """
        -- That somebody waits for the account's person, until that is settled.
        CREATE TABLE asks (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            ask_key TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('review_requested', 'approval_required', 'addressed', 'mentioned')),
            project_id INTEGER,
            item_kind TEXT CHECK (item_kind IN ('issue', 'merge_request')),
            item_iid INTEGER,
            todo_id INTEGER,
            actor_id INTEGER NOT NULL,
            title TEXT NOT NULL,
            item_title TEXT NOT NULL,
            project_path TEXT,
            web_url TEXT,
            subject TEXT NOT NULL,
            -- The first one that told of it.
            notification_id INTEGER REFERENCES notifications (id) ON DELETE SET NULL,
            -- By GitLab's clock; what was done before it does not settle it.
            occurred_at INTEGER NOT NULL,
            raised_at INTEGER NOT NULL,
            told_at INTEGER,
            missing_since INTEGER,
            settled_at INTEGER,
            settled_by TEXT CHECK (
                settled_by IN ('todo_done', 'acted', 'item_ended', 'silenced', 'denied_actor', 'done')
            ),
            UNIQUE (account_id, ask_key),
            CHECK ((settled_at IS NULL) = (settled_by IS NULL))
        ) STRICT;
        CREATE INDEX asks_open ON asks (account_id, project_id, item_kind, item_iid) WHERE settled_at IS NULL;
        CREATE INDEX asks_by_notification ON asks (notification_id);
        CREATE INDEX asks_by_age ON asks (raised_at);

        CREATE TABLE reminders (
            ask_id INTEGER NOT NULL REFERENCES asks (id) ON DELETE CASCADE,
            step INTEGER NOT NULL CHECK (step IN (1, 2)),
            -- How long after the first notification, in microseconds.
            delay INTEGER NOT NULL CHECK (delay > 0),
            -- Known once a device has the first notification.
            due_at INTEGER,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'skipped', 'cancelled')),
            -- Since when it is put off because GitLab could not be read.
            held_since INTEGER,
            notification_id INTEGER REFERENCES notifications (id) ON DELETE SET NULL,
            PRIMARY KEY (ask_id, step)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reminders_due ON reminders (due_at) WHERE state = 'waiting' AND due_at IS NOT NULL;
        CREATE INDEX reminders_by_notification ON reminders (notification_id);
        """
}
