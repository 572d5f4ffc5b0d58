import Live
import Platform
import Scenarios
import Verdict

/// `simctl fuzz`: draws a world from each seed, runs it, with its twins if asked for, and says what is wrong once they have come to rest.
struct FuzzCommand {
    var arguments: FuzzArguments
    var console: LiveConsole
    var environment: InheritedEnvironment

    /// Scenarios that a pool of workers holds at the same time, about.
    private static let batch = 64

    /// Exit code 1 when anything was found. What ends it before its time does not take back what was found until then.
    ///
    /// - Throws: `ProgramError` when worlds could not be drawn or run, or it was interrupted.
    func run() throws(ProgramError) -> ExitCode {
        let seeds = try seeds
        let signals = try RunCommand.signals()
        if let out = arguments.out { try LiveFolder.make(out) }
        var part = FuzzPart()
        var tally = FuzzTally(relations: arguments.relations)
        var end: ProgramError?
        do throws(ProgramError) {
            try run(seeds, into: &tally, &part, signals: signals)
        } catch {
            end = error
        }
        console.print(tally.text)
        if let out = arguments.out { try Self.write(tally.coverage.document, to: "\(out)/coverage.md") }
        if let end { throw end.code == .interrupted ? Self.interrupted : end }
        if let shard = arguments.shard, let out = arguments.out { try part.write(manifest(shard), to: out) }
        return tally.exitCode
    }

    /// Those of this part.
    private var seeds: ClosedRange<UInt64> {
        get throws(ProgramError) {
            guard let shard = arguments.shard else { return arguments.seeds }
            if let part = shard.part(of: arguments.seeds) { return part }
            throw Shard.tooMany(shard, of: "\(arguments.seeds.count) seeds", most: arguments.seeds.count)
        }
    }

    private func manifest(_ shard: Shard) -> FuzzPartManifest {
        FuzzPartManifest(
            build: LiveBuild.identification(),
            firstSeed: arguments.seeds.lowerBound,
            lastSeed: arguments.seeds.upperBound,
            shard: shard,
            relations: arguments.relations.map(\.rawValue)
        )
    }

    private static let interrupted = ProgramError(
        .interrupted,
        "interrupted; what is told is of the worlds that were judged before"
    )

    private func run(
        _ seeds: ClosedRange<UInt64>,
        into tally: inout FuzzTally,
        _ part: inout FuzzPart,
        signals: LiveSignals
    ) throws(ProgramError) {
        let run = FuzzRun(environment: environment, jobs: arguments.jobs, signals: signals)
        let batch = UInt64(Self.batch / (1 + arguments.relations.count))
        var first = seeds.lowerBound
        let end = arguments.length.map { LiveTime().monotonicNow.advanced(by: $0) }
        while first <= seeds.upperBound, end.map({ LiveTime().monotonicNow < $0 }) ?? true {
            let last = min(first + batch - 1, seeds.upperBound)
            var families: [WorldFamily] = []
            for seed in first...last {
                families.append(WorldFamily(try Self.world(seed), relations: arguments.relations))
            }
            try run.run(families) { (family, findings) throws(ProgramError) in
                tally.add(findings, of: family.world)
                part.add(findings, of: family.world.seed)
                if let out = arguments.out { try Self.keep(family, findings, in: out) }
            }
            if console.showsProgress { console.note("\(tally.count) worlds, \(tally.flawed) with findings\n") }
            first = last + 1
        }
    }

    static func world(_ seed: UInt64) throws(ProgramError) -> DrawnWorld {
        do throws(InvalidScenario) {
            return try WorldGenerator.world(seed: seed)
        } catch {
            throw ProgramError(.invalidScenario, "seed \(seed) draws no valid world", problems: error.problems)
        }
    }

    /// What a worker's outcome says is wrong.
    static func flaws(in outcome: WorkerPool.Outcome) -> [Flaw] { FuzzOutcome(outcome).flaws }

    /// Writes a world with findings, and all of its twins.
    static func keep(_ family: WorldFamily, _ findings: WorldFamily.Findings, in out: String) throws(ProgramError) {
        guard !findings.flaws.isEmpty else { return }
        for member in family.members { try write(member.scenario.text, to: "\(out)/\(member.scenario.file)") }
    }

    static func write(_ text: String, to path: String) throws(ProgramError) {
        do throws(SystemFailure) {
            try LiveFile.write(text: text, to: path)
        } catch {
            throw error.programError
        }
    }
}
