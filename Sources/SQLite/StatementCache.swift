/// The prepared statements of one connection, by text. Holds at most `capacity`; at the bound the one unused for longest
/// leaves.
struct StatementCache {
    let capacity: Int
    private var statements: [SQL: Statement] = [:]
    private var uses: UInt64 = 0

    init(capacity: Int) {
        precondition(capacity > 0, "a statement cache holds at least one statement")
        self.capacity = capacity
    }

    var count: Int { statements.count }

    /// The cached statement for `sql`, unless it is running.
    mutating func take(_ sql: SQL) -> Statement? {
        guard let statement = statements[sql], !statement.isRunning else { return nil }
        uses += 1
        statement.lastUse = uses
        return statement
    }

    /// Keeps `statement`, unless one with the same text is there already.
    mutating func insert(_ statement: Statement) {
        guard statements[statement.sql] == nil else { return }
        if statements.count >= capacity { removeOldest() }
        uses += 1
        statement.lastUse = uses
        statements[statement.sql] = statement
    }

    /// Forgets `statement`; another one with the same text stays.
    mutating func remove(_ statement: Statement) {
        guard statements[statement.sql] === statement else { return }
        statements[statement.sql] = nil
    }

    mutating func removeAll() {
        statements.removeAll()
    }

    /// A scan: it happens only when a new text meets a full cache, and preparing that text costs more.
    private mutating func removeOldest() {
        let oldest = statements.values.min { $0.lastUse < $1.lastUse }
        if let oldest { statements[oldest.sql] = nil }
    }
}
