import Live
import Platform
import Scenarios
import Verdict

/// `simctl fuzz`: draws a world from each seed, runs it and says what is wrong once it has come to rest.
struct FuzzCommand {
    var arguments: FuzzArguments
    var console: LiveConsole
    var environment: InheritedEnvironment

    /// Worlds that a pool of workers holds at the same time.
    private static let batch: UInt64 = 64

    /// Exit code 1 when anything was found.
    ///
    /// - Throws: `ProgramError` when worlds could not be drawn or run.
    func run() throws(ProgramError) -> ExitCode {
        let signals = try RunCommand.signals()
        if let out = arguments.out { try LiveFolder.make(out) }
        var tally = FuzzTally()
        var first = arguments.seeds.lowerBound
        let end = arguments.length.map { LiveTime().monotonicNow.advanced(by: $0) }
        while first <= arguments.seeds.upperBound, end.map({ LiveTime().monotonicNow < $0 }) ?? true {
            let last = min(first + Self.batch - 1, arguments.seeds.upperBound)
            try run(first...last, into: &tally, signals: signals)
            if console.showsProgress { console.note("\(tally.count) worlds, \(tally.flawed) with findings\n") }
            first = last + 1
        }
        console.print(tally.text)
        if let out = arguments.out { try Self.write(tally.coverage.document, to: "\(out)/coverage.md") }
        return tally.exitCode
    }

    private func run(
        _ seeds: ClosedRange<UInt64>,
        into tally: inout FuzzTally,
        signals: LiveSignals
    ) throws(ProgramError) {
        var worlds: [DrawnWorld] = []
        for seed in seeds { worlds.append(try Self.world(seed)) }
        var pool = WorkerPool(
            count: arguments.jobs ?? LiveEnvironment.coreCount,
            preamble: worlds.enumerated().map { number, world in
                .load(scenario: number, source: ScenarioSource(file: "fuzz-\(world.seed).json", text: world.text))
            },
            timeLimit: RunArguments.defaultTimeLimit,
            signals: signals,
            launch: { [environment] _ in .worker(environment) }
        )
        let orders = worlds.enumerated().map { WorkerRequest.judge(RunOrder(scenario: $0, seed: $1.seed)) }
        try pool.run(orders) { (request, outcome) throws(ProgramError) in
            guard case .judge(let order) = request else { return [] }
            let (flaws, probes) = Self.judged(outcome)
            tally.add(flaws, probes: probes, of: worlds[order.scenario])
            if !flaws.isEmpty { try self.keep(worlds[order.scenario]) }
            return []
        }
    }

    private static func world(_ seed: UInt64) throws(ProgramError) -> DrawnWorld {
        do throws(InvalidScenario) {
            return try WorldGenerator.world(seed: seed)
        } catch {
            throw ProgramError(.invalidScenario, "seed \(seed) draws no valid world", problems: error.problems)
        }
    }

    /// What a worker's outcome says is wrong.
    static func flaws(in outcome: WorkerPool.Outcome) -> [Flaw] { judged(outcome).flaws }

    /// What a worker's outcome says is wrong, and which probes its run reached.
    private static func judged(_ outcome: WorkerPool.Outcome) -> (flaws: [Flaw], probes: [String]) {
        switch outcome {
        case .crash(let crash): return ([Flaw(.crash, crash.cause)], [])
        case .answer(let line):
            do throws(ProgramError) {
                guard case .judged(let result) = try WorkerResponse(line: line) else { throw WorkerResponse.unexpected }
                return (result.flaws, result.reachedProbes)
            } catch {
                return ([Flaw(.internalError, error.message)], [])
            }
        }
    }

    private func keep(_ world: DrawnWorld) throws(ProgramError) {
        guard let out = arguments.out else { return }
        try Self.write(world.text, to: "\(out)/fuzz-\(world.seed).json")
    }

    private static func write(_ text: String, to path: String) throws(ProgramError) {
        do throws(SystemFailure) {
            try LiveFile.write(text: text, to: path)
        } catch {
            throw error.programError
        }
    }
}
