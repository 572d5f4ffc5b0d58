import Testing

@testable import SQLite

struct MigratorTests {
    private static let migrations = [
        Migration(version: 1, sql: "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;"),
        Migration(
            version: 2,
            sql: """
                ALTER TABLE people ADD COLUMN mail TEXT;
                UPDATE people SET mail = name || '@example.com';
                """
        ),
        Migration(version: 3, sql: "CREATE UNIQUE INDEX people_mail ON people (mail);"),
    ]

    private func makeMigrator(upTo version: Int = 3) -> Migrator {
        Migrator(Array(Self.migrations.prefix(version)))
    }

    @Test func `a new database gets every migration with the time given`() throws {
        let database = try makeDatabase()
        #expect(try Migrator.version(of: database) == 0)
        #expect(try makeMigrator().migrate(database, microsecondsSinceEpoch: 77) == [1, 2, 3])
        let records = try database.rows("SELECT version, applied_at_microseconds FROM schema_migrations") {
            [$0.int64(0), $0.int64(1)]
        }
        #expect(records == [[1, 77], [2, 77], [3, 77]])
    }

    @Test(arguments: 0...3)
    func `every older version is brought up to date with its rows`(version: Int) throws {
        let database = try makeDatabase()
        try makeMigrator(upTo: version).migrate(database, microsecondsSinceEpoch: 1)
        if version > 0 { try database.execute("INSERT INTO people (name) VALUES ('maria')") }

        let applied = try makeMigrator().migrate(database, microsecondsSinceEpoch: 2)

        #expect(applied == Self.migrations.map(\.version).filter { $0 > version })
        #expect(try Migrator.version(of: database) == 3)
        #expect(try database.rows("SELECT name FROM people") { $0.text(0) } == (version > 0 ? ["maria"] : []))
        #expect(try schema(of: database) == (try freshSchema()))
    }

    @Test func `a database that is up to date is left alone`() throws {
        let database = try makeDatabase()
        try makeMigrator().migrate(database, microsecondsSinceEpoch: 1)
        #expect(try makeMigrator().migrate(database, microsecondsSinceEpoch: 2) == [])
    }

    @Test func `a database of a newer program is refused`() throws {
        let database = try makeDatabase()
        try makeMigrator(upTo: 3).migrate(database, microsecondsSinceEpoch: 1)
        let error = try sqliteError {
            try makeMigrator(upTo: 2).migrate(database, microsecondsSinceEpoch: 2)
        }
        #expect(error == .schemaTooNew(found: 3, supported: 2))
    }

    @Test func `somebody else's table of versions says nothing`() throws {
        let database = try makeDatabase()
        try database.executeScript(
            "CREATE TABLE schema_migrations (version); INSERT INTO schema_migrations VALUES ('two')"
        )
        #expect(try Migrator.version(of: database) == 0)
    }

    @Test func `a migration that fails keeps the earlier ones and leaves nothing of itself`() throws {
        let database = try makeDatabase()
        let broken = Migration(version: 2, sql: "CREATE TABLE half (a INTEGER) STRICT; INSERT INTO nowhere VALUES (1);")
        let error = try sqliteError {
            try Migrator([Self.migrations[0], broken]).migrate(database, microsecondsSinceEpoch: 1)
        }
        #expect(error == .invalidSQL(message: "no such table: nowhere"))
        #expect(try Migrator.version(of: database) == 1)
        #expect(try database.first("SELECT count(*) FROM sqlite_schema WHERE name = 'half'") { $0.int(0) } == 0)
        #expect(try makeMigrator().migrate(database, microsecondsSinceEpoch: 2) == [2, 3])
    }

    @Test func `a table is rebuilt without losing its children`() throws {
        let database = try makeFamilyDatabase()
        try Migrator([Self.family, Self.rebuiltParents]).migrate(database, microsecondsSinceEpoch: 2)
        #expect(try database.rows("SELECT name FROM children ORDER BY name") { $0.text(0) } == ["ada", "bea"])
        let error = try sqliteError { try database.execute("INSERT INTO children VALUES (9, 'eve')") }
        #expect(error?.isConstraint(.foreignKey) == true)
        try database.execute("DELETE FROM parents WHERE id = 1")
        #expect(try database.rows("SELECT name FROM children") { $0.text(0) } == ["bea"])
    }

    @Test func `a step that leaves orphans is undone and foreign keys are on again`() throws {
        let database = try makeFamilyDatabase()
        let careless = Migration(version: 2, sql: "DELETE FROM parents WHERE id = 2")
        let error = try sqliteError {
            try Migrator([Self.family, careless]).migrate(database, microsecondsSinceEpoch: 2)
        }
        #expect(error == .constraint(.foreignKey, subject: "children to parents"))
        #expect(try Migrator.version(of: database) == 1)
        #expect(try database.first("SELECT count(*) FROM parents") { $0.int(0) } == 2)
        #expect(try database.first("PRAGMA foreign_keys") { $0.int(0) } == 1)
    }

    @Test func `a gap in the versions traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = Migrator([Migration(version: 1, sql: "SELECT 1"), Migration(version: 3, sql: "SELECT 1")])
        }
    }

    private static let family = Migration(
        version: 1,
        sql: """
            CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
            CREATE TABLE children (
                parent INTEGER NOT NULL REFERENCES parents (id) ON DELETE CASCADE, name TEXT NOT NULL
            ) STRICT;
            """
    )

    private static let rebuiltParents = Migration(
        version: 2,
        sql: """
            CREATE TABLE parents_rebuilt (id INTEGER PRIMARY KEY, age INTEGER) STRICT;
            INSERT INTO parents_rebuilt (id) SELECT id FROM parents;
            DROP TABLE parents;
            ALTER TABLE parents_rebuilt RENAME TO parents;
            """
    )

    private func makeFamilyDatabase() throws -> Database {
        let database = try makeDatabase()
        try Migrator([Self.family]).migrate(database, microsecondsSinceEpoch: 1)
        try database.executeScript(
            "INSERT INTO parents VALUES (1), (2); INSERT INTO children VALUES (1, 'ada'), (2, 'bea');"
        )
        return database
    }

    private func freshSchema() throws -> [String] {
        let database = try makeDatabase()
        try makeMigrator().migrate(database, microsecondsSinceEpoch: 1)
        return try schema(of: database)
    }

    private func schema(of database: Database) throws -> [String] {
        try database.rows("SELECT type || name || coalesce(sql, '') FROM sqlite_schema ORDER BY 1") { $0.text(0) }
    }
}
