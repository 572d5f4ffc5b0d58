/// What people do in turn.
extension Schema {
    static let duties =
        """
        -- Duties (docs/duties.md). Ids are UUIDs of whoever made the thing. Times of what happened are whole seconds.
        CREATE TABLE duties (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE CHECK (length(public_id) = 36),
            title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 100),
            -- Either every so many days, or on days of the week, Monday being the lowest bit, of every so many weeks.
            every_days INTEGER CHECK (every_days BETWEEN 1 AND 366),
            weekdays INTEGER CHECK (weekdays BETWEEN 1 AND 127),
            every_weeks INTEGER CHECK (every_weeks BETWEEN 1 AND 52),
            -- Days since 1970.
            start_day INTEGER NOT NULL,
            due_minute INTEGER NOT NULL CHECK (due_minute BETWEEN 0 AND 1439),
            time_zone TEXT NOT NULL CHECK (length(CAST(time_zone AS BLOB)) BETWEEN 1 AND 64),
            lead_seconds INTEGER NOT NULL CHECK (lead_seconds BETWEEN 0 AND 1209600),
            mode TEXT NOT NULL CHECK (mode IN ('alternate', 'fixed')),
            escalates INTEGER NOT NULL CHECK (escalates IN (0, 1)),
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            changed_by TEXT NOT NULL,
            -- The first occurrence that is kept, and who is next in turn there: ids of members, with spaces.
            base_index INTEGER NOT NULL DEFAULT 0 CHECK (base_index >= 0),
            base_queue TEXT NOT NULL DEFAULT '',
            CHECK ((every_days IS NULL) = (weekdays IS NOT NULL) AND (weekdays IS NULL) = (every_weeks IS NULL))
        ) STRICT;

        -- A member without an account is known by name alone, as is whoever left; who comes back is another.
        CREATE TABLE duty_members (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE CHECK (length(public_id) = 36),
            duty_id INTEGER NOT NULL REFERENCES duties (id) ON DELETE CASCADE,
            account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
            position INTEGER NOT NULL CHECK (position > 0),
            joined_at INTEGER NOT NULL,
            left_at INTEGER CHECK (left_at IS NULL OR account_id IS NULL),
            changed_at INTEGER NOT NULL,
            changed_by TEXT NOT NULL,
            UNIQUE (duty_id, position)
        ) STRICT;
        CREATE UNIQUE INDEX duty_members_of_account ON duty_members (account_id, duty_id);

        -- What the rotation comes to, for so many days ahead. What is decided about one is a row of the two tables below.
        CREATE TABLE duty_occurrences (
            duty_id INTEGER NOT NULL REFERENCES duties (id) ON DELETE CASCADE,
            occurrence_index INTEGER NOT NULL CHECK (occurrence_index >= 0),
            public_id TEXT NOT NULL UNIQUE CHECK (length(public_id) = 36),
            due_at INTEGER NOT NULL,
            -- The member's UUID; NULL for nobody's.
            assignee TEXT,
            status TEXT NOT NULL CHECK (status IN ('pending', 'reassigned', 'completed', 'skipped')),
            decided_at INTEGER,
            decided_by TEXT,
            PRIMARY KEY (duty_id, occurrence_index),
            CHECK ((status = 'pending') = (decided_at IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL))
        ) STRICT, WITHOUT ROWID;

        -- When people are to be told of their turns by the clock; what they were told stands in notified_facts.
        CREATE TABLE duty_reminders (
            duty_id INTEGER PRIMARY KEY REFERENCES duties (id) ON DELETE CASCADE,
            -- When the duty is looked at next; null while nothing is to come.
            next_at INTEGER
        ) STRICT;
        CREATE INDEX duty_reminders_next ON duty_reminders (next_at) WHERE next_at IS NOT NULL;

        -- What happened to occurrences, written once and never changed. Both share one space of ids.
        CREATE TABLE duty_events (
            public_id TEXT NOT NULL PRIMARY KEY CHECK (length(public_id) = 36),
            duty_id INTEGER NOT NULL REFERENCES duties (id) ON DELETE CASCADE,
            occurrence_index INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('done', 'skip', 'reassign')),
            -- Members' UUIDs.
            by_member TEXT NOT NULL,
            to_member TEXT CHECK ((kind = 'reassign') = (to_member IS NOT NULL)),
            happened_at INTEGER NOT NULL,
            note TEXT NOT NULL CHECK (length(note) <= 500)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX duty_events_by_occurrence ON duty_events (duty_id, occurrence_index);

        -- Until when a duty tells somebody who takes part nothing; NULL once they have ended that. It goes with the duty, and when they leave.
        CREATE TABLE duty_mutes (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            duty_id INTEGER NOT NULL REFERENCES duties (id) ON DELETE CASCADE,
            muted_until INTEGER,
            changed_at INTEGER NOT NULL,
            changed_by TEXT NOT NULL,
            PRIMARY KEY (account_id, duty_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX duty_mutes_of_duty ON duty_mutes (duty_id);

        -- One live code for each duty.
        CREATE TABLE duty_invitations (
            duty_id INTEGER PRIMARY KEY REFERENCES duties (id) ON DELETE CASCADE,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            -- Wrong codes that were tried while it lived.
            misses INTEGER NOT NULL DEFAULT 0 CHECK (misses >= 0),
            expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX duty_invitations_by_end ON duty_invitations (expires_at);

        """ + dutyTriggers.joined(separator: "\n\n")

    private static let dutyTriggers = [
        dutyTrigger("duty_added", "INSERT ON duties", "duty", duty: "new.id"),
        dutyTrigger("duty_changed", "UPDATE ON duties", "duty", duty: "new.id"),
        dutyTrigger("member_added", "INSERT ON duty_members", "dutyMember", duty: "new.duty_id"),
        dutyTrigger("member_changed", "UPDATE ON duty_members", "dutyMember", duty: "new.duty_id"),
        dutyTrigger("occurrence_added", "INSERT ON duty_occurrences", "occurrence", duty: "new.duty_id"),
        dutyTrigger("occurrence_changed", "UPDATE ON duty_occurrences", "occurrence", duty: "new.duty_id"),
        dutyTrigger("duty_event_added", "INSERT ON duty_events", "dutyEvent", duty: "new.duty_id"),
        muteTrigger("duty_muted", "INSERT ON duty_mutes", when: "new.muted_until IS NOT NULL"),
        muteTrigger(
            "duty_mute_changed",
            "UPDATE OF muted_until ON duty_mutes",
            when: "new.muted_until IS NOT old.muted_until"
        ),
    ]

    /// Gives a mute, or its end, the next revision of the one who chose it.
    private static func muteTrigger(_ name: String, _ event: String, when condition: String) -> String {
        """
        CREATE TRIGGER sync_\(name) AFTER \(event)
        WHEN \(condition) BEGIN
            UPDATE accounts SET data_version = data_version + 1 WHERE id = new.account_id;
            INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
            SELECT accounts.id, 'dutyMute', duties.public_id, accounts.data_version, new.muted_until IS NULL
            FROM accounts, duties WHERE accounts.id = new.account_id AND duties.id = new.duty_id
            ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
        END;
        """
    }

    /// Gives the changed thing the next revision of everybody who takes part. Those who join or leave are told by the store.
    private static func dutyTrigger(_ name: String, _ event: String, _ entity: String, duty: String) -> String {
        """
        CREATE TRIGGER sync_\(name) AFTER \(event) BEGIN
            UPDATE accounts SET data_version = data_version + 1 WHERE id IN (
                SELECT account_id FROM duty_members WHERE duty_id = \(duty)
            );
            INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
            SELECT accounts.id, '\(entity)', new.public_id, accounts.data_version, 0
            FROM accounts JOIN duty_members ON duty_members.account_id = accounts.id
            WHERE duty_members.duty_id = \(duty)
            ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = 0, deleted_at = NULL;
        END;
        """
    }
}
