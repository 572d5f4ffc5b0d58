import SQLite

/// Whether a database has the tables that this program makes. Whatever reads rows relies on their columns and types, which SQLite
/// enforces as the file says: one from outside may say something else.
enum SchemaComparison {
    /// - Throws: `BackupError.foreign` unless `database` has the schema of that version, and nothing beside it; `SQLiteError`.
    static func check(_ database: Database, version: Int) throws {
        guard try matches(database, version: version) else { throw BackupError.foreign }
    }

    /// Whether `database` has the schema of that version, and nothing beside it. Version 0 has nothing at all, or the table that the
    /// first migration is about to be recorded in.
    ///
    /// - Throws: `SQLiteError`.
    static func matches(_ database: Database, version: Int) throws -> Bool {
        let found = try objects(of: database)
        if version == 0, found.isEmpty { return true }
        let expected = try Database(path: ":memory:")
        try Migrator(Array(Schema.migrations.prefix(version))).migrate(expected, microsecondsSinceEpoch: 0)
        return try found == objects(of: expected)
    }

    /// Every table and index, and whatever else there is, each with its text. The figures of `ANALYZE` may be there or not.
    private static func objects(of database: Database) throws -> [String] {
        // Quoted, because a file may hold something else than texts; one text then, whatever it holds.
        try database.rows(
            """
            SELECT quote(type) || quote(name) || quote(tbl_name) || quote(sql) FROM sqlite_schema
            WHERE coalesce(name, '') NOT LIKE 'sqlite_stat%'
            """
        ) { plain($0.text(0)) }.sorted()
    }

    /// Versions of SQLite differ in how they space and quote what `ALTER TABLE` rewrites.
    private static func plain(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
}
