-- The notifier's database. Written by `make docs` from Sources/Notifier/Store/Schema; a test holds it up to date.
--
-- Times are microseconds since 1970. Secrets, GitLab's and the devices' tokens among them, are sealed.

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

-- What the person's devices keep alike, one row for each thing, with the revision at which it changed last: the account's
-- data_version of that moment. Triggers write it, in the transaction of the change, so no change goes without.
CREATE TABLE sync_rows (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    entity TEXT NOT NULL CHECK (entity IN (
        'watch', 'choice', 'deniedActor', 'settings', 'readMark', 'duty', 'dutyMember', 'occurrence', 'dutyEvent',
        'dutyMute'
    )),
    row_key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    is_deleted INTEGER NOT NULL CHECK (is_deleted IN (0, 1)),
    -- When the deletion was noticed by the daily forgetting, which forgets it in the end.
    deleted_at INTEGER CHECK (deleted_at IS NULL OR is_deleted = 1),
    PRIMARY KEY (account_id, entity, row_key)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sync_rows_by_revision ON sync_rows (account_id, revision);
CREATE INDEX sync_rows_deleted ON sync_rows (deleted_at) WHERE is_deleted = 1;

-- From which revision on every deletion is known: below it a device has to begin anew. Without a row, from the first.
CREATE TABLE sync_floors (
    account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL
) STRICT;

-- The last choice about what has no row of its own that outlives it, and when it was made. 'end' is the last end of a watch,
-- which ends a mute with it; the value of 'mute' is its end.
CREATE TABLE choice_stamps (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    entity TEXT NOT NULL CHECK (entity IN ('actor', 'end', 'mute', 'setting')),
    row_key TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    changed_by TEXT NOT NULL,
    value INTEGER,
    PRIMARY KEY (account_id, entity, row_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX choice_stamps_by_age ON choice_stamps (changed_at);

-- Envelopes of changes that were taken, and when they came first: one that comes again means the same.
CREATE TABLE sync_envelopes (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    device TEXT NOT NULL,
    client_change_id TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, device, client_change_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sync_envelopes_by_age ON sync_envelopes (received_at);
CREATE INDEX sync_envelopes_by_account ON sync_envelopes (account_id, received_at);

-- Devices that fetch what others have changed, and the silent push that tells them to.
CREATE TABLE device_syncs (
    device_id INTEGER PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
    -- The newest revision that another device of the person made.
    awaited_revision INTEGER NOT NULL,
    -- When the push is due; null when the device has fetched that revision, or was told of it.
    due_at INTEGER,
    -- When the last push was sent.
    sent_at INTEGER
) STRICT;
CREATE INDEX device_syncs_due ON device_syncs (due_at) WHERE due_at IS NOT NULL;
CREATE TRIGGER sync_watch_added AFTER INSERT ON watches BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = new.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT id, 'watch', new.project_id || '/' || new.item_kind || '/' || new.item_iid, data_version, 0
    FROM accounts WHERE id = new.account_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;

CREATE TRIGGER sync_watch_changed AFTER UPDATE OF title, project_path, web_url, missing_since, muted_until ON watches
WHEN new.title IS NOT old.title OR new.project_path IS NOT old.project_path OR new.web_url IS NOT old.web_url OR new.missing_since IS NOT old.missing_since OR new.muted_until IS NOT old.muted_until BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = new.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT id, 'watch', new.project_id || '/' || new.item_kind || '/' || new.item_iid, data_version, 0
    FROM accounts WHERE id = new.account_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;

CREATE TRIGGER sync_watch_removed AFTER DELETE ON watches BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = old.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT id, 'watch', old.project_id || '/' || old.item_kind || '/' || old.item_iid, data_version, 1
    FROM accounts WHERE id = old.account_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;

CREATE TRIGGER sync_choice_added AFTER INSERT ON item_choices BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = new.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT id, 'choice', new.project_id || '/' || new.item_kind || '/' || new.item_iid, data_version, 0
    FROM accounts WHERE id = new.account_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;

CREATE TRIGGER sync_choice_changed AFTER UPDATE OF choice, changed_at ON item_choices
WHEN new.choice <> old.choice OR new.changed_at <> old.changed_at BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = new.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT id, 'choice', new.project_id || '/' || new.item_kind || '/' || new.item_iid, data_version, 0
    FROM accounts WHERE id = new.account_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;

CREATE TRIGGER sync_actor_added AFTER INSERT ON denied_actors BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = new.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT id, 'deniedActor', new.gitlab_user_id, data_version, 0
    FROM accounts WHERE id = new.account_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;

CREATE TRIGGER sync_actor_changed AFTER UPDATE ON denied_actors BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = new.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT id, 'deniedActor', new.gitlab_user_id, data_version, 0
    FROM accounts WHERE id = new.account_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;

CREATE TRIGGER sync_actor_removed AFTER DELETE ON denied_actors BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = old.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT id, 'deniedActor', old.gitlab_user_id, data_version, 1
    FROM accounts WHERE id = old.account_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;

CREATE TRIGGER sync_settings_chosen AFTER INSERT ON account_settings BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = new.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT id, 'settings', '', data_version, 0
    FROM accounts WHERE id = new.account_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;

CREATE TRIGGER sync_read_mark_changed AFTER UPDATE OF read_at ON notifications
WHEN (new.read_at IS NULL) <> (old.read_at IS NULL) BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = new.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT id, 'readMark', new.public_id, data_version, 0
    FROM accounts WHERE id = new.account_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;

CREATE TRIGGER sync_notification_forgotten AFTER DELETE ON notifications BEGIN
    DELETE FROM sync_rows
    WHERE account_id = old.account_id AND entity = 'readMark' AND row_key = old.public_id;
END;

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
CREATE TRIGGER sync_duty_added AFTER INSERT ON duties BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id IN (
        SELECT account_id FROM duty_members WHERE duty_id = new.id
    );
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT accounts.id, 'duty', new.public_id, accounts.data_version, 0
    FROM accounts JOIN duty_members ON duty_members.account_id = accounts.id
    WHERE duty_members.duty_id = new.id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = 0, deleted_at = NULL;
END;

CREATE TRIGGER sync_duty_changed AFTER UPDATE ON duties BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id IN (
        SELECT account_id FROM duty_members WHERE duty_id = new.id
    );
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT accounts.id, 'duty', new.public_id, accounts.data_version, 0
    FROM accounts JOIN duty_members ON duty_members.account_id = accounts.id
    WHERE duty_members.duty_id = new.id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = 0, deleted_at = NULL;
END;

CREATE TRIGGER sync_member_added AFTER INSERT ON duty_members BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id IN (
        SELECT account_id FROM duty_members WHERE duty_id = new.duty_id
    );
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT accounts.id, 'dutyMember', new.public_id, accounts.data_version, 0
    FROM accounts JOIN duty_members ON duty_members.account_id = accounts.id
    WHERE duty_members.duty_id = new.duty_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = 0, deleted_at = NULL;
END;

CREATE TRIGGER sync_member_changed AFTER UPDATE ON duty_members BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id IN (
        SELECT account_id FROM duty_members WHERE duty_id = new.duty_id
    );
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT accounts.id, 'dutyMember', new.public_id, accounts.data_version, 0
    FROM accounts JOIN duty_members ON duty_members.account_id = accounts.id
    WHERE duty_members.duty_id = new.duty_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = 0, deleted_at = NULL;
END;

CREATE TRIGGER sync_occurrence_added AFTER INSERT ON duty_occurrences BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id IN (
        SELECT account_id FROM duty_members WHERE duty_id = new.duty_id
    );
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT accounts.id, 'occurrence', new.public_id, accounts.data_version, 0
    FROM accounts JOIN duty_members ON duty_members.account_id = accounts.id
    WHERE duty_members.duty_id = new.duty_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = 0, deleted_at = NULL;
END;

CREATE TRIGGER sync_occurrence_changed AFTER UPDATE ON duty_occurrences BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id IN (
        SELECT account_id FROM duty_members WHERE duty_id = new.duty_id
    );
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT accounts.id, 'occurrence', new.public_id, accounts.data_version, 0
    FROM accounts JOIN duty_members ON duty_members.account_id = accounts.id
    WHERE duty_members.duty_id = new.duty_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = 0, deleted_at = NULL;
END;

CREATE TRIGGER sync_duty_event_added AFTER INSERT ON duty_events BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id IN (
        SELECT account_id FROM duty_members WHERE duty_id = new.duty_id
    );
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT accounts.id, 'dutyEvent', new.public_id, accounts.data_version, 0
    FROM accounts JOIN duty_members ON duty_members.account_id = accounts.id
    WHERE duty_members.duty_id = new.duty_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = 0, deleted_at = NULL;
END;

CREATE TRIGGER sync_duty_muted AFTER INSERT ON duty_mutes
WHEN new.muted_until IS NOT NULL BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = new.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT accounts.id, 'dutyMute', duties.public_id, accounts.data_version, new.muted_until IS NULL
    FROM accounts, duties WHERE accounts.id = new.account_id AND duties.id = new.duty_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;

CREATE TRIGGER sync_duty_mute_changed AFTER UPDATE OF muted_until ON duty_mutes
WHEN new.muted_until IS NOT old.muted_until BEGIN
    UPDATE accounts SET data_version = data_version + 1 WHERE id = new.account_id;
    INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
    SELECT accounts.id, 'dutyMute', duties.public_id, accounts.data_version, new.muted_until IS NULL
    FROM accounts, duties WHERE accounts.id = new.account_id AND duties.id = new.duty_id
    ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
END;
