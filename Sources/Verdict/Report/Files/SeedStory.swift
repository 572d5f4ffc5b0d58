/// What a report tells of a seed in detail, judged once for all of its files.
package struct SeedStory {
    private let judged: JudgedRun

    package init(_ record: RunRecord) {
        judged = JudgedRun(record)
    }

    /// `timeline.json`.
    ///
    /// - Throws: `EncodingError` for numbers that JSON cannot hold, of which there are none.
    package func timeline() throws -> String { try TimelineFile.text(judged) }

    /// Gives `take` the lines of `ledger.jsonl` one after the other, without their ends.
    ///
    /// - Throws: what `take` throws.
    package func eachLedgerLine(_ take: (String) throws -> Void) throws {
        try LedgerFile.eachLine(of: judged, take)
    }
}
