import CSQLite

/// Why SQLite refused. Made in one place from the library's extended result codes (sqlite.org/rescode.html).
///
/// Neither description ever holds a bound value: a subject names tables and columns, and a message exists only for
/// text that failed before anything was bound to it.
package enum SQLiteError: Error, Hashable, Sendable {
    /// Which rule of the schema a row would break.
    package enum ConstraintKind: String, Hashable, Sendable, CaseIterable {
        case unique, primaryKey, notNull, check, foreignKey, datatype, trigger, rowID, other
    }

    /// A row would break the schema; `subject` names the columns or the rule, as far as SQLite does.
    case constraint(ConstraintKind, subject: String)
    /// Another connection holds a lock, for longer than the busy timeout.
    case busy
    /// The disk, or the database's own limit, is full.
    case full
    /// Reading or writing the file failed; the extended code says at which step.
    case ioError(code: Int32)
    /// The file is damaged, or is no database.
    case corrupt
    /// The file may be read but not written.
    case readOnly
    /// The file cannot be opened or created.
    case cannotOpen
    /// The library was called in a way it does not allow.
    case misuse
    /// The text is not SQL that this schema understands.
    case invalidSQL(message: String)
    /// The database was written by a newer program, which knows migrations that this one does not.
    case schemaTooNew(found: Int64, supported: Int64)
    /// A code that stands in no other case.
    case other(code: Int32)
}

extension SQLiteError {
    /// The error that an extended result code stands for. `message` is SQLite's own text for it.
    init(code: Int32, message: String = "") {
        switch code & 0xFF {
        case SQLITE_CONSTRAINT:
            let kind = ConstraintKind(code: code)
            self = .constraint(kind, subject: kind.subject(in: message))
        case SQLITE_BUSY: self = .busy
        case SQLITE_FULL: self = .full
        case SQLITE_IOERR: self = .ioError(code: code)
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
        case SQLITE_READONLY: self = .readOnly
        case SQLITE_CANTOPEN: self = .cannotOpen
        case SQLITE_MISUSE: self = .misuse
        default: self = .other(code: code)
        }
    }

    /// True for a broken rule of this kind, whatever its subject.
    func isConstraint(_ kind: ConstraintKind) -> Bool {
        guard case .constraint(kind, _) = self else { return false }
        return true
    }
}

extension SQLiteError.ConstraintKind {
    /// The primary code fills the low byte, the kind the next one (sqlite.org/rescode.html, "extended result codes").
    fileprivate init(code: Int32) {
        self =
            switch code >> 8 {
            case 1: .check
            case 3: .foreignKey
            case 5: .notNull
            case 6: .primaryKey
            case 7: .trigger
            case 8: .unique
            case 10: .rowID
            case 12: .datatype
            default: .other
            }
    }

    /// The part of SQLite's message that names columns or a rule. A trigger writes its own text, so that one is dropped.
    fileprivate func subject(in message: String) -> String {
        switch self {
        case .trigger, .other: ""
        case .datatype: Self.text(behind: " column ", in: message)
        default: Self.text(behind: " failed: ", in: message)
        }
    }

    private static func text(behind marker: String, in message: String) -> String {
        var rest = message[...]
        while !rest.isEmpty {
            if rest.hasPrefix(marker) { return String(rest.dropFirst(marker.count)) }
            rest = rest.dropFirst()
        }
        return ""
    }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .constraint(let kind, let subject):
            "The \(kind.rawValue) rule of the schema refused a row" + (subject.isEmpty ? "." : " (\(subject)).")
        case .busy: "The database is locked by another connection."
        case .full: "The disk is full."
        case .ioError(let code): "Reading or writing the database file failed (code \(code))."
        case .corrupt: "The file is damaged or is no SQLite database."
        case .readOnly: "The database file cannot be written."
        case .cannotOpen: "The database file cannot be opened or created."
        case .misuse: "SQLite was called in a way it does not allow."
        case .invalidSQL(let message): "SQLite does not understand a statement: \(message)."
        case .schemaTooNew(let found, let supported):
            "The database has schema version \(found), this program knows versions up to \(supported): "
                + "use the program that wrote it, or a newer one."
        case .other(let code): "SQLite failed (code \(code))."
        }
    }
}
