/// The same calls with values written one after the other.
extension Database {
    /// Runs one statement; see `execute(_:bindings:)`.
    @discardableResult
    package func execute(_ sql: SQL, _ bindings: any SQLiteBindable...) throws -> Int {
        try execute(sql, bindings: bindings)
    }

    /// Gives `body` each row; see `query(_:bindings:_:)`.
    package func query(
        _ sql: SQL,
        _ bindings: any SQLiteBindable...,
        body: (borrowing Row) throws -> Void
    ) throws {
        try query(sql, bindings: bindings, body)
    }

    /// What `decode` makes of each row; see `rows(_:bindings:_:)`.
    package func rows<Element>(
        _ sql: SQL,
        _ bindings: any SQLiteBindable...,
        decode: (borrowing Row) throws -> Element
    ) throws -> [Element] {
        try rows(sql, bindings: bindings, decode)
    }

    /// What `decode` makes of the first row; see `first(_:bindings:_:)`.
    package func first<Element>(
        _ sql: SQL,
        _ bindings: any SQLiteBindable...,
        decode: (borrowing Row) throws -> Element
    ) throws -> Element? {
        try first(sql, bindings: bindings, decode)
    }
}
