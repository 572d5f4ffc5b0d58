/// The tables of what GitLab offers, and of what several of its lists tell alike.
enum SourcesSchema {
    /// What GitLab offers an account; what several sources may tell of one happening; lists that are read only while
    /// somebody wants them.
    static let version2 = """
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

        -- Happenings that sources without common numbers tell of; what one has told, another does not tell again.
        CREATE TABLE happenings (
            id INTEGER PRIMARY KEY,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            project_id INTEGER NOT NULL,
            item_kind TEXT NOT NULL CHECK (item_kind IN ('issue', 'merge_request')),
            item_iid INTEGER NOT NULL CHECK (item_iid > 0),
            kind TEXT NOT NULL CHECK (
                kind IN (
                    'closed', 'reopened', 'merged', 'approved', 'pushed', 'assigned', 'review_requested',
                    'pipeline_failed'
                )
            ),
            actor_id INTEGER NOT NULL,
            since INTEGER NOT NULL,
            occurred_at INTEGER NOT NULL CHECK (occurred_at >= since),
            witnesses INTEGER NOT NULL CHECK (witnesses BETWEEN 1 AND 15)
        ) STRICT;
        CREATE INDEX happenings_by_item ON happenings (account_id, project_id, item_kind, item_iid);
        CREATE INDEX happenings_by_age ON happenings (account_id, occurred_at);

        -- Whose approval of a merge request is known, and how often it was given.
        CREATE TABLE approvals (
            watch_id INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            person_id INTEGER NOT NULL,
            is_listed INTEGER NOT NULL CHECK (is_listed IN (0, 1)),
            times INTEGER NOT NULL CHECK (times >= 0),
            PRIMARY KEY (watch_id, person_id)
        ) STRICT, WITHOUT ROWID;

        -- Lists that are no part of a watch's baseline: what their first reading shows is known from then on.
        CREATE TABLE first_readings (
            watch_id INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            list TEXT NOT NULL CHECK (list IN ('approvals', 'label_events', 'milestone_events', 'pipelines')),
            read_at INTEGER NOT NULL,
            PRIMARY KEY (watch_id, list)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE seen_rows (
            watch_id INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            list TEXT NOT NULL CHECK (list IN ('label_events', 'milestone_events')),
            row_id INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (watch_id, list, row_id)
        ) STRICT, WITHOUT ROWID;

        -- How each pipeline stood when it was read last; a retry runs again under the same id.
        CREATE TABLE seen_pipelines (
            watch_id INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            pipeline_id INTEGER NOT NULL,
            status TEXT NOT NULL,
            run INTEGER NOT NULL CHECK (run >= 1),
            PRIMARY KEY (watch_id, pipeline_id)
        ) STRICT, WITHOUT ROWID;
        """
}
