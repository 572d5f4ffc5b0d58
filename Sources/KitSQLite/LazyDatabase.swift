package import NotifierKit
package import SQLite

/// A SQLite file of a client that is opened by its first use, and again when that did not succeed. Its owner keeps others out.
///
/// What is found damaged gives way to an empty database. Where what matters of it can still be read it is taken along, and nobody notices; otherwise
/// the call that finds it fails and says so, and the next one begins anew.
package struct LazyDatabase {
    /// Reads what matters of a damaged database, and returns what writes it into an empty one with the same tables.
    package typealias Rescue = @Sendable (_ damaged: Database) throws -> (_ empty: Database) throws -> Void

    private struct NothingLeft: Error {}

    private let path: String
    private let options: DatabaseOptions
    private let prepare: @Sendable () throws(KeyValueStoreError) -> Void
    private let makeTables: @Sendable (Database) throws -> Void
    private let rescue: Rescue
    private var database: Database?
    /// Whether what a former process left in the log is on the disk for certain.
    private var isLogSecured = false

    /// Opens nothing yet.
    ///
    /// - Parameters:
    ///   - path: as `Database` takes it.
    ///   - synchronous: when a commit counts as done.
    ///   - prepare: called before the file is opened, to make its folder.
    ///   - makeTables: makes those that are not there.
    ///   - rescue: throws where what matters cannot be read.
    package init(
        path: String,
        synchronous: DatabaseOptions.Synchronous,
        prepare: @escaping @Sendable () throws(KeyValueStoreError) -> Void,
        makeTables: @escaping @Sendable (Database) throws -> Void,
        rescue: @escaping Rescue = { _ in throw NothingLeft() }
    ) {
        (self.path, options) = (path, DatabaseOptions(synchronous: synchronous))
        (self.prepare, self.makeTables, self.rescue) = (prepare, makeTables, rescue)
    }

    /// Works on the open database.
    ///
    /// - Parameters:
    ///   - keeps: whether `body` writes what has to outlive a loss of power.
    ///   - body: the work; done again when it met damage from which what matters was rescued.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, as a store says it.
    package mutating func use<Result>(
        keeping keeps: Bool = false,
        _ body: (Database) throws -> Result
    ) throws(KeyValueStoreError) -> Result {
        do {
            do {
                return try body(try opened(securing: keeps))
            } catch SQLiteError.corrupt {
                try beginAnew()
                return try body(try opened(securing: keeps))
            }
        } catch let error as KeyValueStoreError {
            throw error
        } catch {
            throw KeyValueStoreError("\(path): \(error)")
        }
    }

    /// What a former process left in the log is made sure of before anything is built on it (`securing`). A disk that failed to sync may answer
    /// with what it will never keep, also to the next process (Rebello et al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020),
    /// and a loss of power would take back whatever follows. What is copied out of the log is written anew. While somebody else reads it, it stays.
    private mutating func opened(securing: Bool) throws -> Database {
        let database = try self.database ?? open()
        self.database = database
        if securing, !isLogSecured { isLogSecured = try database.emptyLog() }
        return database
    }

    private func open() throws -> Database {
        try prepare()
        let opened = try Database(path: path, options: options)
        try makeTables(opened)
        return opened
    }

    /// Lets an empty file take the place of the one that is damaged.
    ///
    /// - Throws: `KeyValueStoreError` when what was kept is lost, or when the file could not be emptied.
    private mutating func beginAnew() throws(KeyValueStoreError) {
        let restore = database.flatMap { try? rescue($0) }
        (database, isLogSecured) = (nil, false)
        do {
            let empty = try Database(emptying: path, options: options)
            try makeTables(empty)
            try restore?(empty)
            database = empty
        } catch {
            throw KeyValueStoreError("\(path): \(SQLiteError.corrupt) It could not be begun anew: \(error)")
        }
        guard restore == nil else { return }
        throw KeyValueStoreError("\(path): \(SQLiteError.corrupt)", hasBegunAnew: true)
    }
}
