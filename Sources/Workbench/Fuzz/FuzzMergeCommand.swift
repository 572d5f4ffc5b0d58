import Scenarios
import Verdict

/// `simctl merge` of the parts of a fuzzing: what one call over all of their seeds would have said and left behind.
struct FuzzMergeCommand {
    var arguments: MergeArguments
    var console: LiveConsole

    /// Exit code 1 when anything was found.
    ///
    /// - Throws: `ProgramError` for parts that do not make a whole, before anything is written.
    func run() throws(ProgramError) -> ExitCode {
        var manifests: [(path: String, manifest: FuzzPartManifest)] = []
        for folder in arguments.folders { manifests.append((folder, try FuzzPartManifest.read(in: folder))) }
        try PartFolder.check(manifests, build: LiveBuild.identification())
        manifests.sort { $0.manifest.shard.number < $1.manifest.shard.number }
        var lines: [FuzzPart.Line] = []
        for (path, manifest) in manifests { lines += try FuzzPart(manifest, in: path).lines }
        let relations = manifests[0].manifest.relations.compactMap(WorldRelation.init(rawValue:))
        if let out = arguments.out { try prepare(out) }
        var tally = FuzzTally(relations: relations)
        for line in lines {
            guard let findings = line.findings else { continue }
            let family = WorldFamily(try FuzzCommand.world(line.seed), relations: relations)
            tally.add(findings, of: family.world)
            if let out = arguments.out { try FuzzCommand.keep(family, findings, in: out) }
        }
        console.print(tally.text)
        if let out = arguments.out { try FuzzCommand.write(tally.coverage.document, to: "\(out)/coverage.md") }
        return tally.exitCode
    }

    private func prepare(_ out: String) throws(ProgramError) {
        try PartFolder.refuse(arguments.folders, as: out)
        let names = LiveReportPlace.entries(of: out).filter {
            $0 == "coverage.md" || ($0.hasPrefix("fuzz-") && $0.hasSuffix(".json") && $0 != FuzzPartManifest.fileName)
        }
        try LiveFolder.check(out, holdsOnly: Set(names), what: "a fuzzing")
        try LiveFolder.make(out)
    }
}
