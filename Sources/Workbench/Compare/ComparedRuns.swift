import Platform
import Scenarios
import Verdict

/// One scenario, run on both sides of a comparison.
struct ComparedRuns {
    /// The folders of the reports.
    var first: String { "\(folder)/\(Self.names[0])" }
    var second: String { "\(folder)/\(Self.names[1])" }

    private static let names = ["a", "b"]
    private static let changedScenario = "b.json"

    private let folder: String
    private let before: CheckedScenario
    private let after: CheckedScenario
    private let runs: CompareRuns
    private let variants: VariantRuns

    /// - Throws: `ProgramError` for a scenario or a setting that is none, and for a folder that holds something else. Nothing is written then.
    init(
        file: String,
        runs: CompareRuns,
        console: LiveConsole,
        environment: InheritedEnvironment
    ) throws(ProgramError) {
        before = try ScenarioFiles.read([file])[0]
        let seeds = runs.seeds.seeds(of: before.scenario)
        folder =
            runs.reports
            ?? LiveReportPlace.defaultPath(scenario: "\(before.scenario.name)-compare", seeds: seeds)
        after = try ScenarioVariant.make(
            before,
            runs.settings,
            file: "\(folder)/\(Self.changedScenario)",
            flag: "--set"
        )
        self.runs = runs
        variants = VariantRuns(
            console: console,
            environment: environment,
            seeds: seeds,
            jobs: runs.jobs,
            timeLimit: runs.timeLimit
        )
        if let program = runs.otherProgram {
            try LiveOtherBuild(program: program, environment: environment).check()
        }
        try LiveFolder.check(folder, holdsOnly: Set(Self.names + [Self.changedScenario]), what: "a comparison")
    }

    /// - Returns: Why there are not both reports, which has been told; nil when there are.
    func run() throws(ProgramError) -> ExitCode? {
        let signals = try RunCommand.signals()
        try LiveFolder.make(folder)
        if !runs.settings.isEmpty {
            do throws(SystemFailure) {
                try LiveFile.write(text: after.text, to: after.file)
            } catch {
                throw error.programError
            }
        }
        var own = [VariantRuns.Run(checked: before, folder: first)]
        if runs.otherProgram == nil { own.append(VariantRuns.Run(checked: after, folder: second)) }
        if let code = try variants.run(own, signals: signals) { return code }
        if let program = runs.otherProgram {
            let other = LiveOtherBuild(program: program, environment: variants.environment)
            try other.run(otherArguments, signals: signals)
        }
        return nil
    }

    /// For the other build, as every build since reports have figures for each seed takes them.
    private var otherArguments: [String] {
        let jobs = runs.jobs.map { ["--jobs", "\($0)"] } ?? []
        let seeds = "\(variants.seeds.lowerBound)..\(variants.seeds.upperBound)"
        let limit = DurationNotation.text(runs.timeLimit)
        return ["run", after.file, "--seeds", seeds, "--quiet", "--out", second, "--time-limit", limit] + jobs
    }
}
