import Platform
import Scenarios
import Verdict

/// The arguments of `simctl sweep --grow`.
struct GrowArguments: Equatable {
    var file: String
    var axis: GrowthAxis
    /// What is to hold; empty for what the file requires.
    var until: [Gate] = []
    /// Settings that are not the file's.
    var changes: [SettingChange] = []
    var seeds: ClosedRange<UInt64> = 1...5
    /// No larger size is tried; nil for what follows from the file.
    var largest: Int?
    /// No further size begins after so long, by the clock of this machine.
    var length: Duration?
    /// The folder named with `--out`.
    var out: String?
    var jobs: Int?
    var timeLimit = RunArguments.defaultTimeLimit
    var output = OutputStyle()

    /// More requirements and more seeds than these are refused: every size runs all of them.
    static let mostGates = 5
    static let mostSeeds = 1_000
}

extension GrowArguments {
    init(_ arguments: ParsedArguments, axis text: String) throws(ProgramError) {
        guard let axis = GrowthAxis(rawValue: text) else {
            let names = GrowthAxis.allCases.map(\.rawValue)
            throw ProgramError(
                .badValue,
                "\"\(text)\" is nothing that grows: --grow takes \(names.joined(separator: ", "))",
                hint: NearestName.find(text, in: names).map { "--grow \($0)" }
            )
        }
        self.init(file: arguments.operands[0], axis: axis)
        for other in ["--want", "--shard"] where arguments.has(other) {
            throw ProgramError(
                .conflictingFlags,
                "--grow and \(other) exclude each other",
                hint: other == "--want" ? "--until says what is to hold" : "each size depends on the one before it"
            )
        }
        for text in arguments.all("--until") { until.append(try Self.gate(text)) }
        guard until.count <= Self.mostGates else {
            throw ProgramError(.badValue, "\(until.count) requirements are more than \(Self.mostGates)")
        }
        for text in arguments.all("--vary") { changes.append(try SettingChange(text, flag: "--vary")) }
        if let key = SettingChange.repeated(changes) {
            throw ProgramError(.repeatedFlag, "notifier.\(key) is set twice", hint: "with --grow a key has one value")
        }
        try takeSeeds(arguments)
        if let text = arguments.values["--largest"] { largest = try Self.largest(text) }
        if let text = arguments.values["--for"] { length = try FuzzArguments.length(text, of: "search") }
        out = arguments.values["--out"]
        if let text = arguments.values["--jobs"] { jobs = try RunArguments.jobs(text) }
        if let text = arguments.values["--time-limit"] { timeLimit = try RunArguments.timeLimit(text) }
        output = OutputStyle(arguments)
    }

    private mutating func takeSeeds(_ arguments: ParsedArguments) throws(ProgramError) {
        guard case .range(let range) = try SeedSelection(arguments) else { return }
        guard range.count <= Self.mostSeeds, range.upperBound <= SeedSelection.maximumSeed - UInt64(range.count) else {
            throw ProgramError(
                .badValue,
                "\(range.count) seeds up to \(range.upperBound): --grow takes at most \(Self.mostSeeds), and as many behind them",
                hint: "--seeds 1..5"
            )
        }
        seeds = range
    }

    private static func gate(_ text: String) throws(ProgramError) -> Gate {
        if let gate = Gate(notation: text) { return gate }
        let names = Metric.allCases.map(\.rawValue)
        let nearest = text.split(separator: " ").first.flatMap { NearestName.find(String($0), in: names) }
        let lacksUnit = Gate(notation: text + "s") != nil
        throw ProgramError(
            .badValue,
            "\"\(text)\" is not a requirement: --until takes a metric, a relation and a bound",
            hint: lacksUnit
                ? "a time has a unit: --until \"\(text)s\""
                : nearest.map { "--until \"\($0) …\"; docs/scenarios.md lists metrics and their bounds" }
                    ?? "--until \"excessLatency.p95 <= 60s\""
        )
    }

    private static func largest(_ text: String) throws(ProgramError) -> Int {
        guard let size = Int(text), (1...1_000_000).contains(size) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a size: --largest takes 1 to 1000000",
                hint: "--largest 200"
            )
        }
        return size
    }
}
