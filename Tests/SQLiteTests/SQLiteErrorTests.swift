import Testing

@testable import SQLite

struct SQLiteErrorTests {
    /// The codes of sqlite.org/rescode.html.
    @Test(
        arguments: [
            (5, SQLiteError.busy), (261, .busy), (517, .busy),
            (13, .full),
            (10, .ioError(code: 10)), (266, .ioError(code: 266)), (778, .ioError(code: 778)),
            (11, .corrupt), (267, .corrupt), (26, .corrupt),
            (8, .readOnly), (1_032, .readOnly),
            (14, .cannotOpen), (270, .cannotOpen),
            (21, .misuse),
            (19, .constraint(.other, subject: "")),
            (275, .constraint(.check, subject: "")),
            (787, .constraint(.foreignKey, subject: "")),
            (1_299, .constraint(.notNull, subject: "")),
            (1_555, .constraint(.primaryKey, subject: "")),
            (1_811, .constraint(.trigger, subject: "")),
            (2_067, .constraint(.unique, subject: "")),
            (2_579, .constraint(.rowID, subject: "")),
            (3_091, .constraint(.datatype, subject: "")),
            (7, .other(code: 7)), (6, .other(code: 6)), (9, .other(code: 9)),
        ] as [(Int32, SQLiteError)]
    )
    func `each code becomes its error`(code: Int32, expected: SQLiteError) {
        #expect(SQLiteError(code: code) == expected)
    }

    @Test(
        arguments: [
            ("INSERT INTO t (a, b) VALUES (1, 'x')", SQLiteError.constraint(.unique, subject: "t.a")),
            ("INSERT INTO t (b) VALUES ('x')", .constraint(.notNull, subject: "t.a")),
            ("INSERT INTO t (a, b) VALUES (2, 'long')", .constraint(.check, subject: "length(b) < 3")),
            ("INSERT INTO t (a, b) VALUES ('text', 'x')", .constraint(.datatype, subject: "t.a")),
            ("INSERT INTO k VALUES ('one')", .constraint(.primaryKey, subject: "k.name")),
            ("INSERT INTO t (a, b) VALUES (-1, 'x')", .constraint(.trigger, subject: "")),
        ] as [(String, SQLiteError)]
    )
    func `a broken rule is named with its kind and columns`(text: String, expected: SQLiteError) throws {
        let database = try makeDatabase()
        try database.executeScript(
            """
            CREATE TABLE t (a INTEGER NOT NULL UNIQUE, b TEXT NOT NULL CHECK (length(b) < 3)) STRICT;
            CREATE TABLE k (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
            CREATE TRIGGER positive BEFORE INSERT ON t WHEN NEW.a < 0 BEGIN SELECT RAISE(ABORT, 'negative'); END;
            INSERT INTO t VALUES (1, 'x');
            INSERT INTO k VALUES ('one');
            """
        )
        #expect(try sqliteError { try database.execute(SQL(text: text)) } == expected)
    }

    @Test func `neither description shows a bound value`() throws {
        let database = try makeItemsDatabase()
        let secret = "glpat-secret"
        try database.execute("INSERT INTO items (name) VALUES (?)", secret)
        let error = try #require(
            try sqliteError { try database.execute("INSERT INTO items (name) VALUES (?)", secret) }
        )
        #expect(error == .constraint(.unique, subject: "items.name"))
        #expect(!String(describing: error).contains(secret))
        #expect(!String(reflecting: error).contains(secret))
    }

    @Test func `text that is no SQL is refused with SQLite's own words`() throws {
        let database = try makeDatabase()
        let error = try sqliteError { try database.execute("SELECT * FROM nowhere") }
        #expect(error == .invalidSQL(message: "no such table: nowhere"))
    }

    @Test func `a full database says so`() throws {
        let database = try makeItemsDatabase()
        try database.execute("PRAGMA max_page_count = 8")
        let error = try sqliteError {
            for number in 0..<100 {
                try database.execute(
                    "INSERT INTO items (name, note) VALUES (?, zeroblob(4000))",
                    "name \(number)"
                )
            }
        }
        #expect(error == .full)
    }

    @Test func `two statements in one text trap`() async {
        await #expect(processExitsWith: .failure) {
            try Database(path: ":memory:").execute("SELECT 1; SELECT 2")
        }
    }

    @Test func `a missing value traps`() async {
        await #expect(processExitsWith: .failure) {
            try Database(path: ":memory:").execute("SELECT ?")
        }
    }
}
