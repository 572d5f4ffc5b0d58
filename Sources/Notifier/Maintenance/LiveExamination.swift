import Glibc
package import SQLite

extension Maintenance {
    /// What a look at a database before its first use came to.
    package enum Examination: Sendable, Equatable {
        /// There is no file: a new one may be made.
        case absent
        /// It is whole, as far as it was read.
        case sound
        /// It has the right tables; the rest was not read because it is too large.
        case unread(bytes: Int)
    }

    /// Why a database is not used.
    package enum DatabaseFault: Error, Equatable {
        /// A file without a byte, which SQLite would take for a new database.
        case empty
        /// SQLite finds it broken; what it says of it, without any value.
        case damaged(String)
        /// It has not the tables of a notifier.
        case foreign
        /// It is of a newer program.
        case tooNew(found: Int64, supported: Int64)
    }

    /// Up to here everything is compared with everything, indexes with their tables too: 0.2 s of one core for 100 MB.
    private static let fullLimitBytes = 256 * 1_048_576
    /// Up to here at least the structure is read: 0.1 s for 100 MB, or what the disk takes, well within systemd's patience.
    private static let structureLimitBytes = 1_024 * 1_048_576

    /// Looks whether the database at `path`, which no server is using, can be worked with, and changes neither it nor its log.
    ///
    /// - Throws: `DatabaseFault`, or `SQLiteError` for a file that cannot be read.
    package static func examine(_ path: String) throws -> Examination {
        var status = stat()
        guard stat(path, &status) == 0 else { return .absent }
        guard status.st_size > 0 else { throw DatabaseFault.empty }
        return try examine(bytes: Int(status.st_size)) {
            try Database(path: path, options: DatabaseOptions(isReadOnly: true))
        }
    }

    /// Looks whether a database of so many bytes can be worked with, and changes neither it nor its log.
    ///
    /// - Parameters:
    ///   - bytes: its length; above some length not everything is read.
    ///   - open: opens it for reading.
    /// - Returns: what the look came to.
    /// - Throws: `DatabaseFault`, or `SQLiteError` for a file that cannot be read.
    package static func examine(bytes: Int, opening open: () throws -> Database) throws -> Examination {
        do {
            return try examine(open(), bytes: bytes)
        } catch let error as SQLiteError {
            throw Self.fault(error)
        }
    }

    private static func examine(_ database: Database, bytes: Int) throws -> Examination {
        let version = try Migrator.version(of: database)
        let supported = Int64(Schema.migrations.count)
        guard version <= supported else { throw DatabaseFault.tooNew(found: version, supported: supported) }
        // Also of a file in which a first start got no further than its header.
        guard try SchemaComparison.matches(database, version: Int(version)) else { throw DatabaseFault.foreign }
        guard bytes <= structureLimitBytes else { return .unread(bytes: bytes) }
        let complaint =
            try bytes <= fullLimitBytes
            ? Store(database).integrityComplaint()
            : database.first("PRAGMA quick_check(1)") { $0.text(0) }
        if let complaint, complaint != "ok" { throw DatabaseFault.damaged(String(complaint.prefix(200))) }
        return .sound
    }

    /// An error of SQLite's that tells of what stands in the file is a fault of the file.
    private static func fault(_ error: SQLiteError) -> any Error {
        switch error {
        case .corrupt, .invalidSQL, .constraint, .misuse: DatabaseFault.damaged(error.description)
        case .schemaTooNew(let found, let supported): DatabaseFault.tooNew(found: found, supported: supported)
        case .busy, .full, .ioError, .readOnly, .cannotOpen, .other: error
        }
    }
}

extension Maintenance.DatabaseFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "is empty"
        case .damaged(let complaint): "is damaged: \(complaint)"
        case .foreign: "has not the tables of a notifier, or not all of them"
        case .tooNew(let found, let supported):
            "is of a newer program: its version is \(found), this program knows up to \(supported)"
        }
    }
}
