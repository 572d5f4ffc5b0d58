import FoundationEssentials

/// `ledger.jsonl`: one line for each activity and person, abnormal ones first.
package enum LedgerFile {
    /// JSON lines, each ended by a newline. With the record of a single seed the whole ledger; otherwise what was
    /// abnormal under each seed, in the order of the seeds.
    package static func text(_ report: RunReport, record: RunRecord?) throws -> String {
        let lines = record.map(Assessment.ledger) ?? report.results.flatMap(\.abnormal)
        let encoder = DeterministicJSON.encoder()
        return try lines.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
    }

    /// Reads it back. Throws `DecodingError` for a line that is none.
    package static func lines(_ text: String) throws -> [LedgerLine] {
        let decoder = JSONDecoder()
        return try text.split(separator: "\n").map { try decoder.decode(LedgerLine.self, from: Data($0.utf8)) }
    }
}
