// Stand-ins for what other branches bring; this file goes when they are merged.
import Platform
import Simulation

struct RunOptions {
    var keepsTrace = false
    var exploresSchedules = false
}

struct RunOutcome {
    var record: RunRecord
    var traceLines: [String]
}

enum ScenarioRun {
    static func perform(_ resolved: ResolvedScenario, options: RunOptions) throws -> RunOutcome {
        let simulation = Simulation(
            seed: resolved.seed,
            start: resolved.scenario.start,
            retention: options.keepsTrace ? .everything : .digestOnly,
            exploresSchedules: options.exploresSchedules
        )
        _ = simulation.makeNode("notifier")
        simulation.trace.record(.world(kind: "seed", subject: Int64(truncatingIfNeeded: resolved.seed), detail: ""))
        simulation.run(for: resolved.scenario.duration)
        var record = RunRecord(resolved: resolved, simulated: resolved.scenario.duration)
        record.digest = simulation.trace.digestText
        record.steps = simulation.stepCount
        return RunOutcome(record: record, traceLines: simulation.trace.records.map { "\($0.at.nanoseconds) \($0.event)" })
    }
}

enum SummaryFile {
    static func text(_ report: RunReport) -> String { "{\"seeds\":\(report.results.count)}\n" }
}

enum JUnitFile {
    static func text(_ report: RunReport) -> String { "<testsuites/>\n" }
}

enum LedgerFile {
    static func text(_ report: RunReport, record: RunRecord?) throws -> String { "" }
}

enum TerminalSummary {
    struct Options {
        var isColoured = false
        var isQuiet = false
        var reportFolder: String?
    }

    static func render(_ report: RunReport, options: Options) -> String {
        let crashes = report.crashes.map { "crash seed \($0.seed) \($0.message)\n\($0.backtrace)\n" }.joined()
        return "header\n" + crashes + "seeds \(report.results.count) crashes \(report.crashes.count)\n"
    }
}

enum ReportError: Error {
    case unknownActivity(Int, known: ClosedRange<Int>?)
    case notInLedger(Int)
    case other
    var description: String { "" }
    var hint: String { "" }
}

enum Explanation {
    static func story(of activity: Int, in reportFolder: String, seed: UInt64? = nil) throws -> String { "" }
}
