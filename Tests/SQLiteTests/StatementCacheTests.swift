import Testing

@testable import SQLite

struct StatementCacheTests {
    @Test func `a statement is prepared once`() throws {
        let database = try makeItemsDatabase()
        let before = database.cachedStatementCount
        for number in 1...5 {
            try database.execute("INSERT INTO items (name) VALUES (?)", "name \(number)")
        }
        #expect(database.cachedStatementCount == before + 1)
    }

    @Test func `the cache keeps to its bound`() throws {
        let database = try makeDatabase(options: DatabaseOptions(statementCacheCapacity: 4))
        for number in 1...20 {
            #expect(try database.first(SQL(text: "SELECT \(number)")) { $0.int(0) } == number)
        }
        #expect(database.cachedStatementCount == 4)
    }

    @Test func `a failed statement leaves the cache and works again`() throws {
        let database = try makeItemsDatabase()
        let insert: SQL = "INSERT INTO items (name) VALUES (?)"
        try database.execute(insert, "a")
        let before = database.cachedStatementCount
        let error = try sqliteError { try database.execute(insert, "a") }
        #expect(error?.isConstraint(.unique) == true)
        #expect(database.cachedStatementCount == before - 1)
        try database.execute(insert, "b")
        #expect(database.cachedStatementCount == before)
    }

    @Test func `a closure that throws ends its statement`() throws {
        struct Refusal: Error {}
        let database = try makeItemsDatabase()
        try database.execute("INSERT INTO items (name) VALUES ('a'), ('b')")
        #expect(throws: Refusal.self) {
            try database.query("SELECT id FROM items") { _ in throw Refusal() }
        }
        // A statement still standing on a row would keep the table from being dropped.
        try database.execute("DROP TABLE items")
    }

    @Test func `a changed schema is noticed by a cached statement`() throws {
        let database = try makeItemsDatabase()
        try database.execute("INSERT INTO items (name) VALUES ('a')")
        let select: SQL = "SELECT * FROM items"
        #expect(try database.first(select) { $0.columnCount } == 3)
        try database.execute("ALTER TABLE items ADD COLUMN extra TEXT")
        #expect(try database.first(select) { $0.columnCount } == 4)
    }
}
