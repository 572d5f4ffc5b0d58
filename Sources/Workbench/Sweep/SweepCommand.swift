import Scenarios
import Verdict

/// `simctl sweep`: every combination of settings on the same worlds, and what follows.
struct SweepCommand {
    var arguments: SweepArguments
    var console: LiveConsole
    var environment: InheritedEnvironment

    private static let resultName = "sweep.json"

    /// A combination with the scenario it makes and the folder of its report.
    private struct Variant {
        var changes: [SettingChange]
        var run: VariantRuns.Run
    }

    /// - Throws: `ProgramError` for a scenario or settings that are none, a folder that holds something else, and when nothing can be run or
    ///   written. Combinations that are complete stay when it is interrupted.
    func run() throws(ProgramError) -> ExitCode {
        let checked = try ScenarioFiles.read([arguments.file])[0]
        let seeds = arguments.seeds.seeds(of: checked.scenario)
        let folder =
            arguments.out ?? LiveReportPlace.defaultPath(scenario: "\(checked.scenario.name)-sweep", seeds: seeds)
        let variants = try variants(of: checked, in: folder)
        try checkFolder(folder)
        let missing = try missing(variants, seeds)
        let signals = try RunCommand.signals()
        try LiveFolder.make(folder)
        tellStart(variants.count, missing: missing.count)
        for variant in missing { try write(variant.run.checked.text, to: variant.run.checked.file) }
        let runs = VariantRuns(
            console: console,
            environment: environment,
            seeds: seeds,
            jobs: arguments.jobs,
            timeLimit: arguments.timeLimit
        )
        if let code = try runs.run(missing.map(\.run), signals: signals) { return code }
        return try conclude(variants, in: folder)
    }

    private func variants(of checked: CheckedScenario, in folder: String) throws(ProgramError) -> [Variant] {
        var variants: [Variant] = []
        for changes in arguments.grid.combinations {
            let report = "\(folder)/\(SweepGrid.folderName(changes))"
            let variant = try ScenarioVariant.make(checked, changes, file: report + ".json", flag: "--vary")
            variants.append(Variant(changes: changes, run: VariantRuns.Run(checked: variant, folder: report)))
        }
        return variants
    }

    /// Reports of other combinations may lie there, from a call with other values.
    private func checkFolder(_ folder: String) throws(ProgramError) {
        let names = LiveReportPlace.entries(of: folder).filter { name in
            name == Self.resultName || arguments.grid.keys.contains { name.hasPrefix("\($0.name)=") }
        }
        try LiveFolder.check(folder, holdsOnly: Set(names), what: "a sweep")
    }

    /// Combinations without a report.
    private func missing(_ variants: [Variant], _ seeds: ClosedRange<UInt64>) throws(ProgramError) -> [Variant] {
        let build = LiveBuild.identification()
        var missing: [Variant] = []
        for variant in variants {
            let folder = variant.run.folder
            guard !LiveReportPlace.entries(of: folder).isEmpty else {
                missing.append(variant)
                continue
            }
            let report = try ReadReport.read(folder)
            guard report.isReport(of: variant.run.checked.scenario, seeds: seeds, build: build) else {
                throw ProgramError(
                    .notComparable,
                    "\(folder) is a report of another scenario, other seeds or another build, and is kept",
                    hint: "name a new folder with --out DIR"
                )
            }
        }
        return missing
    }

    private func tellStart(_ count: Int, missing: Int) {
        guard !console.style.isJSON, !console.style.isQuiet, missing < count else { return }
        console.note("\(count - missing) of \(count) settings have their report already\n")
    }

    private func conclude(_ variants: [Variant], in folder: String) throws(ProgramError) -> ExitCode {
        var entries: [Sweep.Entry] = []
        for variant in variants {
            entries.append(
                Sweep.Entry(
                    settings: variant.changes.map { SettingChange.text($0.value) },
                    report: try ReadReport.read(variant.run.folder)
                )
            )
        }
        let sweep: Sweep
        do throws(ComparisonError) {
            sweep = try Sweep(keys: arguments.grid.keys.map(\.name), entries, wants: arguments.wants)
        } catch {
            throw ProgramError(error)
        }
        try write(SweepFile.text(sweep), to: "\(folder)/\(Self.resultName)")
        if console.style.isJSON {
            console.print(SweepFile.value(sweep))
        } else {
            console.print(SweepText.render(sweep, isQuiet: console.style.isQuiet))
        }
        return sweep.exitCode
    }

    private func write(_ text: String, to path: String) throws(ProgramError) {
        do throws(SystemFailure) {
            try LiveFile.write(text: text, to: path)
        } catch {
            throw error.programError
        }
    }
}
