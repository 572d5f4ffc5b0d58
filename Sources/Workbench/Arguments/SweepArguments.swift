import JSON
import Platform
import Scenarios
import Verdict

/// The arguments of `simctl sweep`.
struct SweepArguments: Equatable {
    var file: String
    var grid: SweepGrid
    var wants: [SweepWant] = []
    var seeds = SeedSelection.range(1...10)
    /// The folder named with `--out`.
    var out: String?
    /// The part of the combinations that this call runs; nil for all of them.
    var shard: Shard?
    var jobs: Int?
    var timeLimit = RunArguments.defaultTimeLimit
    var output = OutputStyle()

    /// More bounds than these are refused.
    private static let maximumWants = 5
}

extension SweepArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        file = arguments.operands[0]
        for other in ["--until", "--largest", "--for"] where arguments.has(other) {
            throw ProgramError(
                .conflictingFlags,
                "\(other) goes with --grow",
                hint: "simctl sweep FILE --grow people \(other) …"
            )
        }
        var keys: [SweepGrid.Key] = []
        for text in arguments.all("--vary") { keys.append(try Self.key(text)) }
        grid = try SweepGrid(keys)
        for text in arguments.all("--want") { wants.append(try Self.want(text)) }
        guard wants.count <= Self.maximumWants else {
            throw ProgramError(.badValue, "\(wants.count) bounds are more than \(Self.maximumWants)")
        }
        if arguments.has("--seeds") { seeds = try SeedSelection(arguments) }
        if case .range(let range) = seeds, range.count < Sweep.fewestSeeds || range.count > ComparedReport.maximumSeeds
        {
            throw ProgramError(
                .badValue,
                "\(range.count) seeds: a sweep takes \(Sweep.fewestSeeds) to \(ComparedReport.maximumSeeds)",
                hint: "--seeds 1..10"
            )
        }
        if let text = arguments.values["--shard"] { shard = try Shard(text) }
        out = arguments.values["--out"]
        if let text = arguments.values["--jobs"] { jobs = try RunArguments.jobs(text) }
        if let text = arguments.values["--time-limit"] { timeLimit = try RunArguments.timeLimit(text) }
        output = OutputStyle(arguments)
    }

    static func key(_ text: String) throws(ProgramError) -> SweepGrid.Key {
        let (key, list) = try SettingChange.parts(text, flag: "--vary")
        let values = SweepGrid.split(list)
        guard values.allSatisfy({ !$0.isEmpty }) else {
            throw ProgramError(.badValue, "\"\(text)\" has an empty value", hint: "--vary notifier.\(key)=A,B,C")
        }
        return SweepGrid.Key(name: key, values: values.map(SettingChange.value))
    }

    /// Such as `latency.p95 <= 60s`.
    static func want(_ text: String) throws(ProgramError) -> SweepWant {
        let parts = text.split(separator: "<=", maxSplits: 1).map { $0.split(separator: " ").joined(separator: " ") }
        guard parts.count == 2, let metric = Metric(rawValue: parts[0]), let figure = SweepFigure(metric),
            let bound = DurationNotation.parse(parts[1]),
            let want = SweepWant(figure, bound, text: "\(parts[0]) <= \(parts[1])")
        else {
            let names = SweepFigure.metrics.map(\.rawValue)
            let nearest = parts.first.flatMap { NearestName.find($0, in: names) }
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a bound: --want takes a figure of latency, <= and a duration",
                hint: nearest.map { "--want \"\($0) <= 60s\"" } ?? "it knows " + names.joined(separator: ", ")
            )
        }
        return want
    }
}
