import Scenarios
import Verdict

/// `simctl merge` of the parts of a sweep: their reports side by side in one folder, with the table of one call.
struct SweepMergeCommand {
    var arguments: MergeArguments
    var console: LiveConsole

    /// - Throws: `ProgramError` for parts that do not make a whole, before anything is written.
    func run() throws(ProgramError) -> ExitCode {
        var parts: [(path: String, manifest: SweepPartManifest)] = []
        for folder in arguments.folders { parts.append((folder, try SweepPartManifest.read(in: folder))) }
        try PartFolder.check(parts, build: LiveBuild.identification())
        parts.sort { $0.manifest.shard.number < $1.manifest.shard.number }
        let manifest = parts[0].manifest
        let seeds = manifest.firstSeed...manifest.lastSeed
        let folder =
            arguments.out ?? LiveReportPlace.defaultPath(scenario: "\(manifest.name)-sweep", seeds: seeds)
        try PartFolder.refuse(arguments.folders, as: folder)
        let table = try Self.table(of: manifest, parts[0].path, in: folder)
        try table.checkFolder()
        let sources = try sources(table, parts)
        for (variant, source) in zip(table.variants, sources) { try checkPlace(variant, source) }
        try LiveFolder.make(folder)
        for (variant, source) in zip(table.variants, sources) { try place(variant, from: source) }
        return try table.conclude(console)
    }

    /// Read from the text that was varied: the file may have changed since, or lie on another machine.
    ///
    /// - Throws: `ProgramError` for a manifest that no command line can have asked for.
    static func table(
        of manifest: SweepPartManifest,
        _ path: String,
        in folder: String
    ) throws(ProgramError) -> SweepTable {
        let source = manifest.scenario
        do {
            let scenario = try ScenarioReader.read(Array(source.text.utf8), file: source.file)
            let checked = CheckedScenario(file: source.file, text: source.text, scenario: scenario)
            let keys = try manifest.vary.map { text throws(ProgramError) in try SweepArguments.key(text) }
            let wants = try manifest.wants.map { text throws(ProgramError) in try SweepArguments.want(text) }
            return try SweepTable(of: checked, grid: SweepGrid(keys), wants: wants, in: folder)
        } catch {
            throw PartFolder.damaged(path)
        }
    }

    /// Where each combination was run, in the order of the table.
    private func sources(
        _ table: SweepTable,
        _ parts: [(path: String, manifest: SweepPartManifest)]
    ) throws(ProgramError) -> [String] {
        var sources: [String] = []
        for (path, manifest) in parts {
            guard let own = manifest.shard.part(of: 0...UInt64(table.variants.count - 1)),
                own.count == manifest.reports.count
            else { throw PartFolder.damaged(path) }
            for (index, digest) in zip(own, manifest.reports) {
                let report = "\(path)/\(SweepGrid.folderName(table.variants[Int(index)].changes))"
                guard SweepTable.digest(of: report) == digest else { throw PartFolder.damaged(path) }
                sources.append(report)
            }
        }
        return sources
    }

    /// What lies there already must be the very report.
    private func checkPlace(_ variant: SweepTable.Variant, _ source: String) throws(ProgramError) {
        let folder = variant.run.folder
        guard !LiveReportPlace.entries(of: folder).isEmpty else { return }
        guard SweepTable.digest(of: folder) != SweepTable.digest(of: source) else { return }
        throw ProgramError(
            .notComparable,
            "\(folder) is another report than \(source), and is kept",
            hint: "name a new folder with --out DIR"
        )
    }

    private func place(_ variant: SweepTable.Variant, from source: String) throws(ProgramError) {
        try SweepTable.write(variant.run.checked.text, to: variant.run.checked.file)
        guard LiveReportPlace.entries(of: variant.run.folder).isEmpty else { return }
        do throws(SystemFailure) {
            try LiveTree.copy(source, to: variant.run.folder)
        } catch {
            throw error.programError
        }
    }
}
