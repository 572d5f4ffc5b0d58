import Glibc
import Harness
import JSON
import Live
import Platform
import Scenarios
import Verdict

/// `simctl run --live`: every scenario on sockets against `notifierd`, and in simulation beside it.
struct LiveRunCommand {
    var arguments: RunArguments
    var live: LiveArguments
    var console: LiveConsole
    var environment: InheritedEnvironment

    /// One scenario, both ways.
    private struct Pair {
        var comparison: LiveComparison
        var report: RunReport
        var leftOut: [String]
        /// Why the incident report is not where it should be; the run itself counts all the same.
        var incidentFault: ProgramError?
    }

    /// - Throws: `ProgramError` when something cannot be run at all; scenarios before it are reported.
    func run() throws(ProgramError) -> ExitCode {
        let scenarios = try ScenarioFiles.read(arguments.files)
        let program = try program()
        guard live.incident == nil || scenarios.count == 1 else {
            throw ProgramError(
                .conflictingFlags,
                "--incident keeps the report of one scenario",
                hint: "run them one after the other, each with a file of its own"
            )
        }
        // Before the run, which may take hours.
        var incident: LiveNewFile?
        if let path = live.incident { incident = try LiveNewFile(path) }
        let signals = try RunCommand.signals()
        var codes: [ExitCode] = []
        for checked in scenarios {
            do {
                codes.append(try run(checked, program, incident, signals))
            } catch let error as ProgramError {
                throw error
            } catch let error as SystemFailure {
                throw error.programError
            } catch {
                throw ProgramError(.system, "\(checked.file): \(error)")
            }
        }
        return .worst(of: codes)
    }

    private func program() throws(ProgramError) -> String {
        let path = live.notifierd.map(absolutePath) ?? LiveProgramFile.path(beside: "notifierd")
        guard access(path, X_OK) == 0 else {
            throw ProgramError(.system, "there is no program \(path)", hint: "name it: --notifierd PATH")
        }
        return path
    }

    private func run(
        _ checked: CheckedScenario,
        _ program: String,
        _ incident: LiveNewFile?,
        _ signals: LiveSignals
    ) throws -> ExitCode {
        let seeds = arguments.seeds.seeds(of: checked.scenario)
        let place = LiveReportPlace(path: path(for: checked.scenario, seeds))
        try place.prepare()
        defer { place.abandon() }
        if !console.style.isJSON, !console.style.isQuiet {
            console.print(RunHeader.text(checked.scenario, seeds: seeds, build: LiveBuild.identification()))
        }
        var run = LiveRun(notifierd: program, speed: live.speed, signals: signals, inherited: environment)
        run.options.exportsIncident = incident != nil
        let pair = try perform(checked, seeds, run, incident, into: place.staging)
        try ReportFiles.write(pair.report, hasLedger: seeds.count == 1, to: place.staging)
        try LiveFile.write(text: pair.comparison.json.text(indented: true) + "\n", to: "\(place.staging)/live.json")
        try ReportFiles.writePage(in: place.staging)
        try place.commit()
        tell(pair, checked.scenario, place)
        if let fault = pair.incidentFault { throw fault }
        return pair.comparison.holds ? pair.report.exitCode : .worst(of: [pair.report.exitCode, .failed])
    }

    private func perform(
        _ checked: CheckedScenario,
        _ seeds: ClosedRange<UInt64>,
        _ run: LiveRun,
        _ incident: LiveNewFile?,
        into folder: String
    ) throws -> Pair {
        var sides = (live: [SeedResult](), simulated: [SeedResult]())
        var ledgers = (live: [LedgerLine](), simulated: [LedgerLine]())
        var leftOut: [String] = []
        var incidentFault: ProgramError?
        var lateness = Lateness(speed: live.speed)
        for seed in seeds {
            let plan = LivePlan(try checked.scenario.plan(seed: seed))
            leftOut = plan.leftOut
            let start = LiveClock.now
            let played = try run.perform(plan.plan)
            let outcome = played.run
            lateness.merge(played.lateness)
            var result = Assessment.assess(outcome.record)
            result.wallNanoseconds = start.duration(to: LiveClock.now).wholeNanoseconds
            sides.live.append(result)
            ledgers.live += Assessment.ledger(outcome.record)
            if seed == seeds.lowerBound {
                if let incident { incidentFault = Self.fault(writing: outcome.incidentLines, to: incident) }
                try LiveFile.write(lines: outcome.traceLines, to: "\(folder)/\(ReportFiles.trace)")
                try ReportFiles.writeDetails(outcome, seedCount: seeds.count, to: folder)
            }
            let record = try ScenarioRun.perform(plan.plan).record
            sides.simulated.append(Assessment.assess(record))
            ledgers.simulated += Assessment.ledger(record)
        }
        let report = report(checked, sides.live)
        let comparison = LiveComparison(
            live: report,
            ledgers.live,
            simulated: self.report(checked, sides.simulated),
            ledgers.simulated,
            lateness: lateness
        )
        return Pair(comparison: comparison, report: report, leftOut: leftOut, incidentFault: incidentFault)
    }

    /// Nil when everything is in the file.
    private static func fault(writing lines: [String], to incident: LiveNewFile) -> ProgramError? {
        guard !lines.isEmpty else {
            return ProgramError(.system, "notifierd export-incident did not end well, so there is no \(incident.path)")
        }
        do throws(SystemFailure) {
            try incident.write(lines: lines)
            return nil
        } catch {
            return error.programError
        }
    }

    private func report(_ checked: CheckedScenario, _ results: [SeedResult]) -> RunReport {
        RunReport(
            scenario: checked.scenario,
            results: results,
            build: LiveBuild.identification(),
            scenarioPath: checked.file
        )
    }

    private func path(for scenario: Scenario, _ seeds: ClosedRange<UInt64>) -> String {
        let name = LiveReportPlace.folderName(scenario: "\(scenario.name)-live", seeds: seeds)
        guard let out = arguments.out else { return "\(LiveReportPlace.root)/\(name)" }
        return arguments.files.count > 1 ? "\(out)/\(name)" : out
    }

    private func tell(_ pair: Pair, _ scenario: Scenario, _ place: LiveReportPlace) {
        guard !console.style.isJSON else {
            return console.print(
                .object([
                    JSONMember("scenario", .string(scenario.name)), JSONMember("comparison", pair.comparison.json),
                    JSONMember("leftOut", .strings(pair.leftOut)), JSONMember("report", SummaryFile.value(pair.report)),
                ])
            )
        }
        if !console.style.isQuiet {
            var options = TerminalSummary.Options()
            options.isColoured = console.usesColour
            options.reportFolder = place.path
            console.print(TerminalSummary.render(pair.report, options: options) + "\n")
        }
        let name = console.style.isQuiet ? ["\(scenario.name), live at \(live.speed) times the clock's speed"] : []
        let lines = name + pair.comparison.lines + pair.leftOut.map { " left out: \($0)" }
        console.print(lines.map { TerminalText.plain($0) + "\n" }.joined())
    }
}
