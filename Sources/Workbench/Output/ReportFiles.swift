import Harness
import ReportPage
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
    /// How the seed that is told in detail went over its time.
    static let timeline = "timeline.json"
    /// For people; made of the other files.
    static let page = "report.html"
    static let resolvedScenario = "scenario.resolved.json"

    /// Writes what one run knows, but for its trace.
    static func writeDetails(_ outcome: RunOutcome, seedCount: Int, to folder: String) throws {
        try LiveFile.write(text: outcome.record.resolved.json, to: "\(folder)/\(resolvedScenario)")
        let story = SeedStory(outcome.record)
        try LiveFile.write(text: story.timeline(), to: "\(folder)/\(timeline)")
        if !outcome.metricsLines.isEmpty {
            try LiveFile.write(lines: outcome.metricsLines, to: "\(folder)/\(metrics)")
        }
        guard seedCount == 1 else { return }
        let lines = try LiveLineFile(to: "\(folder)/\(ledger)")
        try story.eachLedgerLine { lines.write($0) }
        try lines.end()
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
            if !hasLedger { try LiveFile.write(text: LedgerFile.text(report), to: "\(folder)/\(ledger)") }
        } catch let failure as SystemFailure {
            throw failure.programError
        } catch {
            throw ProgramError(.reportNotWritten, "the report could not be written: \(error)")
        }
    }

    /// Writes the page for people. Everything else must be in the folder: the page is made of it, and of nothing else.
    static func writePage(in folder: String) throws(ProgramError) {
        do {
            try LiveFile.write(text: ReportPage.text(ReportData(folder: folder)), to: "\(folder)/\(page)")
        } catch let failure as SystemFailure {
            throw failure.programError
        } catch {
            throw ProgramError(.reportNotWritten, "the page of the report could not be made: \(error)")
        }
    }
}
