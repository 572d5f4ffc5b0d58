import Platform
import Scenarios
import Verdict

/// `simctl run`: every seed of every scenario in worker processes, then one report per scenario.
struct RunCommand {
    var arguments: RunArguments
    var console: LiveConsole
    var environment: InheritedEnvironment

    /// - Throws: `ProgramError` when nothing was reported at all.
    func run() throws(ProgramError) -> ExitCode {
        let start = LiveClock.now
        let build = LiveBuild.identification()
        let scenarios = try ScenarioFiles.read(arguments.files)
        let jobs = try jobs(for: scenarios, build: build)
        let baseline = try baseline(of: scenarios)
        try keepBaseline(from: jobs)
        let signals = try Self.signals()
        defer { jobs.forEach { $0.place.abandon() } }
        for job in jobs { try job.place.prepare() }
        let session = RunSession(
            arguments: arguments,
            jobs: jobs,
            build: build,
            console: console,
            start: start,
            baseline: baseline
        )
        return try session.run(launch: .worker(environment), signals: signals)
    }

    private func baseline(of scenarios: [CheckedScenario]) throws(ProgramError) -> RunBaseline? {
        guard let baseline = arguments.baseline, let scenario = scenarios.first?.scenario else { return nil }
        return try RunBaseline(baseline, scenario: scenario, seeds: arguments.seeds.seeds(of: scenario))
    }

    /// A report takes the place of an older one; the next run would be held against the wrong one.
    private func keepBaseline(from jobs: [RunJob]) throws(ProgramError) {
        guard let baseline = arguments.baseline else { return }
        let summary = "summary.json"
        let isFile = baseline.path == summary || baseline.path.hasSuffix("/" + summary)
        let folder = realPath(isFile ? baseline.path.dropLast(summary.count) + "." : baseline.path)
        for job in jobs where folder != nil && folder == realPath(job.place.path) {
            throw ProgramError(
                .outNotAReport,
                "\(job.place.path) is the baseline and would be replaced",
                hint: "choose another folder with --out DIR"
            )
        }
    }

    static func signals() throws(ProgramError) -> LiveSignals {
        do throws(SystemFailure) {
            return try LiveSignals()
        } catch {
            throw error.programError
        }
    }

    /// One job per scenario, no two with the same folder.
    private func jobs(for scenarios: [CheckedScenario], build: String) throws(ProgramError) -> [RunJob] {
        var jobs: [RunJob] = []
        for checked in scenarios {
            let place = LiveReportPlace(path: path(for: checked.scenario))
            guard !jobs.contains(where: { $0.place.path == place.path }) else {
                throw ProgramError(
                    .repeatedScenario,
                    "two of the files are named \"\(checked.scenario.name)\" and would report to \(place.path)",
                    hint: "name each file once, and give each scenario a name of its own"
                )
            }
            let tally = ScenarioTally(seeds: try ownSeeds(of: checked.scenario))
            jobs.append(
                RunJob(checked: checked, tally: tally, place: place, shard: manifest(of: checked, build: build))
            )
        }
        return jobs
    }

    private func ownSeeds(of scenario: Scenario) throws(ProgramError) -> ClosedRange<UInt64> {
        let seeds = arguments.seeds.seeds(of: scenario)
        guard let shard = arguments.shard else { return seeds }
        guard let part = shard.part(of: seeds) else {
            throw ProgramError(
                .badValue,
                "\(seeds.count) \(seeds.count == 1 ? "seed" : "seeds") of \(scenario.name) cannot be cut into "
                    + "\(shard.count) shards",
                hint: "--shard 1/\(seeds.count) at most, or more seeds: --seeds 1..100"
            )
        }
        return part
    }

    private func manifest(of checked: CheckedScenario, build: String) -> ShardManifest? {
        guard let shard = arguments.shard else { return nil }
        let seeds = arguments.seeds.seeds(of: checked.scenario)
        return ShardManifest(
            build: build,
            name: checked.scenario.name,
            scenario: ScenarioSource(file: checked.file, text: checked.text),
            firstSeed: seeds.lowerBound,
            lastSeed: seeds.upperBound,
            shard: shard,
            exploresSchedules: arguments.exploresSchedules,
            metricsEveryMilliseconds: arguments.metricsEvery?.wholeMilliseconds
        )
    }

    private func path(for scenario: Scenario) -> String {
        let seeds = arguments.seeds.seeds(of: scenario)
        let part = arguments.shard.map { "-shard\($0.number)-of-\($0.count)" } ?? ""
        let name = LiveReportPlace.folderName(scenario: scenario.name, seeds: seeds) + part
        guard let out = arguments.out else { return "\(LiveReportPlace.root)/\(name)" }
        return arguments.files.count > 1 ? "\(out)/\(name)" : out
    }
}
