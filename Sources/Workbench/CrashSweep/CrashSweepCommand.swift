import JSON
import Platform
import Scenarios
import Verdict

/// `simctl crash-sweep`: every durable step of a run is a crash of its own, or a loss of power, and each is judged once the world has come
/// to rest.
struct CrashSweepCommand {
    var arguments: CrashSweepArguments
    var console: LiveConsole
    var environment: InheritedEnvironment

    /// Crashes that a pool of workers holds at the same time.
    private static let batch = 64

    /// Exit code 1 when a crash has findings that the run without one does not have, 2 when none came.
    ///
    /// - Throws: `ProgramError` when the scenario is none, the run never reaches the step of `--at`, or nothing can be run or written.
    func run() throws(ProgramError) -> ExitCode {
        let checked = try ScenarioFiles.read([arguments.file])[0]
        let seed = arguments.seed.seeds(of: checked.scenario).lowerBound
        let signals = try RunCommand.signals()
        if let out = arguments.out { try LiveFolder.make(out) }
        let whole = Self.document(checked.text)
        let plain = try survey(checked, seed, signals)
        try arguments.checkThatItComes(plain.counts.all)
        var tally = CrashTally(
            file: arguments.file,
            seed: seed,
            keeps: arguments.keeps,
            known: Set(plain.run.findings(in: checked.scenario))
        )
        let points = arguments.points(of: plain.counts.all)
        for start in stride(from: 0, to: points.count, by: Self.batch) {
            let batch = Array(points[start..<min(start + Self.batch, points.count)])
            try run(batch, of: whole, seed, beside: plain, into: &tally, signals)
            if console.showsProgress {
                console.note("\(tally.count) of \(points.count), \(tally.flawed) with findings\n")
            }
        }
        console.print(tally.text)
        return tally.exitCode
    }

    /// What the run without a crash shows.
    private struct Survey {
        var scenario: Scenario
        var counts: StepCounts
        var run: SweptRun
    }

    private func survey(
        _ checked: CheckedScenario,
        _ seed: UInt64,
        _ signals: LiveSignals
    ) throws(ProgramError) -> Survey {
        var survey = Survey(scenario: checked.scenario, counts: StepCounts(), run: SweptRun())
        let end = checked.scenario.duration - CrashPoint.downFor
        let order = RunOrder(scenario: 0, seed: seed)
        var pool = pool([checked.text], signals)
        let orders = [WorkerRequest.judge(order), .countSteps(order, untilMilliseconds: end.wholeMilliseconds)]
        try pool.run(orders) { (request, outcome) throws(ProgramError) in
            if case .judge = request {
                survey.run = SweptRun(outcome)
            } else if case .answer(let line) = outcome {
                guard case .counted(let counts) = try WorkerResponse(line: line) else {
                    throw WorkerResponse.unexpected
                }
                survey.counts = counts
            }
            return []
        }
        return survey
    }

    private func run(
        _ points: [CrashPoint],
        of whole: JSONValue,
        _ seed: UInt64,
        beside plain: Survey,
        into tally: inout CrashTally,
        _ signals: LiveSignals
    ) throws(ProgramError) {
        let texts = points.map { point in
            let starts = plain.counts.starts(before: point.first)
            let document = point.added(to: whole, keeping: arguments.keeps, startsBefore: starts)
            return document.text(indented: true) + "\n"
        }
        var pool = pool(texts, signals)
        let orders = points.indices.map { WorkerRequest.judge(RunOrder(scenario: $0, seed: seed)) }
        try pool.run(orders) { (request, outcome) throws(ProgramError) in
            guard case .judge(let order) = request else { return [] }
            let point = points[order.scenario]
            let run = SweptRun(outcome)
            let findings = run.findings(in: plain.scenario, beside: plain.run, at: point)
            let found = tally.add(findings, at: point, came: run.came(point))
            if !found.isEmpty { try self.keep(texts[order.scenario], of: point) }
            return []
        }
    }

    private func pool(_ texts: [String], _ signals: LiveSignals) -> WorkerPool {
        WorkerPool(
            count: arguments.jobs ?? LiveEnvironment.coreCount,
            preamble: texts.enumerated().map { number, text in
                .load(scenario: number, source: ScenarioSource(file: arguments.file, text: text))
            },
            timeLimit: RunArguments.defaultTimeLimit,
            signals: signals,
            launch: { [environment] _ in .worker(environment) }
        )
    }

    private static func document(_ text: String) -> JSONValue {
        var reader = JSONReader(bytes: Array(text.utf8))
        guard let node = try? reader.read() else { preconditionFailure("a scenario that was checked is JSON") }
        return node.value
    }

    private func keep(_ text: String, of point: CrashPoint) throws(ProgramError) {
        guard let out = arguments.out else { return }
        do throws(SystemFailure) {
            try LiveFile.write(text: text, to: "\(out)/crash-\(point.fileName).json")
        } catch {
            throw error.programError
        }
    }
}
