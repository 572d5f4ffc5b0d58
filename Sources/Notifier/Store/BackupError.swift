/// Why a copy is no backup.
package enum BackupError: Error, Equatable {
    /// SQLite finds its structure damaged.
    case damaged
    /// It lacks rows that the database had, or all of them.
    case incomplete
    /// It is not a database of the notifier.
    case foreign
    /// A program is using it, so that a copy of the file would lack something.
    case inUse
    /// A file or folder cannot be used; the system's error number.
    case folder(step: String, code: Int32)
}
