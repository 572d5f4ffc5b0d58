import SQLite
import Testing

@testable import Notifier

/// How SQLite would carry out what the store asks for, by the statements that stand in its sources.
struct QueryPlanTests {
    /// They have a row for each piece of news, or for each thing that was ever chosen.
    private static let growing: Set<String> = [
        "acknowledgements", "asks", "choice_stamps", "deliveries", "item_choices", "notifications", "notified_facts",
        "receipts", "reminders", "sync_rows",
    ]

    @Test func `no statement looks through a table that grows`() throws {
        let database = try makeDeliveryDatabase()
        // Those hold but what waits, or the little that went wrong.
        let partial = try database.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%WHERE%'"
        ) { $0.text(0) }
        var count = 0
        // By its device alone a receipt is found among all that the device ever gave: that index is for devices that go.
        // The events of a trigger look like statements.
        for path in try LiveSourceTree.files(in: "Sources/Notifier/Store") where !path.contains("/Schema/") {
            for statement in Self.statements(in: try LiveSourceTree.text(at: path)) {
                count += 1
                let values = [any SQLiteBindable](repeating: Int64(0), count: Self.parameterCount(of: statement))
                let plan = try database.rows(SQL(text: "EXPLAIN QUERY PLAN " + statement), bindings: values) {
                    $0.text(3)
                }
                let endsDevices = statement.contains("DELETE FROM devices")
                let scans = plan.filter {
                    Self.isScan($0, except: partial) || $0.contains("receipts_by_device") && !endsDevices
                }
                #expect(scans.isEmpty, "\(path): \(statement)")
            }
        }
        #expect(count > 300, "the statements are found")
    }

    /// Such as `SCAN deliveries`, or `SCAN sync_rows USING INDEX sync_rows_by_revision`.
    private static func isScan(_ step: String, except partial: [String]) -> Bool {
        let words = step.split(separator: " ").map(String.init)
        guard words.count > 1, words[0] == "SCAN", growing.contains(words[1]) else { return false }
        guard let place = words.firstIndex(of: "INDEX"), place + 1 < words.count else { return true }
        return !partial.contains(words[place + 1])
    }

    /// Literals that are statements; those with an interpolation or an escape are left out.
    private static func statements(in source: String) -> [String] {
        let quotes = "\"\"\""
        var found: [String] = []
        var block: String?
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = String(line.drop { $0 == " " })
            if let begun = block {
                if text.hasPrefix(quotes) {
                    found.append(begun)
                    block = nil
                } else if text.hasSuffix("\\") {
                    block = begun + String(text.dropLast())
                } else {
                    block = begun + text + "\n"
                }
            } else if text.hasSuffix(quotes) {
                block = ""
            } else {
                let pieces = line.split(separator: "\"", omittingEmptySubsequences: false)
                found += pieces.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
            }
        }
        let verbs: Set<String> = ["DELETE", "INSERT", "SELECT", "UPDATE", "WITH"]
        return found.filter { verbs.contains(String($0.prefix(while: \.isLetter))) && !$0.contains("\\") }
    }

    /// Of `?`, or of `?1` and so on.
    private static func parameterCount(of statement: String) -> Int {
        let parts = statement.split(separator: "?", omittingEmptySubsequences: false).dropFirst()
        return parts.compactMap { Int($0.prefix(while: \.isWholeNumber)) }.max() ?? parts.count
    }
}
