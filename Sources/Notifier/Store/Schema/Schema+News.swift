extension Schema {
    /// What was read in GitLab, what of it was told, and what became of each push.
    static let news = """
        -- What a GitLab offers, as it was found out last.
        CREATE TABLE capabilities (
            account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            gitlab_version TEXT,
            notes INTEGER NOT NULL CHECK (notes IN (0, 1)),
            state_events INTEGER NOT NULL CHECK (state_events IN (0, 1)),
            label_events INTEGER NOT NULL CHECK (label_events IN (0, 1)),
            milestone_events INTEGER NOT NULL CHECK (milestone_events IN (0, 1)),
            approvals INTEGER NOT NULL CHECK (approvals IN (0, 1)),
            pipelines INTEGER NOT NULL CHECK (pipelines IN (0, 1)),
            project_events INTEGER NOT NULL CHECK (project_events IN (0, 1)),
            rate_limit_headers INTEGER NOT NULL CHECK (rate_limit_headers IN (0, 1)),
            checked_at INTEGER NOT NULL
        ) STRICT;

        -- Deaths of the process while an account was read; a successful cycle deletes the row.
        CREATE TABLE poll_deaths (
            account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            deaths INTEGER NOT NULL CHECK (deaths > 0),
            last_at INTEGER NOT NULL
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

        CREATE TABLE seen_rows (
            watch_id INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            list TEXT NOT NULL CHECK (list IN ('label_events', 'milestone_events')),
            row_id INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (watch_id, list, row_id)
        ) STRICT, WITHOUT ROWID;

        -- How each of the newest pipelines stood when it was read last, and since when by GitLab's clock; a retry runs again under
        -- the same id.
        CREATE TABLE seen_pipelines (
            watch_id INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            pipeline_id INTEGER NOT NULL,
            status TEXT NOT NULL,
            updated_at INTEGER,
            run INTEGER NOT NULL CHECK (run >= 1),
            PRIMARY KEY (watch_id, pipeline_id)
        ) STRICT, WITHOUT ROWID;

        -- Lists that are no part of a watch's baseline: what their first reading shows is known from then on. One that begins late, since
        -- the person chose its kind only after the watch began, has until then when they did: of the time before nothing is told.
        CREATE TABLE first_readings (
            watch_id INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            list TEXT NOT NULL CHECK (list IN ('approvals', 'label_events', 'milestone_events', 'pipelines')),
            read_at INTEGER,
            chosen_at INTEGER,
            PRIMARY KEY (watch_id, list),
            CHECK ((read_at IS NULL) = (chosen_at IS NOT NULL))
        ) STRICT, WITHOUT ROWID;

        -- Whose approval of a merge request is known, and how often it was given.
        CREATE TABLE approvals (
            watch_id INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            person_id INTEGER NOT NULL,
            is_listed INTEGER NOT NULL CHECK (is_listed IN (0, 1)),
            times INTEGER NOT NULL CHECK (times >= 0),
            PRIMARY KEY (watch_id, person_id)
        ) STRICT, WITHOUT ROWID;

        -- Events that sources without common numbers tell of; what one has told, another does not tell again.
        CREATE TABLE correlated_events (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            project_id INTEGER NOT NULL,
            item_kind TEXT NOT NULL CHECK (item_kind IN ('issue', 'merge_request')),
            item_iid INTEGER NOT NULL CHECK (item_iid > 0),
            kind TEXT NOT NULL CHECK (
                kind IN (
                    'closed', 'reopened', 'merged', 'approved', 'pushed', 'assigned', 'review_requested',
                    'pipeline_failed', 'reviewed'
                )
            ),
            actor_id INTEGER NOT NULL,
            since INTEGER NOT NULL,
            occurred_at INTEGER NOT NULL CHECK (occurred_at >= since),
            sources INTEGER NOT NULL CHECK (sources BETWEEN 1 AND 15)
        ) STRICT;
        CREATE INDEX correlated_events_by_item ON correlated_events (account_id, project_id, item_kind, item_iid);
        CREATE INDEX correlated_events_by_age ON correlated_events (account_id, occurred_at);

        -- Facts already notified, by canonical key, and those that are told to nobody, with why.
        CREATE TABLE notified_facts (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            fact_key TEXT NOT NULL,
            occurred_at INTEGER NOT NULL,
            notified_at INTEGER NOT NULL,
            silenced TEXT CHECK (
                silenced IN ('ownAction', 'backdated', 'muted', 'mutedDuty', 'deniedActor', 'dismissed')
            ),
            PRIMARY KEY (account_id, fact_key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notified_facts_by_age ON notified_facts (notified_at);

        -- Notified facts whose notification waits for the end of the quiet hours, oldest first by id.
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
            -- The id of the duty that it tells of, if it is of one.
            duty TEXT,
            occurred_at INTEGER NOT NULL,
            held_at INTEGER NOT NULL,
            UNIQUE (account_id, fact_key),
            CHECK ((item_kind IS NULL) = (item_iid IS NULL) AND (item_kind IS NULL OR project_id IS NOT NULL))
        ) STRICT;

        -- The outbox: one row for each notification, one delivery for each device it goes to.
        CREATE TABLE notifications (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (
                kind IN (
                    'activity', 'auth_expired', 'service_trouble', 'service_recovered', 'test', 'digest', 'token_expiring',
                    'reminder', 'signal', 'announcement', 'due', 'duty', 'watch_list_full'
                )
            ),
            -- What the person can do with it.
            category TEXT NOT NULL CHECK (category IN ('GITLAB_ACTIVITY', 'GITLAB_NEW_MENTION', 'GITLAB_ASK')),
            project_id INTEGER,
            item_kind TEXT CHECK (item_kind IN ('issue', 'merge_request')),
            item_iid INTEGER,
            source TEXT,
            source_id INTEGER,
            title TEXT NOT NULL,
            -- The item's title, as a rule.
            subtitle TEXT,
            body TEXT NOT NULL,
            web_url TEXT,
            fact_keys TEXT NOT NULL,
            payload BLOB NOT NULL CHECK (length(payload) <= 4096),
            thread_id TEXT NOT NULL,
            collapse_id TEXT NOT NULL CHECK (length(CAST(collapse_id AS BLOB)) <= 64),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            read_at INTEGER,
            -- When the person chose last that it is read or unread; the last choice wins, in whatever order they arrive.
            read_changed_at INTEGER CHECK (read_at IS NULL OR read_changed_at IS NOT NULL),
            read_changed_by TEXT NOT NULL DEFAULT '',
            -- The code of the newest action it tells of.
            action_type TEXT
        ) STRICT;
        CREATE INDEX notifications_by_account ON notifications (account_id, id);
        CREATE INDEX notifications_unread ON notifications (account_id, source, kind) WHERE read_at IS NULL;
        CREATE INDEX notifications_by_age ON notifications (created_at);

        CREATE TABLE deliveries (
            id INTEGER PRIMARY KEY,
            notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
            device_id INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            -- The device's, with which it changes until an attempt is over: claims are made per environment.
            environment TEXT NOT NULL CHECK (environment IN ('production', 'sandbox')),
            apns_id TEXT NOT NULL UNIQUE,
            state TEXT NOT NULL CHECK (state IN ('queued', 'claimed', 'accepted', 'acknowledged', 'dead')),
            attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            next_attempt_at INTEGER NOT NULL,
            -- When it is pushed first, where that is later than it was made.
            due_at INTEGER,
            lease_until INTEGER,
            last_outcome TEXT,
            accepted_at INTEGER,
            finished_at INTEGER,
            UNIQUE (notification_id, device_id),
            CHECK ((state = 'claimed') = (lease_until IS NOT NULL))
        ) STRICT;
        CREATE INDEX deliveries_due ON deliveries (environment, next_attempt_at) WHERE state = 'queued';
        CREATE INDEX deliveries_queued_by_device ON deliveries (device_id) WHERE state = 'queued';
        -- With a device go its deliveries: without it each removal would look at all there are.
        CREATE INDEX deliveries_by_device ON deliveries (device_id);
        CREATE INDEX deliveries_dead ON deliveries (id) WHERE state = 'dead';
        CREATE INDEX deliveries_leased ON deliveries (lease_until) WHERE state = 'claimed';

        -- What devices say about notifications. A receipt is a lower bound: its absence proves nothing. One that names no device counts for
        -- the person. Who opened a notification has received it.
        CREATE TABLE receipts (
            id INTEGER PRIMARY KEY,
            notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
            device_id INTEGER REFERENCES devices (id) ON DELETE CASCADE,
            delivered_at INTEGER NOT NULL,
            opened_at INTEGER CHECK (opened_at >= delivered_at)
        ) STRICT;
        CREATE UNIQUE INDEX receipts_by_notification ON receipts (notification_id, ifnull(device_id, 0));
        CREATE INDEX receipts_by_device ON receipts (device_id);
        CREATE INDEX receipts_by_age ON receipts (delivered_at);

        -- What the apps say they have taken over, whichever way it came; each app for itself, so it ends with the app's session.
        CREATE TABLE acknowledgements (
            notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
            session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            acknowledged_at INTEGER NOT NULL,
            PRIMARY KEY (notification_id, session_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX acknowledgements_by_session ON acknowledgements (session_id);

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
