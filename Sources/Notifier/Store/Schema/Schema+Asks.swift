extension Schema {
    /// Who waits for whom, when people are told again, and which programs may ask.
    static let asks = """
        -- Programs that may tell or ask the account's person something. Of their tokens only the SHA-256 is kept.
        CREATE TABLE signal_tokens (
            -- At random: no other token ever had it, and it tells nothing. What programs say is known by it.
            id INTEGER PRIMARY KEY CHECK (id > 0),
            public_id TEXT NOT NULL UNIQUE,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            muted_until INTEGER,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER
        ) STRICT;
        CREATE INDEX signal_tokens_by_account ON signal_tokens (account_id, created_at);

        -- That somebody waits for the account's person, until that is settled.
        CREATE TABLE asks (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            ask_key TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (
                kind IN ('review_requested', 'approval_required', 'addressed', 'mentioned', 'approval_needed', 'duty_due')
            ),
            project_id INTEGER,
            item_kind TEXT CHECK (item_kind IN ('issue', 'merge_request')),
            item_iid INTEGER,
            todo_id INTEGER,
            -- Below zero for a program: the number of its token.
            actor_id INTEGER NOT NULL,
            -- The run of the program that asks.
            run TEXT,
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
                settled_by IN (
                    'todo_done', 'acted', 'item_ended', 'silenced', 'denied_actor', 'done', 'program', 'run_ended',
                    'revoked', 'occurrence_ended', 'turn_passed', 'asked_again', 'withdrawn'
                )
            ),
            UNIQUE (account_id, ask_key),
            CHECK ((settled_at IS NULL) = (settled_by IS NULL))
        ) STRICT;
        CREATE INDEX asks_open ON asks (account_id, project_id, item_kind, item_iid, kind) WHERE settled_at IS NULL;
        CREATE INDEX asks_by_run ON asks (actor_id, run) WHERE settled_at IS NULL AND run IS NOT NULL;
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
            -- Since when it is put off because nobody knows whether it was dealt with.
            held_since INTEGER,
            -- Until when quiet hours put it off: with other ones it is due at another time.
            quiet_until INTEGER,
            -- Until when the person put it off: an earlier one that waits for its push is not sent before that.
            postponed_until INTEGER,
            notification_id INTEGER REFERENCES notifications (id) ON DELETE SET NULL,
            PRIMARY KEY (ask_id, step)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reminders_due ON reminders (due_at) WHERE state = 'waiting' AND due_at IS NOT NULL;
        CREATE INDEX reminders_by_notification ON reminders (notification_id);
        """
}

extension Schema {
    /// By when people have to have something done.
    static let dueDates = """
        -- Watched items that their person is assigned to, that are open and have a day by which they are due.
        CREATE TABLE due_dates (
            watch_id INTEGER PRIMARY KEY REFERENCES watches (id) ON DELETE CASCADE,
            -- A day of the calendar, such as 2026-03-30; when it begins, the person's zone says.
            due_on TEXT NOT NULL CHECK (length(due_on) = 10),
            -- When it is looked at next; null when no reminder is to come.
            next_at INTEGER,
            -- Since when a reminder is put off because GitLab could not be read.
            held_since INTEGER,
            -- When it became known, or the person came to be reminded at those times: nothing fell due before.
            planned_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX due_dates_next ON due_dates (next_at) WHERE next_at IS NOT NULL;
        """
}
