package import NotifierKit
package import SQLite

/// A SQLite file of a client that is opened by its first use, and again when that did not succeed. Its owner keeps others out.
package struct LazyDatabase {
    private let path: String
    private let prepare: @Sendable () throws(KeyValueStoreError) -> Void
    private let open: @Sendable (_ path: String) throws -> Database
    private var database: Database?

    /// Opens nothing yet.
    ///
    /// - Parameters:
    ///   - path: as `Database` takes it.
    ///   - prepare: called before the file is opened first, to make its folder.
    ///   - open: opens it, and makes its tables.
    package init(
        path: String,
        prepare: @escaping @Sendable () throws(KeyValueStoreError) -> Void,
        open: @escaping @Sendable (_ path: String) throws -> Database
    ) {
        (self.path, self.prepare, self.open) = (path, prepare, open)
    }

    /// Works on the open database.
    ///
    /// - Throws: what `body` throws, as a store says it.
    package mutating func use<Result>(_ body: (Database) throws -> Result) throws(KeyValueStoreError) -> Result {
        do {
            if database == nil {
                try prepare()
                database = try open(path)
            }
            guard let database else { throw KeyValueStoreError("it was not opened") }
            return try body(database)
        } catch let error as KeyValueStoreError {
            throw error
        } catch {
            throw KeyValueStoreError("\(path): \(error)")
        }
    }
}
