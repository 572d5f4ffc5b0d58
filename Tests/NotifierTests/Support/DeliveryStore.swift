import Platform
import SQLite

@testable import Notifier

/// A wall time in tests: Monday, 2 March 2026, 09:00 UTC.
let deliveryStart = WallTime(secondsSinceEpoch: 1_772_442_000)

/// A migrated database in memory.
func makeDeliveryDatabase() throws -> sending Database {
    let database = try Database(path: ":memory:", options: DatabaseOptions(busyTimeout: .zero))
    try Store.migrate(database, at: deliveryStart)
    return database
}

/// A store of its own in memory, for tests without concurrency.
func makeDeliveryStore() throws -> Store {
    Store(try makeDeliveryDatabase())
}
