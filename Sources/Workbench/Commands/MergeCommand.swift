import Platform
import Scenarios
import Verdict

/// `simctl merge`: one report from the shards of a run. It goes the way of `run` with every seed known already, so that what is
/// written cannot differ.
struct MergeCommand {
    var arguments: MergeArguments
    var console: LiveConsole
    var environment: InheritedEnvironment

    /// - Throws: `ProgramError` for shards that do not make a whole, before anything is written.
    func run() throws(ProgramError) -> ExitCode {
        let start = LiveClock.now
        let build = LiveBuild.identification()
        var shards = try shards(build: build)
        let place = LiveReportPlace(path: arguments.out ?? defaultPath(of: shards))
        try PartFolder.refuse(arguments.folders, as: place.path)
        try ShardSet.checkRoom(resultBytes: shards.resultBytes, available: LiveMemory.availableBytes)
        try shards.readResults()
        let job = RunJob(checked: try scenario(of: shards.manifest), tally: tally(of: shards), place: place)
        let signals = try RunCommand.signals()
        try place.prepare()
        defer { place.abandon() }
        let session = RunSession(
            arguments: runArguments(shards.manifest),
            jobs: [job],
            build: build,
            console: console,
            start: start
        )
        return try session.run(launch: .worker(environment), signals: signals)
    }

    private func shards(build: String) throws(ProgramError) -> ShardSet {
        var folders: [ShardFolder] = []
        for path in arguments.folders { folders.append(try ShardFolder(manifestOf: path)) }
        return try ShardSet(folders, build: build)
    }

    private func defaultPath(of shards: ShardSet) -> String {
        LiveReportPlace.defaultPath(scenario: shards.manifest.name, seeds: shards.seeds)
    }

    /// Read from the text that was run: the file may have changed since, or lie on another machine.
    private func scenario(of manifest: ShardManifest) throws(ProgramError) -> CheckedScenario {
        let source = manifest.scenario
        do throws(InvalidScenario) {
            let scenario = try ScenarioReader.read(Array(source.text.utf8), file: source.file)
            return CheckedScenario(file: source.file, text: source.text, scenario: scenario)
        } catch {
            throw ProgramError(.invalidScenario, "the scenario in the shards is invalid", problems: error.problems)
        }
    }

    private func tally(of shards: ShardSet) -> ScenarioTally {
        var tally = ScenarioTally(seeds: shards.seeds)
        for shard in shards.shards {
            for result in shard.results { tally.add(result) }
            for crash in shard.crashes { tally.add(crash) }
        }
        return tally
    }

    private func runArguments(_ manifest: ShardManifest) -> RunArguments {
        var run = RunArguments(files: [manifest.scenario.file])
        run.seeds = .range(manifest.firstSeed...manifest.lastSeed)
        run.jobs = 1
        run.output = arguments.output
        run.exploresSchedules = manifest.exploresSchedules
        run.timeLimit = arguments.timeLimit
        run.metricsEvery = manifest.metricsEveryMilliseconds.map { .milliseconds($0) }
        return run
    }
}
