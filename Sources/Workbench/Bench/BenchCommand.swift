import JSON
import Platform
import Scenarios
import Verdict

/// `simctl bench`: how fast and how frugal a run is, each figure beside its goal.
struct BenchCommand {
    static let referenceDay = "scenarios/bench/reference-day.json"
    static let quietMonth = "scenarios/quiet-month.json"
    static let teamDay = "scenarios/bench/big-team.json"

    /// What one person with twenty items may cost GitLab in an hour, on a day on which two hundred things happen.
    private static let requestsPerPersonHour = 575.0

    var console: LiveConsole
    var environment: InheritedEnvironment
    /// Which figures are wanted.
    var part = BenchPart.all

    /// Exit code 1 when a goal is missed.
    ///
    /// - Throws: `ProgramError` when something could not be measured.
    func run() throws(ProgramError) -> ExitCode {
        let figures: [Figure] =
            switch part {
            case .duties: [LiveDutyYear.figure()]
            case .team: [try ofTeam()]
            case .all: [LiveDutyYear.figure()] + (try ofRuns())
            }
        print(figures)
        return figures.allSatisfy(\.isMet) ? .met : .failed
    }

    /// How much memory three hundred people's day takes, judged.
    private func ofTeam() throws(ProgramError) -> Figure {
        let day = try ScenarioFiles.read([Self.teamDay])[0]
        let meter = BenchMeter(environment: environment, signals: try RunCommand.signals())
        return Figure(
            name: "team-day.memory",
            value: Double(try meter.measure(day.scenario, repeats: 1).peakBytes) / 1e6,
            kind: .value,
            unit: "MB",
            goal: .atMost(300),
            method: "most resident memory of a worker after one run"
        )
    }

    private func ofRuns() throws(ProgramError) -> [Figure] {
        let scenarios = try ScenarioFiles.read([Self.referenceDay, Self.quietMonth])
        let (day, month) = (scenarios[0], scenarios[1])
        let signals = try RunCommand.signals()
        let meter = BenchMeter(environment: environment, signals: signals)
        var figures: [Figure] = []
        figures += try oneDay(day, meter)
        figures.append(try oneMonth(month, meter))
        figures += try growth(day, meter)
        figures.append(try firstLine(day, meter))
        figures.append(try manySeeds(day, meter))
        return figures
    }

    private func oneDay(_ day: CheckedScenario, _ meter: BenchMeter) throws(ProgramError) -> [Figure] {
        let memory = try meter.measure(day.scenario, repeats: 1).peakBytes
        let measured = try meter.measure(day.scenario, repeats: 7)
        let seconds = measured.medianSeconds
        let simulated = Double(measured.simulatedNanoseconds) / 1e9
        return [
            Figure(
                name: "reference-day.speed",
                value: simulated / seconds,
                kind: .ratio,
                unit: "x real time",
                goal: .atLeast(100_000),
                method: "median of 7, planned, run and judged on one core"
            ),
            Figure(
                name: "reference-day.events",
                value: Double(measured.steps) / seconds,
                kind: .value,
                unit: "events/s",
                goal: .atLeast(100_000),
                method: "\(measured.steps) jobs and events in the median of 7"
            ),
            Figure(
                name: "reference-day.memory",
                value: Double(memory) / 1e6,
                kind: .value,
                unit: "MB",
                goal: .atMost(60),
                method: "most resident memory of a worker after one run"
            ),
            Figure(
                name: "reference-day.requests",
                value: measured.requestsPerPersonHour,
                kind: .ratio,
                unit: "requests/h, person",
                goal: .atMost(Self.requestsPerPersonHour),
                method: "to GitLab for one person, the same on every machine"
            ),
        ]
    }

    private func oneMonth(_ month: CheckedScenario, _ meter: BenchMeter) throws(ProgramError) -> Figure {
        Figure(
            name: "quiet-month.time",
            value: try meter.measure(month.scenario, repeats: 5).medianSeconds,
            kind: .value,
            unit: "s",
            goal: .atMost(2),
            method: "median of 5, planned, run and judged on one core"
        )
    }

    private func growth(_ day: CheckedScenario, _ meter: BenchMeter) throws(ProgramError) -> [Figure] {
        let base = try meter.measure(GrownScenario.baseline(day.scenario), repeats: 5)
        let items = try meter.measure(GrownScenario.withItems(day.scenario, times: 10), repeats: 3)
        let people = try meter.measure(GrownScenario.withPeople(day.scenario, times: 10), repeats: 3)
        return [("growth.items", items), ("growth.people", people)].map { name, grown in
            Figure(
                name: name,
                value: grown.fastestSecondsPerHour / base.fastestSecondsPerHour,
                kind: .ratio,
                unit: "x time for 10 x",
                goal: .atMost(11),
                method: "fastest of 3 over fastest of 5, per simulated hour, poll interval fixed"
            )
        }
    }

    private func firstLine(_ day: CheckedScenario, _ meter: BenchMeter) throws(ProgramError) -> Figure {
        Figure(
            name: "first-line.latency",
            value: try meter.firstLineMilliseconds(file: day.file, repeats: 9),
            kind: .value,
            unit: "ms",
            goal: .atMost(100),
            method: "median of 9, from starting simctl run to its first byte"
        )
    }

    private func manySeeds(_ day: CheckedScenario, _ meter: BenchMeter) throws(ProgramError) -> Figure {
        Figure(
            name: "reference-day.299-seeds",
            value: try meter.runSeconds(file: day.file, seeds: "1..299", jobs: 2),
            kind: .value,
            unit: "s",
            goal: .atMost(15),
            method: "one simctl run with two workers, report included"
        )
    }

    private func print(_ figures: [Figure]) {
        if console.style.isJSON {
            console.print(
                .object([
                    JSONMember("build", .string(LiveBuild.identification())),
                    JSONMember("figures", .array(figures.map(\.json))),
                    JSONMember("met", .bool(figures.allSatisfy(\.isMet))),
                ])
            )
        } else {
            let shown = console.style.isQuiet ? figures.filter { !$0.isMet } : figures
            console.print(FigureTable.text(shown))
        }
    }
}
