import JSON
import Platform
import Scenarios
import Verdict

/// One call of `simctl run` while it lasts: what has come in, what is still out, what was reported.
final class RunSession {
    private let arguments: RunArguments
    private let jobs: [RunJob]
    private let build: String
    private let console: LiveConsole
    private let start: MonotonicInstant
    /// Whether each report is told as soon as it is there.
    private let tellsReports: Bool
    /// What the one scenario is held against.
    private let baseline: RunBaseline?

    private var tallies: [ScenarioTally]
    /// Scenarios whose details have been written, or of which there is nothing to write.
    private var isTold: [Bool]
    /// When the last seed of each scenario came in.
    private var finished: [MonotonicInstant]
    private var progress: ProgressLine
    /// Scenarios before this one are reported, in the order of the files.
    private var reported = 0
    private var exitCodes: [ExitCode] = []

    init(
        arguments: RunArguments,
        jobs: [RunJob],
        build: String,
        console: LiveConsole,
        start: MonotonicInstant,
        tellsReports: Bool = true,
        baseline: RunBaseline? = nil
    ) {
        self.arguments = arguments
        self.jobs = jobs
        self.build = build
        self.console = console
        self.start = start
        self.tellsReports = tellsReports
        self.baseline = baseline
        tallies = jobs.map(\.tally)
        isTold = jobs.map { _ in false }
        finished = jobs.map { _ in start }
        progress = ProgressLine(total: tallies.reduce(0) { $0 + $1.seeds.count }, start: start)
    }

    /// Carries out everything that is not known yet and reports each scenario as soon as it and those before it are complete.
    func run(launch: ProcessLaunch, signals: LiveSignals) throws(ProgramError) -> ExitCode {
        announceNext()
        var pool = WorkerPool(
            count: arguments.jobs ?? LiveEnvironment.coreCount,
            preamble: jobs.enumerated().map { number, job in
                .load(scenario: number, source: ScenarioSource(file: job.checked.file, text: job.checked.text))
            },
            timeLimit: arguments.timeLimit,
            signals: signals,
            onTick: { [self] in showProgress() },
            launch: { _ in launch }
        )
        defer { hideProgress() }
        let known = tallies.indices.filter { tallies[$0].isComplete }.flatMap(detailRequest)
        try pool.run(known + seedRequests) { (request, outcome) throws(ProgramError) in
            let more = self.take(outcome, of: request)
            if more.isEmpty { self.reportComplete() }
            return more
        }
        reportComplete()
        return .worst(of: exitCodes)
    }

    private var seedRequests: [WorkerRequest] {
        tallies.enumerated().flatMap { number, tally in
            tally.isComplete ? [] : tally.seeds.map { seed in .judge(order(number, seed)) }
        }
    }

    private func order(_ number: Int, _ seed: UInt64) -> RunOrder {
        RunOrder(
            scenario: number,
            seed: seed,
            exploresSchedules: arguments.exploresSchedules,
            metricsEveryMilliseconds: arguments.metricsEvery?.wholeMilliseconds
        )
    }

    // MARK: What comes in

    /// Notes an outcome and says what it calls for. What goes wrong with one scenario does not keep the others from being
    /// reported.
    private func take(_ outcome: WorkerPool.Outcome, of request: WorkerRequest) -> [WorkerRequest] {
        switch request {
        case .judge(let order): return takeSeed(outcome, of: order)
        case .detail(let order, _, _): takeDetail(outcome, of: order)
        case .load, .digests, .measure, .countSteps: break
        }
        return []
    }

    private func takeSeed(_ outcome: WorkerPool.Outcome, of order: RunOrder) -> [WorkerRequest] {
        let number = order.scenario
        do throws(ProgramError) {
            switch outcome {
            case .crash(let crash): tallies[number].add(SeedCrash(crash, seed: order.seed))
            case .answer(let line): tallies[number].add(try Self.result(line, of: order))
            }
        } catch {
            tallies[number].lose(error)
        }
        guard tallies[number].isComplete else { return [] }
        finished[number] = LiveClock.now
        return detailRequest(for: number)
    }

    private static func result(_ line: [UInt8], of order: RunOrder) throws(ProgramError) -> SeedResult {
        guard case .judged(let result) = try WorkerResponse(line: line), result.seed == order.seed else {
            throw WorkerResponse.unexpected
        }
        return result
    }

    /// The run to tell in detail: the first seed that went wrong, else the first. A seed that crashed has no story beyond
    /// its backtrace.
    private func detailRequest(for number: Int) -> [WorkerRequest] {
        guard tallies[number].failure == nil, let seed = report(number, wall: nil, crashes: []).seedToTell else {
            isTold[number] = true
            return []
        }
        let folder = absolutePath(jobs[number].place.staging)
        return [.detail(order(number, seed), seedCount: tallies[number].seeds.count, folder: folder)]
    }

    private func takeDetail(_ outcome: WorkerPool.Outcome, of order: RunOrder) {
        isTold[order.scenario] = true
        let first = tallies[order.scenario].digest(of: order.seed) ?? ""
        do throws(ProgramError) {
            guard case .answer(let line) = outcome else { throw notDeterministic(order, first, "a crash") }
            guard case .detailed(let second) = try WorkerResponse(line: line) else { throw WorkerResponse.unexpected }
            guard first == second else { throw notDeterministic(order, first, second) }
        } catch {
            tallies[order.scenario].fail(error)
        }
    }

    private func notDeterministic(_ order: RunOrder, _ first: String, _ second: String) -> ProgramError {
        let file = jobs[order.scenario].checked.file
        return ProgramError(
            .notDeterministic,
            "seed \(order.seed) of \(file) gave two different runs: \(first), then \(second); it has no report",
            hint: "simctl doctor \(file)"
        )
    }

    // MARK: What goes out

    private func reportComplete() {
        while reported < jobs.count && tallies[reported].isComplete && isTold[reported] {
            hideProgress()
            do throws(ProgramError) {
                try report(reported)
            } catch {
                console.report(error)
                exitCodes.append(error.code.exitCode)
            }
            reported += 1
            announceNext()
        }
    }

    /// - Throws: `ProgramError` when there is no report, which is then that scenario's result.
    private func report(_ number: Int) throws(ProgramError) {
        if let failure = tallies[number].failure { throw failure }
        let report = report(number, wall: wallNanoseconds(of: number), crashes: tallies[number].crashes)
        let hasLedger = tallies[number].seeds.count == 1 && report.crashes.isEmpty
        let place = jobs[number].place
        try ReportFiles.write(report, hasLedger: hasLedger, to: place.staging)
        if let manifest = jobs[number].shard {
            let shard = ShardFolder(manifest, results: report.results, crashes: report.crashes)
            try shard.write(to: place.staging)
        }
        try ReportFiles.writePage(in: place.staging)
        try place.commit()
        exitCodes.append(report.exitCode)
        // The report stays even when it cannot be held against the baseline.
        let judgement = Result { () throws(ProgramError) in try baseline?.judge(place.path) }
        if tellsReports { console.print(text(of: report, (try? judgement.get()) ?? nil, folder: place.path)) }
        if let code = try judgement.get()?.exitCode { exitCodes.append(code) }
    }

    /// Real time from the last seed of the scenarios before this one until its own last seed; nil when its seeds were all
    /// in before theirs.
    private func wallNanoseconds(of number: Int) -> Int64? {
        let began = finished[..<number].max() ?? start
        let wall = began.duration(to: finished[number]).wholeNanoseconds
        return wall > 0 ? wall : nil
    }

    private func report(_ number: Int, wall: Int64?, crashes: [SeedCrash]) -> RunReport {
        RunReport(
            scenario: jobs[number].checked.scenario,
            results: tallies[number].results,
            crashes: crashes,
            build: build,
            scenarioPath: jobs[number].checked.file,
            wallNanoseconds: wall
        )
    }

    private func text(of report: RunReport, _ judgement: BaselineJudgement?, folder: String) -> String {
        guard !console.style.isJSON else {
            let value = SummaryFile.value(report)
            return (judgement.map { value.with("baseline", $0.json) } ?? value).text(indented: false) + "\n"
        }
        var options = TerminalSummary.Options()
        options.isColoured = console.usesColour
        options.isQuiet = console.style.isQuiet
        options.reportFolder = folder
        options.tellsExit = judgement == nil
        let text =
            TerminalSummary.render(report, options: options)
            + (judgement?.text(after: report, isQuiet: console.style.isQuiet) ?? "")
        return console.style.isQuiet && jobs.count > 1 ? named(text, report.scenario.name) : text
    }

    /// Lines that say which scenario each of them is about.
    private func named(_ text: String, _ name: String) -> String {
        let width = jobs.map(\.checked.scenario.name.count).max() ?? 0
        let start = TerminalText.padded(name, to: width)
        return text.split(separator: "\n").map { "\(start) \($0)\n" }.joined()
    }

    /// The first line of a scenario, before its seeds are in.
    private func announceNext() {
        guard reported < jobs.count, tellsReports, !console.style.isJSON, !console.style.isQuiet else { return }
        let scenario = jobs[reported].checked.scenario
        console.print(RunHeader.text(scenario, seeds: tallies[reported].seeds, build: build))
    }

    private func showProgress() {
        guard console.showsProgress else { return }
        let done = tallies.reduce(0) { $0 + $1.received }
        let crashes = tallies.reduce(0) { $0 + $1.crashes.count }
        guard let text = progress.text(now: LiveClock.now, done: done, crashes: crashes) else { return }
        console.note(text)
    }

    private func hideProgress() {
        if progress.isShown { console.note(ProgressLine.erase) }
    }
}

extension RunReport {
    /// The seed to tell in detail: the one that the report names as the worst when it fails, else the first. Nil when none
    /// came to its end.
    fileprivate var seedToTell: UInt64? {
        verdict == .fail ? worstSeed : results.first?.seed
    }
}
