import Platform
import ReportPage
import Scenarios
import Verdict

/// The combinations of a sweep in one folder, with a report for each, and what follows from them.
struct SweepTable {
    static let resultName = "sweep.json"
    private static let pageName = "sweep.html"
    private static let pictureName = "sweep.svg"

    /// A combination with the scenario it makes and the folder of its report.
    struct Variant {
        var changes: [SettingChange]
        var run: VariantRuns.Run
    }

    let folder: String
    let grid: SweepGrid
    let wants: [SweepWant]
    /// In the order of the grid.
    let variants: [Variant]

    /// - Throws: `ProgramError` for a key that the notifier does not have, and a value that it refuses.
    init(of checked: CheckedScenario, grid: SweepGrid, wants: [SweepWant], in folder: String) throws(ProgramError) {
        self.folder = folder
        self.grid = grid
        self.wants = wants
        var variants: [Variant] = []
        for changes in grid.combinations {
            let report = "\(folder)/\(SweepGrid.folderName(changes))"
            let variant = try ScenarioVariant.make(checked, changes, file: report + ".json", flag: "--vary")
            variants.append(Variant(changes: changes, run: VariantRuns.Run(checked: variant, folder: report)))
        }
        self.variants = variants
    }

    /// Reports of other combinations may lie there, from a call with other values.
    func checkFolder() throws(ProgramError) {
        let names = LiveReportPlace.entries(of: folder).filter { name in
            [Self.resultName, Self.pageName, Self.pictureName, SweepPartManifest.fileName].contains(name)
                || grid.keys.contains { name.hasPrefix("\($0.name)=") }
        }
        try LiveFolder.check(folder, holdsOnly: Set(names), what: "a sweep")
    }

    /// Writes and prints the table.
    ///
    /// - Throws: `ProgramError` when a report is missing or damaged, or the table cannot be written.
    func conclude(_ console: LiveConsole) throws(ProgramError) -> ExitCode {
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
            sweep = try Sweep(keys: grid.keys.map(\.name), entries, wants: wants)
        } catch {
            throw ProgramError(error)
        }
        try Self.write(SweepFile.text(sweep), to: "\(folder)/\(Self.resultName)")
        try Self.write(SweepPage.text(sweep), to: "\(folder)/\(Self.pageName)")
        if let picture = SweepPage.picture(sweep) { try Self.write(picture, to: "\(folder)/\(Self.pictureName)") }
        if console.style.isJSON {
            console.print(SweepFile.value(sweep))
        } else {
            console.print(SweepText.render(sweep, isQuiet: console.style.isQuiet))
        }
        return sweep.exitCode
    }

    /// A digest over what the table is made of in a report, so that a spoilt digit is noticed. Nil for what cannot be read.
    static func digest(of report: String) -> String? {
        var digest = RunningDigest()
        for name in ["summary.json", "seeds.jsonl"] {
            do {
                try ShardFolder.eachLine(of: "\(report)/\(name)") { digest.fold(String(decoding: $0, as: UTF8.self)) }
            } catch {
                return nil
            }
        }
        return digest.text
    }

    static func write(_ text: String, to path: String) throws(ProgramError) {
        do throws(SystemFailure) {
            try LiveFile.write(text: text, to: path)
        } catch {
            throw error.programError
        }
    }
}
