import CSQLite

/// The row at which a statement stands. It cannot leave the closure that receives it; what it returns are copies.
///
/// Columns count from 0. Asking for another type than the column holds, or for a column that is not there, traps: with
/// a `STRICT` schema both are mistakes in the program.
package struct Row: ~Copyable {
    private let handle: OpaquePointer

    init(_ statement: Statement) {
        handle = statement.handle
    }

    /// How many columns there are.
    var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// True when the column holds NULL.
    func isNull(_ column: Int32) -> Bool {
        type(of: column) == SQLITE_NULL
    }

    /// An integer.
    package func int64(_ column: Int32) -> Int64 {
        expect(SQLITE_INTEGER, in: column)
        return sqlite3_column_int64(handle, column)
    }

    /// An integer, as the machine counts.
    package func int(_ column: Int32) -> Int {
        Int(int64(column))
    }

    /// True unless the column holds 0.
    package func bool(_ column: Int32) -> Bool {
        int64(column) != 0
    }

    /// Text; bytes that are not UTF-8 are replaced by U+FFFD.
    package func text(_ column: Int32) -> String {
        expect(SQLITE_TEXT, in: column)
        // Only an allocation failure gives no address; the size is read after the conversion that `text` may bring.
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Bytes.
    package func blob(_ column: Int32) -> [UInt8] {
        expect(SQLITE_BLOB, in: column)
        // A blob without bytes has no address.
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// An integer, or nil for NULL.
    package func optionalInt64(_ column: Int32) -> Int64? {
        isNull(column) ? nil : int64(column)
    }

    /// Text, or nil for NULL.
    package func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    private func type(of column: Int32) -> Int32 {
        let type = sqlite3_column_type(handle, column)
        precondition(
            type != SQLITE_NULL || column >= 0 && column < sqlite3_column_count(handle),
            "a row has no column \(column)"
        )
        return type
    }

    private func expect(_ expected: Int32, in column: Int32) {
        let found = type(of: column)
        precondition(found == expected, "column \(column) has storage class \(found), not \(expected)")
    }
}
