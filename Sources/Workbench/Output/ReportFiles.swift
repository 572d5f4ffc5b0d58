import Harness
import Scenarios
import Verdict

/// The files of a report. What only the run itself knows is written by the worker that runs a seed again in detail; the rest
/// follows from all seeds together.
enum ReportFiles {
    static let trace = "trace.jsonl"
    static let ledger = "ledger.jsonl"
    /// OpenMetrics, not a log: families stand together.
    static let metrics = "metrics-series.txt"
    /// The figures of each seed.
    static let seeds = "seeds.jsonl"
    static let resolvedScenario = "scenario.resolved.json"

    /// Writes what one run knows.
    static func writeDetails(_ outcome: RunOutcome, seedCount: Int, to folder: String) throws {
        try LiveFile.write(lines: outcome.traceLines, to: "\(folder)/\(trace)")
        try LiveFile.write(text: outcome.record.resolved.json, to: "\(folder)/\(resolvedScenario)")
        if !outcome.metricsLines.isEmpty {
            try LiveFile.write(lines: outcome.metricsLines, to: "\(folder)/\(metrics)")
        }
        guard seedCount == 1 else { return }
        try LiveFile.write(text: LedgerFile.text(outcome.record), to: "\(folder)/\(ledger)")
    }

    /// Writes what all seeds tell together. With several seeds, or none that came to its end, the ledger holds what was
    /// abnormal.
    static func write(_ report: RunReport, hasLedger: Bool, to folder: String) throws(ProgramError) {
        do {
            try LiveFile.write(text: SummaryFile.text(report), to: "\(folder)/summary.json")
            try LiveFile.write(text: JUnitFile.text(report), to: "\(folder)/junit.xml")
            try LiveFile.write(text: MarkdownFile.text(report), to: "\(folder)/summary.md")
            try LiveFile.write(text: MetricsFile.text(report), to: "\(folder)/metrics.txt")
            try LiveFile.write(lines: SeedLines(report), to: "\(folder)/\(seeds)")
            if hasLedger { return }
            try LiveFile.write(text: LedgerFile.text(report), to: "\(folder)/\(ledger)")
        } catch let failure as SystemFailure {
            throw failure.programError
        } catch {
            throw ProgramError(.reportNotWritten, "the report could not be written: \(error)")
        }
    }
}
