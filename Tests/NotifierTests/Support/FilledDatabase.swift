import Platform

@testable import Notifier
@testable import SQLite

/// A database that has been used: with rows in most tables, as a program of version 1 leaves them.
enum FilledDatabase {
    /// In memory, brought to that version.
    static func make(version: Int = Schema.migrations.count) throws -> sending Database {
        let database = try Database(path: ":memory:", options: DatabaseOptions(busyTimeout: .zero))
        for (steps, rows) in [(1, Self.rows), (version, "")] {
            let migrator = Migrator(Array(Schema.migrations.prefix(steps)))
            try migrator.migrate(database, microsecondsSinceEpoch: deliveryStart.microseconds)
            try database.executeScript(rows)
        }
        return database
    }

    private static let rows: SQL = """
        INSERT INTO accounts VALUES
            (1, 'acc-1', 'https://gitlab.example', 7, 'maria', x'01', x'0102030405060708090a0b0c', 1, '2026-12-31', '17.5.1',
                'active', NULL, 0, 100, 900, 880, 41, 17),
            (2, 'acc-2', 'https://gitlab.example', 9007199254740993, 'tom', x'02', x'0102030405060708090a0b0d', 1, NULL, NULL,
                'auth_expired', 500, 1, 200, NULL, NULL, 0, 3);
        INSERT INTO devices VALUES
            (1, 'dev-1', 1, 'aa01', x'04', x'0102030405060708090a0b0f', 1, 'production', 'ios', '1.4', 'active', NULL, 110, 110, NULL,
                0, NULL, 0),
            (2, 'dev-2', 1, 'aa02', x'05', x'0102030405060708090a0b10', 1, 'sandbox', 'macos', NULL, 'held', 'BadDeviceToken',
                120, 130, 125, 2, 190, 1),
            (3, 'dev-3', 2, 'aa03', x'06', x'0102030405060708090a0b11', 1, 'production', 'ios', NULL, 'dead', 'Unregistered',
                210, 220, NULL, 0, NULL, 0);
        INSERT INTO watches VALUES
            (1, 'watch-1', 1, 42, 'merge_request', 847, 'Add retries', 'team/backend', 'https://gitlab.example/x', NULL, 0, NULL,
                NULL, 'manual', 140, NULL, 1, NULL, 139),
            (2, 'watch-2', 1, 42, 'issue', 234, 'Überlauf 🧯', NULL, NULL, 700, 2, 900, 160, 'auto', 150, 9007199254740990, 0,
                149, NULL);
        INSERT INTO seen_notes VALUES (1, 5001, 300), (1, 5002, 301), (2, 9007199254740994, 302);
        INSERT INTO seen_state_events VALUES (1, 61, 303), (2, 62, 304);
        INSERT INTO seen_todos VALUES (1, 71, 305), (2, 71, 306);
        INSERT INTO notified_facts VALUES (1, 'note:42:5001', 299, 300, NULL), (2, 'todo:71', 298, 306, 'ownAction');
        INSERT INTO notifications (
            id, public_id, account_id, kind, category, project_id, item_kind, item_iid, source, source_id, title, body, web_url,
            fact_keys, payload, thread_id, collapse_id, created_at, expires_at, read_at, read_changed_at, action_type
        ) VALUES
            (1, 'not-1', 1, 'activity', 'GITLAB_ACTIVITY', 42, 'merge_request', 847, 'note', 5001, 'Title', 'Body', 'https://gitlab.example/x#note',
                'note:42:5001', CAST('{"aps":{"category":"GITLAB_ACTIVITY"}}' AS BLOB), 'thread', 'not-1', 300, 4000, 350, 350,
                'commented'),
            (5, 'not-5', 1, 'activity', 'GITLAB_NEW_MENTION', 42, 'issue', 900, 'todo', 71, 'Mention', 'Body', NULL,
                'todo:71', CAST('{"aps":{"category":"GITLAB_NEW_MENTION"}}' AS BLOB), 'thread', 'not-5', 305, 4000, NULL, 360, 'mentioned'),
            (6, 'not-6', 2, 'auth_expired', 'GITLAB_ACTIVITY', NULL, NULL, NULL, NULL, NULL, 'Sign in', '', NULL,
                '', x'7b', 'account', 'not-6', 500, 4000, NULL, NULL, NULL),
            (7, 'not-7', 2, 'service_trouble', 'GITLAB_ACTIVITY', NULL, NULL, NULL, NULL, NULL, 'Trouble', '', NULL,
                '', x'7b7d', 'account', 'not-7', 501, 4000, NULL, NULL, NULL),
            (8, 'not-8', 2, 'service_recovered', 'GITLAB_ACTIVITY', NULL, NULL, NULL, NULL, NULL, 'Better', '', NULL,
                '', x'7b7d', 'account', 'not-8', 502, 4000, NULL, NULL, NULL),
            (9, 'not-9', 1, 'test', 'GITLAB_ACTIVITY', NULL, NULL, NULL, NULL, NULL, 'Test', '', NULL, '', x'7b7d', 'account', 'not-9', 503, 4000, NULL, NULL,
                NULL);
        INSERT INTO deliveries VALUES
            (1, 1, 1, 'production', 'apns-1', 'accepted', 1, 300, NULL, NULL, 'accepted', 310, 310),
            (2, 1, 2, 'sandbox', 'apns-2', 'queued', 2, 900, NULL, NULL, 'InternalServerError', NULL, NULL),
            (3, 5, 1, 'production', 'apns-3', 'claimed', 1, 305, NULL, 400, NULL, NULL, NULL),
            (4, 6, 3, 'production', 'apns-4', 'dead', 5, 500, NULL, NULL, 'Unregistered', NULL, 600),
            (5, 9, 1, 'production', 'apns-5', 'acknowledged', 0, 503, NULL, NULL, 'acknowledged', NULL, 520);
        INSERT INTO sessions VALUES (1, 'ses-1', 1, 'dev-1', 'ios', 'Phone', 1, 1, 100, 100);
        INSERT INTO acknowledgements VALUES (1, 1, 312), (9, 1, 520);
        INSERT INTO signal_tokens VALUES
            (1839201123, 'sig-1', 1, 'agent', x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 940, 130, 310);
        INSERT INTO asks VALUES
            (1, 'ask-1', 1, 'signal/1839201123/approval_needed/deploy', 'approval_needed', NULL, NULL, NULL, NULL, -1839201123,
                'run-481', 'Approval needed', 'my-repo: Deploy', NULL, 'https://ci.example/1', 'signal/1839201123', NULL, 310, 310, 311, NULL,
                NULL, NULL);
        INSERT INTO reminders VALUES (1, 1, 900000000, 900000311, 'waiting', NULL, NULL, NULL, NULL);
        INSERT INTO provider_tokens VALUES ('KEY', 'TEAM', 250, x'03', x'0102030405060708090a0b0e', 1);
        """
}
