package import Platform
package import SQLite

/// Work on a database that no server of this process has: what the commands of `notifierd` do.
package enum Maintenance {
    /// What was found in a database or its copy.
    package struct Summary: Sendable, Equatable {
        var schemaVersion: Int64
        /// Over all tables.
        package var rows: Int
        package var bytes: Int
    }

    /// Copies the database at `path` into `folder`, and looks whether the copy is good before it gets its name. A server may be using
    /// the database, and goes on with it meanwhile.
    ///
    /// - Returns: The name of the copy, and what it holds.
    /// - Throws: `BackupError`, `SQLiteError`.
    package static func backUp(
        _ path: String,
        to folder: LiveBackupFolder,
        at now: WallTime
    ) throws -> (name: String, summary: Summary) {
        let name = BackupSchedule.name(at: now)
        let place = try folder.begin(name)
        do {
            let database = try Database(path: path)
            let version = try checkedVersion(of: database)
            try Store(database).copy(to: place)
            let rows = try Store(folder.open(name)).verify()
            let bytes = try folder.finish(name)
            return (name, Summary(schemaVersion: version, rows: rows, bytes: bytes))
        } catch {
            // The error that led here is the one to report.
            try? folder.remove(name)
            throw error
        }
    }

    /// Copies a database to which nobody is writing to an empty place, and looks whether the copy is good.
    ///
    /// - Parameters:
    ///   - database: what is copied; no transaction is open on it.
    ///   - place: a path for SQLite.
    ///   - open: opens what stands there then.
    /// - Throws: `BackupError`, `SQLiteError`.
    package static func copy(_ database: Database, to place: String, opening open: () throws -> Database) throws {
        _ = try checkedVersion(of: database)
        try Store(database).copy(to: place)
        try Store(open()).verify(Store(database).rowCounts())
    }

    /// Makes a copy of a backup fit to take the place of `former`: it is looked through, and what apps compare to learn of news leaps ahead
    /// (``AccountVersions``).
    ///
    /// A former database that is damaged cannot tell how far it had come; then the clock alone says where to go on.
    ///
    /// - Throws: `BackupError`, `SQLiteError`.
    package static func prepare(_ copy: Database, toReplace former: Database?, at now: WallTime) throws {
        _ = try inspect(copy)
        try leap(copy, over: former.flatMap { try? Store($0).highestVersion() }, at: now)
    }

    /// Anything may stand in the file. What passes has this program's tables, whole, and rows that keep to them.
    static func inspect(_ database: Database) throws -> (version: Int64, rows: Int) {
        let version = try checkedVersion(of: database)
        try SchemaComparison.check(database, version: Int(version))
        guard try Store(database).integrityComplaint() == nil else { throw BackupError.damaged }
        return (version, try Store(database).rowCounts().values.reduce(0, +))
    }

    static func leap(_ database: Database, over former: Int64?, at now: WallTime) throws {
        try database.transaction { try Store(database).leapVersions(over: former, at: now) }
    }

    /// The version of a notifier's database that this program can use.
    ///
    /// - Throws: `BackupError.foreign` for another database, `SQLiteError.schemaTooNew`.
    static func checkedVersion(of database: Database) throws -> Int64 {
        let (version, supported) = (try Migrator.version(of: database), Int64(Schema.migrations.count))
        guard version > 0 else { throw BackupError.foreign }
        guard version <= supported else { throw SQLiteError.schemaTooNew(found: version, supported: supported) }
        return version
    }
}
