import JSON
import Scenarios
import Verdict

/// `simctl sweep`: every combination of settings on the same worlds, and what follows.
struct SweepCommand {
    var arguments: SweepArguments
    var console: LiveConsole
    var environment: InheritedEnvironment

    /// - Throws: `ProgramError` for a scenario or settings that are none, a folder that holds something else, and when nothing can be run or
    ///   written. Combinations that are complete stay when it is interrupted.
    func run() throws(ProgramError) -> ExitCode {
        let checked = try ScenarioFiles.read([arguments.file])[0]
        let seeds = arguments.seeds.seeds(of: checked.scenario)
        let folder = arguments.out ?? defaultPath(checked.scenario, seeds)
        let table = try SweepTable(of: checked, grid: arguments.grid, wants: arguments.wants, in: folder)
        let own = try own(table.variants)
        try table.checkFolder()
        let missing = try missing(own, seeds)
        let signals = try RunCommand.signals()
        try LiveFolder.make(folder)
        tellStart(own.count, missing: missing.count)
        for variant in missing { try SweepTable.write(variant.run.checked.text, to: variant.run.checked.file) }
        let runs = VariantRuns(
            console: console,
            environment: environment,
            seeds: seeds,
            jobs: arguments.jobs,
            timeLimit: arguments.timeLimit
        )
        if let code = try runs.run(missing.map(\.run), signals: signals) { return code }
        guard let shard = arguments.shard else { return try table.conclude(console) }
        try leave(shard, checked, own, seeds, in: folder)
        return .met
    }

    private func defaultPath(_ scenario: Scenario, _ seeds: ClosedRange<UInt64>) -> String {
        let part = arguments.shard.map { "-shard\($0.number)-of-\($0.count)" } ?? ""
        return LiveReportPlace.defaultPath(scenario: "\(scenario.name)-sweep", seeds: seeds) + part
    }

    /// Combinations without a report.
    private func missing(
        _ variants: [SweepTable.Variant],
        _ seeds: ClosedRange<UInt64>
    ) throws(ProgramError) -> [SweepTable.Variant] {
        let build = LiveBuild.identification()
        var missing: [SweepTable.Variant] = []
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

    // MARK: shards

    /// Those of this part: consecutive ones, in parts whose lengths differ by one at most.
    private func own(_ variants: [SweepTable.Variant]) throws(ProgramError) -> [SweepTable.Variant] {
        guard let shard = arguments.shard else { return variants }
        guard let part = shard.part(of: 0...UInt64(variants.count - 1)) else {
            throw Shard.tooMany(
                shard,
                of: "\(variants.count) \(variants.count == 1 ? "combination" : "combinations")",
                most: variants.count
            )
        }
        return part.map { variants[Int($0)] }
    }

    /// Says what the part is one of, for `simctl merge`, and that it is complete.
    private func leave(
        _ shard: Shard,
        _ checked: CheckedScenario,
        _ own: [SweepTable.Variant],
        _ seeds: ClosedRange<UInt64>,
        in folder: String
    ) throws(ProgramError) {
        var digests: [String] = []
        for variant in own {
            guard let digest = SweepTable.digest(of: variant.run.folder) else {
                throw PartFolder.damaged(variant.run.folder)
            }
            digests.append(digest)
        }
        let manifest = SweepPartManifest(
            build: LiveBuild.identification(),
            name: checked.scenario.name,
            scenario: ScenarioSource(file: checked.file, text: checked.text),
            firstSeed: seeds.lowerBound,
            lastSeed: seeds.upperBound,
            shard: shard,
            vary: arguments.grid.keys.map(\.text),
            wants: arguments.wants.map(\.text),
            reports: digests
        )
        try manifest.write(in: folder)
        tell(shard, own)
    }

    /// What the part has; the table is `simctl merge`'s to tell.
    private func tell(_ shard: Shard, _ own: [SweepTable.Variant]) {
        let inAll = arguments.grid.combinations.count
        if console.style.isJSON {
            let reports = JSONValue.strings(own.map(\.run.folder))
            console.print(
                .object([
                    JSONMember("shard", .integer(Int64(shard.number))),
                    JSONMember("shards", .integer(Int64(shard.count))),
                    JSONMember("settings", .integer(Int64(own.count))),
                    JSONMember("settingsInAll", .integer(Int64(inAll))),
                    JSONMember("reports", reports),
                ])
            )
        } else if !console.style.isQuiet {
            console.print("shard \(shard.number) of \(shard.count): \(own.count) of \(inAll) settings\n")
        }
    }
}
