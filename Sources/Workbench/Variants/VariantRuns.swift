import Platform
import Scenarios
import Verdict

/// Runs variants of a scenario on the same seeds, each into a report of its own, and tells nothing of them.
struct VariantRuns {
    var console: LiveConsole
    var environment: InheritedEnvironment
    var seeds: ClosedRange<UInt64>
    var jobs: Int?
    var timeLimit: Duration

    /// What to run, and the folder of its report.
    struct Run {
        var checked: CheckedScenario
        var folder: String
    }

    /// - Returns: Why there are not all reports, which has been told; nil when there are.
    /// - Throws: `ProgramError` when nothing can be run, or it was interrupted; reports that are complete stay.
    func run(_ runs: [Run], signals: LiveSignals) throws(ProgramError) -> ExitCode? {
        guard !runs.isEmpty else { return nil }
        let jobs = runs.map { run in
            RunJob(
                checked: run.checked,
                tally: ScenarioTally(seeds: seeds),
                place: LiveReportPlace(path: run.folder)
            )
        }
        defer { jobs.forEach { $0.place.abandon() } }
        for job in jobs { try job.place.prepare() }
        var arguments = RunArguments(files: runs.map(\.checked.file))
        arguments.seeds = .range(seeds)
        arguments.jobs = self.jobs
        arguments.timeLimit = timeLimit
        let session = RunSession(
            arguments: arguments,
            jobs: jobs,
            build: LiveBuild.identification(),
            console: console,
            start: LiveClock.now,
            tellsReports: false
        )
        let code = try session.run(launch: .worker(environment), signals: signals)
        return Self.isVerdict(code) ? nil : code
    }

    /// Whether a program that ended so has judged something.
    static func isVerdict(_ code: ExitCode) -> Bool {
        switch code {
        case .met, .failed, .insufficientEvidence, .invariantBroken: true
        case .notDeterministic, .usage, .invalidInput, .internalError, .timeLimit, .interrupted: false
        }
    }
}
