import FoundationEssentials
import KitSQLite
import NotifierKit
import SQLite

/// What the program remembers, in a SQLite file that several processes of it use at once: each change is one transaction.
actor StateDatabase: KeyValueStore {
    private var database: LazyDatabase

    /// Opens nothing before the first use, and lets `prepare` make its folder then.
    init(path: String, prepare: @escaping @Sendable () throws(KeyValueStoreError) -> Void) {
        // A loss of power may undo the last choices, and damages nothing.
        database = LazyDatabase(path: path, synchronous: .normal, prepare: prepare) { try Self.makeTables(in: $0) }
    }

    func value(for key: String) throws(KeyValueStoreError) -> Data? {
        try database.use { try Self.value(for: key, in: $0) }
    }

    func update<Result: Sendable>(
        _ key: String,
        _ change: @Sendable (inout Data?) -> Result
    ) throws(KeyValueStoreError) -> Result {
        try database.use { database in
            try database.transaction {
                let before = try Self.value(for: key, in: database)
                var value = before
                let result = change(&value)
                guard value != before else { return result }
                if let value {
                    try database.execute(
                        "INSERT INTO state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                        key,
                        Array(value)
                    )
                } else {
                    try database.execute("DELETE FROM state WHERE key = ?", key)
                }
                return result
            }
        }
    }

    private static func value(for key: String, in database: Database) throws -> Data? {
        try database.first("SELECT value FROM state WHERE key = ?", key) { Data($0.blob(0)) }
    }

    private static func makeTables(in database: Database) throws {
        try database.execute(
            "CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) STRICT"
        )
    }
}
