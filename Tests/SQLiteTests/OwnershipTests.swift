import SQLite
import Testing

struct OwnershipTests {
    private actor Store {
        private let database: Database

        init(_ database: sending Database) {
            self.database = database
        }

        func addAll(_ names: [String]) throws -> Int {
            try database.transaction {
                for name in names { try database.execute("INSERT INTO items (name) VALUES (?)", name) }
                return try database.first("SELECT count(*) FROM items") { $0.int(0) } ?? 0
            }
        }
    }

    @Test func `an actor can own a database`() async throws {
        let database = try Database(path: ":memory:")
        try database.execute("CREATE TABLE items (name TEXT NOT NULL) STRICT")
        let store = Store(database)
        #expect(try await store.addAll(["a", "b"]) == 2)
    }
}
