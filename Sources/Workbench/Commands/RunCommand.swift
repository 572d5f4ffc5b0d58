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
        let scenarios = try ScenarioFiles.read(arguments.files)
        let places = try places(for: scenarios)
        let signals = try Self.signals()
        defer { places.forEach { $0.abandon() } }
        for place in places { try place.prepare() }
        let session = RunSession(
            arguments: arguments,
            scenarios: scenarios,
            places: places,
            build: LiveBuild.identification(),
            console: console,
            start: start
        )
        return try session.run(launch: launch, signals: signals)
    }

    static func signals() throws(ProgramError) -> LiveSignals {
        do throws(SystemFailure) {
            return try LiveSignals()
        } catch {
            throw error.programError
        }
    }

    private var launch: ProcessLaunch {
        ProcessLaunch(
            executable: ProcessLaunch.ownExecutable,
            arguments: ["worker"],
            environment: WorkerEnvironment.fixed(environment)
        )
    }

    /// One folder per scenario, no two the same.
    private func places(for scenarios: [CheckedScenario]) throws(ProgramError) -> [LiveReportPlace] {
        let paths = scenarios.map { path(for: $0.scenario) }
        for (index, path) in paths.enumerated() where paths[..<index].contains(path) {
            throw ProgramError(
                .repeatedScenario,
                "two of the files are named \"\(scenarios[index].scenario.name)\" and would report to \(path)",
                hint: "name each file once, and give each scenario a name of its own"
            )
        }
        return paths.map(LiveReportPlace.init)
    }

    private func path(for scenario: Scenario) -> String {
        let seeds = arguments.seeds.seeds(of: scenario)
        guard let out = arguments.out else {
            return LiveReportPlace.defaultPath(scenario: scenario.name, seeds: seeds)
        }
        guard arguments.files.count > 1 else { return out }
        return "\(out)/\(LiveReportPlace.folderName(scenario: scenario.name, seeds: seeds))"
    }
}
