import JSON
import Live
import Platform
import ReportPage
import Scenarios
import Verdict

/// `simctl sweep --grow`: larger and larger worlds, until a requirement breaks.
struct GrowCommand {
    var arguments: GrowArguments
    var console: LiveConsole
    var environment: InheritedEnvironment

    private static let resultName = "growth.json"
    private static let pageName = "growth.html"
    private static let pictureName = "growth.svg"

    /// What is searched, and what is known by now.
    private struct Session {
        var base: CheckedScenario
        var start: Int
        var gates: [Gate]
        var ceiling: GrowthAxis.Ceiling
        var folder: String
        var search: KneeSearch
        var points: [Int: GrowthPoint] = [:]
        var tooSlowAt: Int?
        var cutShort: String?
        var end: ProgramError?
    }

    /// - Throws: `ProgramError` for a scenario or settings that are none, a folder that holds something else, and when nothing can be run or
    ///   written. What ends it before its time does not take back what was found until then.
    func run() throws(ProgramError) -> ExitCode {
        let checked = try ScenarioFiles.read([arguments.file])[0]
        var session = try session(
            try ScenarioVariant.make(checked, arguments.changes, file: checked.file, flag: "--vary")
        )
        try checkFolder(session.folder)
        // What is refused at the size of the file is refused before anything is made.
        _ = try world(of: session, size: session.start, isAgain: false)
        let signals = try RunCommand.signals()
        try LiveFolder.make(session.folder)
        let end = arguments.length.map { LiveTime().monotonicNow.advanced(by: $0) }
        while let step = session.search.next, session.end == nil, session.cutShort == nil {
            if let end, let length = arguments.length, LiveTime().monotonicNow >= end {
                session.cutShort = "--for \(DurationNotation.text(length)) is over"
                break
            }
            try take(step, into: &session, signals: signals)
        }
        return try conclude(session)
    }

    private func session(_ base: CheckedScenario) throws(ProgramError) -> Session {
        guard let start = arguments.axis.size(of: base.scenario) else {
            throw ProgramError(
                .badValue,
                "\(base.file) has nothing that --grow \(arguments.axis.rawValue) could make more of",
                hint: "grow something else: people, items or rate"
            )
        }
        let gates = arguments.until.isEmpty ? base.scenario.expectations.filter(\.holdsAtAnySize) : arguments.until
        guard !gates.isEmpty else {
            throw ProgramError(.missingOperand, "until when?", hint: "--until \"excessLatency.p95 <= 60s\"")
        }
        var ceiling = arguments.axis.ceiling(of: base.scenario)
        if let largest = arguments.largest {
            guard largest >= start else {
                throw ProgramError(
                    .badValue,
                    "--largest \(largest) is less than the file has: \(start) \(arguments.axis.unit)"
                )
            }
            if largest <= ceiling.size { ceiling = GrowthAxis.Ceiling(size: largest, reason: "--largest \(largest)") }
        }
        let name = "\(base.scenario.name)-grow-\(arguments.axis.rawValue)"
        return Session(
            base: base,
            start: start,
            gates: gates,
            ceiling: ceiling,
            folder: arguments.out ?? LiveReportPlace.defaultPath(scenario: name, seeds: arguments.seeds),
            search: KneeSearch(start: start, ceiling: ceiling.size, step: arguments.axis.step(of: base.scenario))
        )
    }

    private func checkFolder(_ folder: String) throws(ProgramError) {
        let names = LiveReportPlace.entries(of: folder).filter {
            [Self.resultName, Self.pageName, Self.pictureName].contains($0)
                || $0.hasPrefix("\(arguments.axis.rawValue)=")
        }
        try LiveFolder.check(folder, holdsOnly: Set(names), what: "a search along \(arguments.axis.rawValue)")
    }

    // MARK: one size

    private func take(_ step: KneeSearch.Step, into session: inout Session, signals: LiveSignals) throws(ProgramError) {
        let (size, isAgain) = step.place
        guard size != session.tooSlowAt else { return session.search.take(.fail, of: step) }
        let run = try world(of: session, size: size, isAgain: isAgain)
        tell(run, isAgain: isAgain)
        do throws(ProgramError) {
            try judge(run, seeds: isAgain ? moreSeeds : arguments.seeds, signals: signals)
            let point = try GrowthPoint.read(size, run)
            if !isAgain { session.points[size] = point }
            session.search.take(point.verdict, of: step)
        } catch  where error.code == .timeLimitExceeded {
            console.note(error.text)
            session.tooSlowAt = size
            session.search.take(.fail, of: step)
        } catch  where error.code == .interrupted {
            session.cutShort = "interrupted"
            session.end = error
        }
    }

    /// As many, behind those of the search.
    private var moreSeeds: ClosedRange<UInt64> {
        (arguments.seeds.upperBound + 1)...(arguments.seeds.upperBound + UInt64(arguments.seeds.count))
    }

    /// The world of a size as a scenario of its own, which can be run by itself.
    private func world(of session: Session, size: Int, isAgain: Bool) throws(ProgramError) -> VariantRuns.Run {
        var scenario = arguments.axis.grown(session.base.scenario, to: size)
        scenario.expectations = session.gates
        scenario.probes = []
        let name = "\(arguments.axis.rawValue)=\(size)"
        let file = "\(session.folder)/\(name).json"
        let text = ScenarioEncoder.scenario(scenario).text(indented: true) + "\n"
        do throws(InvalidScenario) {
            let read = try ScenarioReader.read(Array(text.utf8), file: file)
            return VariantRuns.Run(
                checked: CheckedScenario(file: file, text: text, scenario: read),
                folder: "\(session.folder)/\(name)\(isAgain ? "-again" : "")"
            )
        } catch {
            throw ProgramError(
                .invalidScenario,
                "\(arguments.file) cannot be grown to \(size) \(arguments.axis.unit)",
                hint: "--largest ends the search before, or --until asks for something else",
                problems: error.problems
            )
        }
    }

    /// Leaves a report of the size, unless there is one already.
    private func judge(_ run: VariantRuns.Run, seeds: ClosedRange<UInt64>, signals: LiveSignals) throws(ProgramError) {
        guard LiveReportPlace.entries(of: run.folder).isEmpty else {
            let report = try ReadReport.read(run.folder)
            let build = LiveBuild.identification()
            guard report.isReport(of: run.checked.scenario, seeds: seeds, build: build),
                report.judges(run.checked.scenario)
            else {
                throw ProgramError(
                    .notComparable,
                    "\(run.folder) is a report of another scenario, other seeds, other requirements or another build, and is kept",
                    hint: "name a new folder with --out DIR"
                )
            }
            return
        }
        try Self.write(run.checked.text, to: run.checked.file)
        // What goes wrong is told by this command, and once.
        var console = console
        console.style.isJSON = false
        let runs = VariantRuns(
            console: console,
            environment: environment,
            seeds: seeds,
            jobs: arguments.jobs,
            timeLimit: arguments.timeLimit
        )
        guard let code = try runs.run([run], signals: signals) else { return }
        throw ProgramError(.workerFailed, "\(run.checked.file) has no report: exit code \(code.rawValue)")
    }

    private func tell(_ run: VariantRuns.Run, isAgain: Bool) {
        guard !console.style.isJSON, !console.style.isQuiet else { return }
        let isThere = !LiveReportPlace.entries(of: run.folder).isEmpty
        console.note("\(isThere ? "has its report" : "runs"): \(run.folder)\n")
    }

    // MARK: the end

    private func conclude(_ session: Session) throws(ProgramError) -> ExitCode {
        let growth = Growth(
            of: session.base.scenario,
            along: arguments.axis,
            rules: session.gates,
            seeds: arguments.seeds,
            points: Array(session.points.values),
            search: session.search,
            ceiling: session.ceiling,
            tooSlowAt: session.tooSlowAt,
            cutShort: session.cutShort
        )
        try Self.write(GrowthFile.text(growth), to: "\(session.folder)/\(Self.resultName)")
        try Self.write(GrowthPage.text(growth), to: "\(session.folder)/\(Self.pageName)")
        if let picture = GrowthPage.picture(growth) {
            try Self.write(picture, to: "\(session.folder)/\(Self.pictureName)")
        }
        if console.style.isJSON {
            console.print(GrowthFile.value(growth))
        } else {
            console.print(GrowthText.render(growth, isQuiet: console.style.isQuiet))
            tellFile(growth, session)
        }
        return session.end?.code.exitCode ?? growth.exitCode
    }

    /// How the last world is run by itself.
    private func tellFile(_ growth: Growth, _ session: Session) {
        guard !console.style.isQuiet, let size = growth.endSize else { return }
        let seeds = "\(arguments.seeds.lowerBound)..\(arguments.seeds.upperBound)"
        console.print("\nsimctl run \(session.folder)/\(arguments.axis.rawValue)=\(size).json --seeds \(seeds)\n")
    }

    private static func write(_ text: String, to path: String) throws(ProgramError) {
        do throws(SystemFailure) {
            try LiveFile.write(text: text, to: path)
        } catch {
            throw error.programError
        }
    }
}

extension KneeSearch.Step {
    /// Which size, and whether it is run again.
    fileprivate var place: (size: Int, isAgain: Bool) {
        switch self {
        case .probe(let size): (size, false)
        case .confirm(let size): (size, true)
        }
    }
}

extension Gate {
    /// Whether it asks the same of a larger world: totals do not.
    fileprivate var holdsAtAnySize: Bool { metric != .requestsGitLab && metric != .requestsAPNs }
}

extension GrowthPoint {
    fileprivate static func read(_ size: Int, _ run: VariantRuns.Run) throws(ProgramError) -> GrowthPoint {
        do {
            return try GrowthPoint(size: size, report: run.folder, of: run.checked.scenario)
        } catch let error as ReportError {
            throw ProgramError(error)
        } catch {
            throw ProgramError(.unreadableReport, "\(run.folder) cannot be read: \(error)")
        }
    }
}
