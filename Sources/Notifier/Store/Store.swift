import Platform
import SQLite

/// The tables of the notifier as typed queries, one extension per area. Lives only inside ``StoreActor``'s closures.
struct Store {
    let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Brings the database to this program's schema.
    ///
    /// - Throws: `SQLiteError`, such as `schemaTooNew`.
    static func migrate(_ database: Database, at now: WallTime) throws {
        try Migrator(Schema.migrations).migrate(database, microsecondsSinceEpoch: now.microseconds)
    }
}

extension WallTime: SQLiteBindable {
    var sqliteValue: SQLiteValue { .integer(microseconds) }
}

extension AccountID: SQLiteBindable {
    var sqliteValue: SQLiteValue { .integer(rawValue) }
}

extension DeviceID: SQLiteBindable {
    var sqliteValue: SQLiteValue { .integer(rawValue) }
}

extension WatchID: SQLiteBindable {
    var sqliteValue: SQLiteValue { .integer(rawValue) }
}

extension ProjectID: SQLiteBindable {
    var sqliteValue: SQLiteValue { .integer(rawValue) }
}

extension NotificationID: SQLiteBindable {
    var sqliteValue: SQLiteValue { .integer(rawValue) }
}

extension DeliveryID: SQLiteBindable {
    var sqliteValue: SQLiteValue { .integer(rawValue) }
}

extension ItemKind: SQLiteBindable {
    var sqliteValue: SQLiteValue { .text(rawValue) }
}

extension Row {
    /// The column as an instant.
    borrowing func wallTime(_ column: Int32) -> WallTime { WallTime(microseconds: int64(column)) }

    /// The column as an instant, or nil for NULL.
    borrowing func optionalWallTime(_ column: Int32) -> WallTime? {
        optionalInt64(column).map { WallTime(microseconds: $0) }
    }
}
