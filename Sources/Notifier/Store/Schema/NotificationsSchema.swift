/// What the tables of the outbox become.
enum NotificationsSchema {
    /// Digests and warnings of an expiring token; the category, which says what a person can do with the notification; and when
    /// it was read. A `CHECK` cannot be altered, so the table is rebuilt.
    ///
    /// Version 1 sent everything as `GITLAB_ACTIVITY`, the default here.
    static let version2 = """
        CREATE TABLE notifications_rebuilt (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (
                kind IN (
                    'activity', 'auth_expired', 'service_trouble', 'service_recovered', 'test', 'digest', 'token_expiring'
                )
            ),
            category TEXT NOT NULL DEFAULT 'GITLAB_ACTIVITY'
                CHECK (category IN ('GITLAB_ACTIVITY', 'GITLAB_NEW_MENTION')),
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
            expires_at INTEGER NOT NULL,
            read_at INTEGER
        ) STRICT;
        INSERT INTO notifications_rebuilt (
            id, public_id, account_id, kind, project_id, item_kind, item_iid, source, source_id, title, body, web_url,
            fact_keys, payload, thread_id, collapse_id, created_at, expires_at
        )
        SELECT
            id, public_id, account_id, kind, project_id, item_kind, item_iid, source, source_id, title, body, web_url,
            fact_keys, payload, thread_id, collapse_id, created_at, expires_at
        FROM notifications;
        DROP TABLE notifications;
        ALTER TABLE notifications_rebuilt RENAME TO notifications;
        CREATE INDEX notifications_by_account ON notifications (account_id, id);
        """
}
