import Glibc
import JSON
import Scenarios
import Verdict

/// `simctl doctor`: proves that a seed always gives the same run, or shows where two runs part.
struct DoctorCommand {
    /// A worker that takes longer is taken for hung.
    private static let timeLimit = Duration.seconds(1_800)
    /// Where scenarios are looked for when none is named.
    private static let library = "scenarios"

    var files: [String]
    var console: LiveConsole
    var environment: InheritedEnvironment

    /// - Throws: `ProgramError` when nothing could be found out.
    func run() throws(ProgramError) -> ExitCode {
        let scenarios = try ScenarioFiles.read(files.isEmpty ? Self.libraryFiles() : files)
        let signals = try RunCommand.signals()
        let folder = try LiveTemporaryFolder()
        defer { folder.remove() }
        var findings = scenarios.map { checked in
            let scenario = checked.scenario
            return DoctorFinding(file: checked.file, name: scenario.name, seed: scenario.seed)
        }
        for number in scenarios.indices {
            try examine(number, of: scenarios, folder: folder, signals: signals, &findings[number])
            if !console.style.isJSON && !(console.style.isQuiet && findings[number].exitCode == .met) {
                console.print(findings[number].text)
            }
        }
        let code = ExitCode.worst(of: findings.map(\.exitCode))
        if console.style.isJSON {
            console.print(
                .object([
                    JSONMember("deterministic", .bool(code != .notDeterministic)),
                    JSONMember("scenarios", .array(findings.map(\.json))),
                ])
            )
        }
        return code
    }

    static func libraryFiles() throws(ProgramError) -> [String] {
        let names = LiveReportPlace.entries(of: library).filter { name in
            name.hasSuffix(".json") && !name.hasSuffix(".schema.json")
        }
        guard !names.isEmpty else {
            throw ProgramError(
                .noScenarios,
                "there is no scenario in \(library)/",
                hint: "run simctl doctor beside that folder, or name the files"
            )
        }
        return names.map { "\(library)/\($0)" }
    }

    private func examine(
        _ number: Int,
        of scenarios: [CheckedScenario],
        folder: LiveTemporaryFolder,
        signals: LiveSignals,
        _ finding: inout DoctorFinding
    ) throws(ProgramError) {
        let source = ScenarioSource(file: scenarios[number].file, text: scenarios[number].text)
        let prober = DoctorProber(source: source, environment: environment, timeLimit: Self.timeLimit, signals: signals)
        let seed = finding.seed
        let orders = DoctorPlan.processes.indices.map { DoctorPlan.order($0, scenario: 0, seed: seed) }
        for (process, outcome) in try prober.run(orders).enumerated() {
            switch outcome {
            case .digests(let digests): finding.take(digests, process: process)
            case .crash(let crash): finding.crashes.append(crash)
            }
        }
        for index in finding.differences.indices {
            let process = finding.differences[index].process
            finding.differences[index].place = try place(of: process, seed: seed, prober: prober, folder: folder)
        }
    }

    /// Repeats both runs with their traces kept and looks for the first difference.
    private func place(
        of process: Int,
        seed: UInt64,
        prober: DoctorProber,
        folder: LiveTemporaryFolder
    ) throws(ProgramError) -> TraceDifference? {
        let (left, right) = (folder.path + "/left", folder.path + "/right")
        _ = try prober.run([
            DoctorPlan.referenceOrder(scenario: 0, seed: seed, trace: left),
            DoctorPlan.order(process, scenario: 0, seed: seed, trace: right),
        ])
        return TraceDifference.find(LiveLines(path: left), LiveLines(path: right))
    }
}
