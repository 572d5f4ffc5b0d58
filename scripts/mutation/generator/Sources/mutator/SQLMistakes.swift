/// Mistakes in statements of SQL: comparisons, conjunctions, tests for null and orders.
enum SQLMistakes {
    private static let changes: [(String, String)] = [
        (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" AND ", " OR "), (" OR ", " AND "),
        (" IS NOT NULL", " IS NULL"), (" IS NULL", " IS NOT NULL"), (" DESC", ""), (" <> ", " = "),
    ]

    /// A literal, quotes and all, with one change each, in order of the places.
    static func variants(of literal: String) -> [String] {
        let statement = literal.drop { $0 == "\"" || $0.isWhitespace }
        guard ["SELECT ", "UPDATE ", "DELETE ", "INSERT ", "WITH "].contains(where: statement.hasPrefix) else {
            return []
        }
        let bytes = Array(literal.utf8)
        var variants: [String] = []
        for start in bytes.indices {
            for (wrong, right) in changes where bytes[start...].starts(with: wrong.utf8) {
                let changed = bytes[..<start] + Array(right.utf8) + bytes[(start + wrong.utf8.count)...]
                variants.append(String(decoding: changed, as: UTF8.self))
            }
        }
        return variants
    }
}
