package import SQLite

/// Where backups of the database go: a folder on a disk, or memory in tests.
package protocol BackupDestination: Sendable {
    /// The names of the backups there are, in any order. What is unfinished has none.
    func names() throws -> [String]

    /// The names under which something was begun that is not finished, in any order.
    func unfinished() throws -> [String]

    /// Makes an empty place for a backup that is about to be written, readable for nobody else, in place of what an earlier failure
    /// left there; returns the path for SQLite.
    func begin(_ name: String) throws -> String

    /// Opens what was begun under `name`, to look whether it is good.
    func open(_ name: String) throws -> Database

    /// Makes what was begun durable, and visible under its name, in one step. Returns its size in bytes.
    func finish(_ name: String) throws -> Int

    /// Removes a backup, or what was begun under its name; one that is not there is no error.
    func remove(_ name: String) throws
}
