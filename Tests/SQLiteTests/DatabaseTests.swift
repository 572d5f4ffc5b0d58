import Testing

@testable import SQLite

struct DatabaseTests {
    @Test func `every kind of value comes back as it went in`() throws {
        let database = try makeDatabase()
        try database.execute("CREATE TABLE v (i INTEGER, b INTEGER, t TEXT, d BLOB, n TEXT) STRICT")
        try database.execute(
            "INSERT INTO v VALUES (?, ?, ?, ?, ?)",
            Int64.min,
            true,
            "h\u{0}é🙂",
            [0, 255] as [UInt8],
            nil as String?
        )
        let isExact = try database.first("SELECT i, b, t, d, n FROM v") { row in
            row.int64(0) == .min && row.bool(1) && row.text(2) == "h\u{0}é🙂" && row.blob(3) == [0, 255]
                && row.optionalText(4) == nil && row.columnCount == 5
        }
        #expect(isExact == true)
    }

    @Test func `empty text and an empty blob are not NULL`() throws {
        let database = try makeDatabase()
        let types = try database.first("SELECT typeof(?), typeof(?)", "", [] as [UInt8]) { [$0.text(0), $0.text(1)] }
        #expect(types == ["text", "blob"])
        #expect(try database.first("SELECT ?", [] as [UInt8]) { $0.blob(0) } == [])
        #expect(try database.first("SELECT ?", "") { $0.optionalText(0) } == "")
    }

    @Test func `rows come in the order the statement gives them`() throws {
        let database = try makeItemsDatabase()
        for name in ["b", "c", "a"] {
            try database.execute("INSERT INTO items (name) VALUES (?)", name)
        }
        #expect(try database.rows("SELECT name FROM items ORDER BY name DESC") { $0.text(0) } == ["c", "b", "a"])
        var ids: [Int64] = []
        try database.query("SELECT id FROM items WHERE id > ? ORDER BY id", 1) { ids.append($0.int64(0)) }
        #expect(ids == [2, 3])
        #expect(try database.first("SELECT name FROM items WHERE id = ?", 9) { $0.text(0) } == nil)
    }

    @Test func `changes and the last row id follow the last statement`() throws {
        let database = try makeItemsDatabase()
        try database.execute("INSERT INTO items (id, name) VALUES (?, ?)", 41, "a")
        try database.execute("INSERT INTO items (name) VALUES (?)", "b")
        #expect(database.lastInsertRowID == 42)
        #expect(try database.execute("UPDATE items SET note = ?", [1] as [UInt8]) == 2)
        #expect(database.changes == 2)
    }

    @Test func `a statement that returns rows commits them`() throws {
        let database = try makeItemsDatabase()
        let id = try database.first("INSERT INTO items (name) VALUES (?) RETURNING id", "a") { $0.int64(0) }
        #expect(id == 1)
        #expect(try database.first("SELECT count(*) FROM items") { $0.int(0) } == 1)
    }

    @Test func `text put together at run time takes an array of values`() throws {
        let database = try makeItemsDatabase()
        for name in ["a", "b", "c"] {
            try database.execute("INSERT INTO items (name) VALUES (?)", name)
        }
        let names = ["a", "c", "x"]
        let placeholders = names.map { _ in "?" }.joined(separator: ", ")
        let sql = SQL(text: "SELECT id FROM items WHERE name IN (\(placeholders)) ORDER BY id")
        #expect(try database.rows(sql, bindings: names) { $0.int64(0) } == [1, 3])
    }

    @Test func `a statement may run again while its own rows are being read`() throws {
        let database = try makeItemsDatabase()
        for name in ["a", "b"] {
            try database.execute("INSERT INTO items (name) VALUES (?)", name)
        }
        let sql: SQL = "SELECT id FROM items ORDER BY id"
        var pairs: [[Int64]] = []
        try database.query(sql) { outer in
            let id = outer.int64(0)
            try database.query(sql) { inner in pairs.append([id, inner.int64(0)]) }
        }
        #expect(pairs == [[1, 1], [1, 2], [2, 1], [2, 2]])
    }

    @Test func `foreign keys are enforced`() throws {
        let database = try makeItemsDatabase()
        try database.execute("CREATE TABLE tags (item INTEGER NOT NULL REFERENCES items (id)) STRICT")
        let error = try sqliteError { try database.execute("INSERT INTO tags VALUES (7)") }
        #expect(error?.isConstraint(.foreignKey) == true)
    }
}

struct TransactionTests {
    private struct Refusal: Error {}

    @Test func `what a transaction wrote stays`() throws {
        let database = try makeItemsDatabase()
        let id = try database.transaction {
            try database.execute("INSERT INTO items (name) VALUES (?)", "a")
            return database.lastInsertRowID
        }
        #expect(try database.first("SELECT name FROM items WHERE id = ?", id) { $0.text(0) } == "a")
    }

    @Test func `a transaction that throws leaves nothing behind`() throws {
        let database = try makeItemsDatabase()
        #expect(throws: Refusal.self) {
            try database.transaction {
                try database.execute("INSERT INTO items (name) VALUES (?)", "a")
                throw Refusal()
            }
        }
        #expect(try database.first("SELECT count(*) FROM items") { $0.int(0) } == 0)
        #expect(try database.transaction { 3 } == 3, "the next transaction begins cleanly")
    }

    @Test func `a commit that fails is rolled back and reported`() throws {
        let database = try makeItemsDatabase()
        try database.execute(
            "CREATE TABLE tags (item INTEGER NOT NULL REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED) STRICT"
        )
        let error = try sqliteError {
            try database.transaction { try database.execute("INSERT INTO tags VALUES (7)") }
        }
        #expect(error?.isConstraint(.foreignKey) == true)
        #expect(try database.first("SELECT count(*) FROM tags") { $0.int(0) } == 0)
    }

    @Test func `a transaction inside a transaction traps`() async {
        await #expect(processExitsWith: .failure) {
            let database = try Database(path: ":memory:")
            try database.transaction { try database.transaction {} }
        }
    }

    @Test func `a snapshot sees nothing of what another connection writes meanwhile, and lets it write`() throws {
        try withTemporaryDirectory { folder in
            let options = DatabaseOptions(busyTimeout: .zero)
            let reader = try Database(path: "\(folder)/db", options: options)
            let writer = try Database(path: "\(folder)/db", options: options)
            try writer.execute("CREATE TABLE t (i INTEGER) STRICT")
            func count() throws -> Int? { try reader.first("SELECT count(*) FROM t") { $0.int(0) } }
            try reader.snapshot {
                #expect(try count() == 0)
                try writer.transaction { try writer.execute("INSERT INTO t VALUES (1)") }
                #expect(try count() == 0)
            }
            #expect(try count() == 1)
            #expect(throws: SQLiteError.self) { try reader.snapshot { try reader.execute("SELECT no FROM t") } }
            #expect(!reader.isInTransaction)
            #expect(try reader.snapshot { try count() } == 1)
        }
    }

    @Test func `another connection that writes meets busy`() throws {
        let options = DatabaseOptions(busyTimeout: .zero)
        let first = try Database(path: "file:/busy-test?vfs=memdb", options: options)
        let second = try Database(path: "file:/busy-test?vfs=memdb", options: options)
        try first.execute("CREATE TABLE t (a INTEGER) STRICT")
        #expect(try second.first("SELECT count(*) FROM t") { $0.int(0) } == 0)
        let error = try sqliteError {
            try first.transaction {
                try first.execute("INSERT INTO t VALUES (1)")
                try second.execute("INSERT INTO t VALUES (2)")
            }
        }
        #expect(error == .busy)
        #expect(try second.first("SELECT count(*) FROM t") { $0.int(0) } == 0)
    }
}
