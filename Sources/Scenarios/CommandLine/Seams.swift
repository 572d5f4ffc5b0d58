// Stand-ins for what other branches bring; this file goes when they are merged.
import Glibc
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
        return RunOutcome(
            record: record,
            traceLines: simulation.trace.records.map { "\($0.at.nanoseconds) \($0.event)" }
        )
    }
}
extension ScenarioTally {
    var seedToTell: UInt64? { sortedResults.first?.seed }
}
struct RunReport {
    var scenario: Scenario
    var file: String
    var seeds: ClosedRange<UInt64>
    var results: [SeedResult]
    var crashes: [SeedCrash]
    var build: String
    var wall: Duration
    var exitCode: ExitCode { crashes.isEmpty ? .met : .invariantBroken }
}
struct ReportFiles {
    var report: RunReport
    init(_ report: RunReport) { self.report = report }
    func write(to folder: String) throws(ProgramError) {
        do throws(SystemFailure) {
            try LiveFile.write(lines: ["{\"seeds\":\(report.results.count)}"], to: folder + "/summary.json")
        } catch {
            throw error.programError
        }
    }
}
struct ReportText {
    var report: RunReport
    var style: OutputStyle
    var usesColour: Bool
    init(_ report: RunReport, style: OutputStyle, usesColour: Bool) {
        self.report = report
        self.style = style
        self.usesColour = usesColour
    }
    var text: String {
        report.crashes.map { "crash seed \($0.seed) \($0.message)\n\($0.backtrace)\n" }.joined()
            + "seeds \(report.results.count) crashes \(report.crashes.count)\n"
    }
}
struct DetailFiles {
    var outcome: RunOutcome
    init(_ outcome: RunOutcome) { self.outcome = outcome }
    func write(to folder: String) throws {
        try LiveFile.write(lines: outcome.traceLines, to: folder + "/trace.jsonl")
    }
}
struct ExplainCommand {
    var report: String
    var activity: String
    var console: LiveConsole
    func run() throws(ProgramError) -> ExitCode { .internalError }
}
