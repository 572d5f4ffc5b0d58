import SQLite

extension Store {
    /// Writes a copy of the whole database, without free pages, to an empty place. Outside of a transaction only.
    func copy(to path: String) throws {
        try database.execute("VACUUM INTO ?", path)
    }

    /// Looks whether this is a good copy of a database with so many rows.
    ///
    /// - Throws: `BackupError.damaged`, `incomplete`.
    func verify(_ expected: [String: Int]) throws {
        guard try integrityComplaint() == nil else { throw BackupError.damaged }
        guard try rowCounts() == expected else { throw BackupError.incomplete }
    }

    /// Looks whether this is a good copy of a database that others may have written to since. `VACUUM INTO` is one statement, which
    /// copies one state whole or fails, so its rows need not be compared.
    ///
    /// - Returns: how many rows it has, over all tables.
    /// - Throws: `BackupError.damaged`, `incomplete`.
    func verify() throws -> Int {
        guard try integrityComplaint() == nil else { throw BackupError.damaged }
        guard try Migrator.version(of: database) > 0 else { throw BackupError.incomplete }
        return try rowCounts().values.reduce(0, +)
    }

    /// How many rows each table has.
    func rowCounts() throws -> [String: Int] {
        let tables = try database.rows(
            """
            SELECT name FROM sqlite_schema
            WHERE type = 'table' AND typeof(name) = 'text' AND name NOT LIKE 'sqlite%' ORDER BY name
            """
        ) { $0.text(0) }
        var counts: [String: Int] = [:]
        for table in tables {
            // The schema is ours, but the file may be damaged.
            let name = table.replacing("\"", with: "\"\"")
            counts[table] = try database.first(SQL(text: "SELECT count(*) FROM \"\(name)\"")) { $0.int(0) }
        }
        return counts
    }

    /// What SQLite finds wrong with the file, or with a foreign key; nil when all is well.
    func integrityComplaint() throws -> String? {
        let answer = try database.first("PRAGMA integrity_check(1)") { $0.text(0) }
        if let answer, answer != "ok" { return answer }
        return try database.first("PRAGMA foreign_key_check") { $0.text(0) }
    }
}
