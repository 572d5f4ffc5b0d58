import Crypto
import Platform
import Testing

@testable import Notifier
@testable import SQLite

struct SchemaTests {
    /// SHA-256 of every version that somebody may have, in hexadecimal: all but the newest. None so far.
    private static let shipped: [String] = []

    /// A step that there may be one day: rebuilds a table that others refer to, because a `CHECK` cannot be altered.
    private static let further: SQL = """
        CREATE TABLE notifications_rebuilt (
            id INTEGER PRIMARY KEY,
            public_id TEXT NOT NULL UNIQUE,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind <> 'rumour'),
            category TEXT NOT NULL,
            project_id INTEGER,
            item_kind TEXT,
            item_iid INTEGER,
            source TEXT,
            source_id INTEGER,
            title TEXT NOT NULL,
            subtitle TEXT,
            body TEXT NOT NULL,
            web_url TEXT,
            fact_keys TEXT NOT NULL,
            payload BLOB NOT NULL,
            thread_id TEXT NOT NULL,
            collapse_id TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            read_at INTEGER,
            read_changed_at INTEGER,
            read_changed_by TEXT NOT NULL,
            action_type TEXT
        ) STRICT;
        INSERT INTO notifications_rebuilt SELECT * FROM notifications;
        DROP TABLE notifications;
        ALTER TABLE notifications_rebuilt RENAME TO notifications;
        """

    /// Everything in the tables that `reference` had, in its columns: what a migration may add but not lose.
    private struct Contents: Equatable {
        var rows: [String: [String]] = [:]

        init(of database: Database, columnsOf reference: [String: [String]]) throws {
            for (table, columns) in reference {
                let quoted = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
                rows[table] = try database.rows(SQL(text: "SELECT \(quoted) AS line FROM \(table) ORDER BY line")) {
                    $0.text(0)
                }
            }
        }
    }

    @Test(arguments: 1...Schema.migrations.count)
    func `an older database is brought up to date with nothing lost`(version: Int) throws {
        let database = try FilledDatabase.make(version: version)
        let columns = try columnsByTable(of: database)
        let before = try Contents(of: database, columnsOf: columns)
        #expect(before.rows.values.count { !$0.isEmpty } >= 10)

        try Store.migrate(database, at: deliveryStart)
        #expect(try Contents(of: database, columnsOf: columns) == before)
        #expect(try schema(of: database) == schema(of: makeDeliveryDatabase()))

        let next = Migration(version: Int64(Schema.migrations.count + 1), sql: Self.further)
        try Migrator(Schema.migrations + [next]).migrate(database, microsecondsSinceEpoch: deliveryStart.microseconds)
        #expect(try Contents(of: database, columnsOf: columns) == before)
        #expect(try database.first("PRAGMA foreign_keys") { $0.int(0) } == 1)
        #expect(try database.first("PRAGMA integrity_check") { $0.text(0) } == "ok")

        try database.execute("DELETE FROM notifications WHERE id = 1")
        #expect(try database.rows("SELECT id FROM deliveries ORDER BY id") { $0.int64(0) } == [3, 4, 5])
    }

    @Test func `a version that has shipped does not change`() {
        let digests = Schema.migrations.dropLast().map { hexadecimal(SHA256.digest(Array($0.sql.text.utf8))) }
        #expect(digests == Self.shipped)
    }

    @Test func `the document of the schema is what a new database is made from`() throws {
        let path = "docs/schema.sql"
        let text = """
            -- The notifier's database. Written by `make docs` from Sources/Notifier/Store/Schema; a test holds it up to date.
            --
            -- Times are microseconds since 1970. Secrets, GitLab's and the devices' tokens among them, are sealed.

            \(Schema.text)

            """
        if LiveSourceTree.writesDocuments { try LiveSourceTree.write(text, to: path) }
        #expect(try LiveSourceTree.text(at: path) == text, "make docs writes it anew")

        let database = try Database(path: ":memory:")
        try database.executeScript(SQL(text: text))
        let made = try schema(of: makeDeliveryDatabase()).filter { !$0.contains("schema_migrations") }
        #expect(try schema(of: database) == made)
    }

    @Test(arguments: [
        ("digest", "GITLAB_ACTIVITY", true), ("signal", "GITLAB_ASK", true),
        ("token_expiring", "GITLAB_NEW_MENTION", true), ("rumour", "GITLAB_ACTIVITY", false),
        ("digest", "GITLAB_RUMOUR", false),
    ])
    func `kind and category are closed lists`(kind: String, category: String, accepted: Bool) throws {
        let database = try FilledDatabase.make()
        let write = {
            try database.execute("UPDATE notifications SET kind = ?, category = ? WHERE id = 9", kind, category)
        }
        guard accepted else {
            #expect(throws: SQLiteError.self) { try write() }
            return
        }
        #expect(try write() == 1)
    }

    private func columnsByTable(of database: Database) throws -> [String: [String]] {
        let tables = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
        var columns: [String: [String]] = [:]
        for table in tables where table != "schema_migrations" && !table.hasPrefix("sqlite_") {
            columns[table] = try database.rows("SELECT name FROM pragma_table_info(?)", table) { $0.text(0) }
        }
        return columns
    }

    private func schema(of database: Database) throws -> [String] {
        try database.rows("SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1") {
            $0.text(0)
        }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
