import FoundationEssentials
import JSON

/// `ledger.jsonl`: one line for each activity and person, abnormal ones first.
package enum LedgerFile {
    /// Gives `take` the whole ledger of a single seed line by line, without their ends.
    ///
    /// - Throws: what `take` throws.
    static func eachLine(of judged: JudgedRun, _ take: (String) throws -> Void) throws {
        try Ledger(judged: judged).eachLine { try take(DeterministicJSON.line($0)) }
    }

    /// What was abnormal under each seed, in the order of the seeds.
    package static func text(_ report: RunReport) throws -> String { try text(report.results.flatMap(\.abnormal)) }

    /// JSON lines, each ended by a newline.
    private static func text(_ lines: [LedgerLine]) throws -> String {
        try lines.map { try DeterministicJSON.line($0) + "\n" }.joined()
    }

    /// Reads it back. Throws `DecodingError` for a line that is none.
    static func lines(_ text: String) throws -> [LedgerLine] {
        let decoder = JSONDecoder()
        return try text.split(separator: "\n").map { try decoder.decode(LedgerLine.self, from: Data($0.utf8)) }
    }
}
