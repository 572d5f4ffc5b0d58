/// What a person's devices keep alike.
extension Schema {
    static let sync =
        """
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

        """ + triggers.joined(separator: "\n\n")

    private static let itemKey = "@.project_id || '/' || @.item_kind || '/' || @.item_iid"

    private static let triggers = [
        trigger("watch_added", "INSERT ON watches", "watch", key: itemKey),
        trigger(
            "watch_changed",
            "UPDATE OF title, project_path, web_url, missing_since, muted_until ON watches",
            when: ["title", "project_path", "web_url", "missing_since", "muted_until"]
                .map { "new.\($0) IS NOT old.\($0)" }.joined(separator: " OR "),
            "watch",
            key: itemKey
        ),
        trigger("watch_removed", "DELETE ON watches", "watch", key: itemKey, isDeleted: true),
        trigger("choice_added", "INSERT ON item_choices", "choice", key: itemKey),
        trigger(
            "choice_changed",
            "UPDATE OF choice, changed_at ON item_choices",
            when: "new.choice <> old.choice OR new.changed_at <> old.changed_at",
            "choice",
            key: itemKey
        ),
        trigger("actor_added", "INSERT ON denied_actors", "deniedActor", key: "@.gitlab_user_id"),
        trigger("actor_changed", "UPDATE ON denied_actors", "deniedActor", key: "@.gitlab_user_id"),
        trigger("actor_removed", "DELETE ON denied_actors", "deniedActor", key: "@.gitlab_user_id", isDeleted: true),
        trigger("settings_chosen", "INSERT ON account_settings", "settings", key: "''"),
        trigger(
            "read_mark_changed",
            "UPDATE OF read_at ON notifications",
            when: "(new.read_at IS NULL) <> (old.read_at IS NULL)",
            "readMark",
            key: "@.public_id"
        ),
        """
        CREATE TRIGGER sync_notification_forgotten AFTER DELETE ON notifications BEGIN
            DELETE FROM sync_rows
            WHERE account_id = old.account_id AND entity = 'readMark' AND row_key = old.public_id;
        END;
        """,
    ]

    /// Gives the changed thing the next revision. An account that goes takes its rows along: there is none to write to.
    private static func trigger(
        _ name: String,
        _ event: String,
        when condition: String? = nil,
        _ entity: String,
        key: String,
        isDeleted: Bool = false
    ) -> String {
        let row = isDeleted ? "old" : "new"
        let keyText = key.split(separator: "@", omittingEmptySubsequences: false).joined(separator: row)
        return """
            CREATE TRIGGER sync_\(name) AFTER \(event)\(condition.map { "\nWHEN \($0)" } ?? "") BEGIN
                UPDATE accounts SET data_version = data_version + 1 WHERE id = \(row).account_id;
                INSERT INTO sync_rows (account_id, entity, row_key, revision, is_deleted)
                SELECT id, '\(entity)', \(keyText), data_version, \(isDeleted ? 1 : 0)
                FROM accounts WHERE id = \(row).account_id
                ON CONFLICT DO UPDATE SET revision = excluded.revision, is_deleted = excluded.is_deleted, deleted_at = NULL;
            END;
            """
    }
}
