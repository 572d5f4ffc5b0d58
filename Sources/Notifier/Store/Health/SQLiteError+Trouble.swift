import SQLite

extension SQLiteError {
    /// What is wrong with the file or the disk; nil for an error that lies with what was asked.
    var storeTrouble: StoreHealth.Reason? {
        switch self {
        case .full: .full
        case .ioError, .cannotOpen: .ioError
        case .readOnly: .readOnly
        case .busy: .locked
        case .corrupt: .damaged
        // SQLITE_ERROR: a statement that has become wrong, since somebody changed the tables under it.
        case .other(let code) where code & 0xFF == 1: nil
        case .other: .other
        case .constraint, .misuse, .invalidSQL, .schemaTooNew: nil
        }
    }
}
