/// One step of the schema. Once released it never changes: a correction is a new migration.
package struct Migration: Sendable {
    /// Counts from 1 without gaps.
    let version: Int64
    /// A script; it runs inside a transaction, so it begins and commits none. Foreign keys are off while it runs, so a table can be
    /// rebuilt (create the new one, copy, drop the old one, rename) without its children being deleted; a script that removes rows
    /// removes their children itself.
    package let sql: SQL

    package init(version: Int64, sql: SQL) {
        self.version = version
        self.sql = sql
    }
}

/// Brings a database to the newest schema this program knows.
package struct Migrator: Sendable {
    /// From version 1 upwards.
    let migrations: [Migration]

    /// Traps unless the versions count from 1 without gaps.
    package init(_ migrations: [Migration]) {
        for (index, migration) in migrations.enumerated() {
            precondition(migration.version == Int64(index + 1), "migrations count from 1 without gaps")
        }
        self.migrations = migrations
    }

    /// Applies what is missing, each step in a transaction of its own that also records it, with the time given, in the
    /// table `schema_migrations`.
    ///
    /// Two programs may do this at once: each step looks again, under its lock, whether it is still missing.
    ///
    /// Foreign keys are enforced by a check at the end of each step rather than row by row, after the procedure that SQLite
    /// recommends (sqlite.org/lang_altertable.html §7). They are on again afterwards, also when a step fails.
    ///
    /// - Parameters:
    ///   - database: what to bring up to date.
    ///   - microsecondsSinceEpoch: the wall clock's reading.
    /// - Returns: the versions applied now.
    /// - Throws: `SQLiteError.schemaTooNew` before anything is changed when the database knows more versions than this
    ///   program; otherwise what the failing step throws, with all earlier steps kept: `constraint(.foreignKey, …)` for one
    ///   that leaves rows behind whose parents it removed.
    @discardableResult
    package func migrate(_ database: Database, microsecondsSinceEpoch: Int64) throws -> [Int64] {
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                version INTEGER PRIMARY KEY,
                applied_at_microseconds INTEGER NOT NULL
            ) STRICT
            """
        )
        let found = try acceptedVersion(of: database)
        guard found < Int64(migrations.count) else { return [] }
        return try database.withoutForeignKeys {
            try migrations.filter { try apply($0, to: database, at: microsecondsSinceEpoch) }.map(\.version)
        }
    }

    /// The newest version that `database` has; 0 for one that was never migrated.
    package static func version(of database: Database) throws -> Int64 {
        let hasTable = try database.first(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'"
        ) { _ in true }
        guard hasTable == true else { return 0 }
        // Somebody else's table of that name may hold anything.
        return try database.first(
            "SELECT coalesce(max(version), 0) FROM schema_migrations WHERE typeof(version) = 'integer'"
        ) { $0.int64(0) } ?? 0
    }

    private func acceptedVersion(of database: Database) throws -> Int64 {
        let found = try Self.version(of: database)
        let supported = Int64(migrations.count)
        guard found <= supported else { throw SQLiteError.schemaTooNew(found: found, supported: supported) }
        return found
    }

    private func apply(_ migration: Migration, to database: Database, at microseconds: Int64) throws -> Bool {
        try database.transaction {
            guard try Self.version(of: database) < migration.version else { return false }
            try database.executeScript(migration.sql)
            try database.checkForeignKeys()
            try database.execute("INSERT INTO schema_migrations VALUES (?, ?)", migration.version, microseconds)
            return true
        }
    }
}

extension Database {
    /// Runs `body` without foreign keys. The pragma does nothing inside a transaction, so it stands around the whole.
    fileprivate func withoutForeignKeys<Result>(_ body: () throws -> Result) throws -> Result {
        try executeScript("PRAGMA foreign_keys = OFF")
        do {
            let result = try body()
            try executeScript("PRAGMA foreign_keys = ON")
            return result
        } catch {
            // The step's error is the one to report; the pragma is no statement that a full disk could stop.
            try? executeScript("PRAGMA foreign_keys = ON")
            throw error
        }
    }

    /// - Throws: `SQLiteError.constraint(.foreignKey, …)` that names the first table with a row whose parent is missing.
    fileprivate func checkForeignKeys() throws {
        let orphan = try first("PRAGMA foreign_key_check") { "\($0.text(0)) to \($0.text(2))" }
        if let orphan { throw SQLiteError.constraint(.foreignKey, subject: orphan) }
    }
}
