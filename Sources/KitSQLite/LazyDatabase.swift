package import NotifierKit
package import SQLite

/// A SQLite file of a client that is opened by its first use, and again when that did not succeed. Its owner keeps others out.
///
/// What is found damaged gives way to an empty database: the call that finds it fails and says so, the next one begins anew.
package struct LazyDatabase {
    private let path: String
    private let options: DatabaseOptions
    private let prepare: @Sendable () throws(KeyValueStoreError) -> Void
    private let makeTables: @Sendable (Database) throws -> Void
    private var database: Database?

    /// Opens nothing yet.
    ///
    /// - Parameters:
    ///   - path: as `Database` takes it.
    ///   - synchronous: when a commit counts as done.
    ///   - prepare: called before the file is opened, to make its folder.
    ///   - makeTables: makes those that are not there.
    package init(
        path: String,
        synchronous: DatabaseOptions.Synchronous,
        prepare: @escaping @Sendable () throws(KeyValueStoreError) -> Void,
        makeTables: @escaping @Sendable (Database) throws -> Void
    ) {
        (self.path, options) = (path, DatabaseOptions(synchronous: synchronous))
        (self.prepare, self.makeTables) = (prepare, makeTables)
    }

    /// Works on the open database.
    ///
    /// - Throws: what `body` throws, as a store says it.
    package mutating func use<Result>(_ body: (Database) throws -> Result) throws(KeyValueStoreError) -> Result {
        do {
            return try body(try opened())
        } catch let error as KeyValueStoreError {
            throw error
        } catch SQLiteError.corrupt {
            throw beginAnew()
        } catch {
            throw KeyValueStoreError("\(path): \(error)")
        }
    }

    private mutating func opened() throws -> Database {
        if let database { return database }
        try prepare()
        let opened = try Database(path: path, options: options)
        try makeTables(opened)
        database = opened
        return opened
    }

    /// Says what has become of the file that is damaged.
    private mutating func beginAnew() -> KeyValueStoreError {
        database = nil
        do {
            let empty = try Database(emptying: path, options: options)
            try makeTables(empty)
            database = empty
            return KeyValueStoreError("\(path): \(SQLiteError.corrupt)", hasBegunAnew: true)
        } catch {
            return KeyValueStoreError("\(path): \(SQLiteError.corrupt) It could not be begun anew: \(error)")
        }
    }
}
