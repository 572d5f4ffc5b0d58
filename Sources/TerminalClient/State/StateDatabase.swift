import FoundationEssentials
import NotifierKit
import SQLite

/// What the program remembers, in a SQLite file that several processes of it use at once: each change is one transaction.
actor StateDatabase: KeyValueStore {
    private let path: String
    private let prepare: @Sendable () throws(KeyValueStoreError) -> Void
    private var database: Database?

    /// Opens nothing before the first use, and lets `prepare` make its folder then.
    init(path: String, prepare: @escaping @Sendable () throws(KeyValueStoreError) -> Void) {
        (self.path, self.prepare) = (path, prepare)
    }

    func value(for key: String) throws(KeyValueStoreError) -> Data? {
        try carryOut { try Self.value(for: key, in: $0) }
    }

    func update<Result: Sendable>(
        _ key: String,
        _ change: @Sendable (inout Data?) -> Result
    ) throws(KeyValueStoreError) -> Result {
        try carryOut { database in
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

    private func carryOut<Result>(_ body: (Database) throws -> Result) throws(KeyValueStoreError) -> Result {
        do {
            if database == nil {
                try prepare()
                database = try Self.open(path)
            }
            guard let database else { throw KeyValueStoreError("it was not opened") }
            return try body(database)
        } catch let error as KeyValueStoreError {
            throw error
        } catch {
            throw KeyValueStoreError("\(path): \(error)")
        }
    }

    private static func open(_ path: String) throws -> Database {
        // A loss of power may undo the last choices, and damages nothing.
        let database = try Database(path: path, options: DatabaseOptions(synchronous: .normal))
        try database.execute(
            "CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) STRICT"
        )
        return database
    }
}
