import Crypto
import Platform
import SQLite
import Testing

@testable import Notifier

struct SchemaTests {
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

    @Test(arguments: OlderDatabase.allCases)
    func `an older database is brought up to date with nothing lost`(older: OlderDatabase) throws {
        let database = try older.make()
        let columns = try columnsByTable(of: database)
        let before = try Contents(of: database, columnsOf: columns)
        for (table, rows) in before.rows { #expect(!rows.isEmpty, "no row of \(table) is carried over") }

        try Store.migrate(database, at: deliveryStart)

        #expect(try Contents(of: database, columnsOf: columns) == before)
        #expect(try schema(of: database) == schema(of: makeDeliveryDatabase()))
        #expect(try database.first("PRAGMA foreign_keys") { $0.int(0) } == 1)
        #expect(try database.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
    }

    @Test(arguments: OlderDatabase.allCases)
    func `a schema that has shipped does not change`(older: OlderDatabase) {
        let text = Schema.migrations[older.rawValue - 1].sql.text
        #expect(hexadecimal(SHA256.digest(Array(text.utf8))) == older.schemaDigest)
    }

    @Test func `every version but the newest has a database to upgrade from`() {
        #expect(OlderDatabase.allCases.map(\.rawValue) == Array(1..<Schema.migrations.count))
    }

    @Test func `notifications of version 1 are unread activity`() throws {
        let database = try OlderDatabase.version1.make()
        try Store.migrate(database, at: deliveryStart)
        let categories = try database.rows("SELECT category, read_at IS NULL FROM notifications") {
            "\($0.text(0)) \($0.int(1))"
        }
        #expect(categories == Array(repeating: "GITLAB_ACTIVITY 1", count: 6))
    }

    @Test func `deliveries still go with their notification`() throws {
        let database = try OlderDatabase.version1.make()
        try Store.migrate(database, at: deliveryStart)
        try database.execute("DELETE FROM notifications WHERE id = 1")
        #expect(try database.rows("SELECT id FROM deliveries ORDER BY id") { $0.int64(0) } == [3, 4])
    }

    @Test(arguments: [
        ("digest", "GITLAB_ACTIVITY", true), ("token_expiring", "GITLAB_NEW_MENTION", true),
        ("rumour", "GITLAB_ACTIVITY", false), ("digest", "GITLAB_RUMOUR", false),
    ])
    func `kind and category are closed lists`(kind: String, category: String, accepted: Bool) throws {
        let database = try OlderDatabase.version1.make()
        try Store.migrate(database, at: deliveryStart)
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
