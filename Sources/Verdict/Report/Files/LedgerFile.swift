import FoundationEssentials

/// `ledger.jsonl`: one line for each activity and person, abnormal ones first.
package enum LedgerFile {
    /// Gives `take` the whole ledger of a single seed line by line, without their ends.
    ///
    /// - Throws: what `take` throws.
    static func eachLine(of judged: JudgedRun, _ take: (String) throws -> Void) throws {
        let encoder = DeterministicJSON.encoder()
        try Ledger(judged: judged).eachLine { try take(String(decoding: encoder.encode($0), as: UTF8.self)) }
    }

    /// What was abnormal under each seed, in the order of the seeds.
    package static func text(_ report: RunReport) throws -> String { try text(report.results.flatMap(\.abnormal)) }

    /// JSON lines, each ended by a newline.
    private static func text(_ lines: [LedgerLine]) throws -> String {
        let encoder = DeterministicJSON.encoder()
        return try lines.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
    }

    /// Reads it back. Throws `DecodingError` for a line that is none.
    static func lines(_ text: String) throws -> [LedgerLine] {
        let decoder = JSONDecoder()
        return try text.split(separator: "\n").map { try decoder.decode(LedgerLine.self, from: Data($0.utf8)) }
    }
}
