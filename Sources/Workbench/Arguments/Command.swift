import Platform
import Scenarios

/// What `simctl` was asked to do, every argument understood.
enum Command: Equatable {
    case run(RunArguments)
    case check(CheckArguments)
    case schema(PublishedSchema)
    case merge(MergeArguments)
    case report(ReportArguments)
    case compare(CompareArguments)
    case sweep(SweepArguments)
    case grow(GrowArguments)
    case openAPI
    case text(PublishedText)
    /// No file means: all of the library.
    case doctor(files: [String], output: OutputStyle)
    case explain(ExplainArguments)
    case bench(output: OutputStyle, part: BenchPart = .all)
    case benchPush(PushBenchArguments)
    case serve(ServeArguments)
    /// Hidden: carries out jobs that arrive on standard input.
    case fuzz(FuzzArguments)
    case shrink(ShrinkArguments)
    case crashSweep(CrashSweepArguments)
    case importing(ImportArguments)
    case worker
    case help(String)
    case version

    /// - Parameter arguments: without the program's name.
    /// - Throws: `ProgramError`, whose exit code is 64.
    init(arguments: [String]) throws(ProgramError) {
        guard let name = arguments.first else {
            throw ProgramError(.missingOperand, "which command?", hint: "simctl --help lists them")
        }
        switch name {
        case "--help", "-h", "help": self = .help(try Self.helpText(arguments.dropFirst().first))
        case "--version": self = .version
        case "worker" where arguments.count == 1: self = .worker
        default: self = try Self.parse(name, Array(arguments.dropFirst()))
        }
    }

    private static func parse(_ name: String, _ rest: [String]) throws(ProgramError) -> Command {
        let syntax = try syntax(named: name)
        let arguments = try ParsedArguments(rest, syntax: syntax)
        guard !arguments.has(CommandSyntax.help.name) else { return .help(HelpText.command(syntax)) }
        let output = OutputStyle(arguments)
        switch syntax.name {
        case "run": return .run(try RunArguments(arguments))
        case "check": return .check(CheckArguments(arguments))
        case "schema": return .schema(try PublishedSchema(arguments))
        case "merge": return .merge(try MergeArguments(arguments))
        case "report": return .report(ReportArguments(arguments))
        case "compare": return .compare(try CompareArguments(arguments))
        case "sweep": return try sweep(arguments)
        case "openapi": return .openAPI
        case "completion": return .text(try PublishedText.completion(arguments))
        case "man": return .text(try PublishedText.manual(arguments))
        case "doctor": return .doctor(files: arguments.scenarioFiles, output: output)
        case "explain": return .explain(try ExplainArguments(arguments))
        case "bench-push": return .benchPush(try PushBenchArguments(arguments))
        case "serve": return .serve(try ServeArguments(arguments))
        case "fuzz": return .fuzz(try FuzzArguments(arguments))
        case "shrink": return .shrink(try ShrinkArguments(arguments))
        case "import": return .importing(try ImportArguments(arguments))
        case "crash-sweep": return .crashSweep(try CrashSweepArguments(arguments))
        default: return .bench(output: output, part: BenchPart(arguments))
        }
    }

    private static func sweep(_ arguments: ParsedArguments) throws(ProgramError) -> Command {
        if let axis = arguments.values["--grow"] { return .grow(try GrowArguments(arguments, axis: axis)) }
        return .sweep(try SweepArguments(arguments))
    }

    private static func syntax(named name: String) throws(ProgramError) -> CommandSyntax {
        if let syntax = CommandSyntax.named(name) { return syntax }
        let nearest = NearestName.find(name, in: CommandSyntax.all.map(\.name)).map { "did you mean simctl \($0)?" }
        let kind = name.hasPrefix("-") ? "flag" : "command"
        throw ProgramError(
            name.hasPrefix("-") ? .unknownFlag : .unknownCommand,
            "simctl has no \(kind) \"\(name)\"",
            hint: nearest ?? "simctl --help lists them"
        )
    }

    private static func helpText(_ name: String?) throws(ProgramError) -> String {
        guard let name else { return HelpText.program }
        return HelpText.command(try syntax(named: name))
    }
}

/// How results are printed.
struct OutputStyle: Sendable, Equatable {
    var isJSON = false
    var isQuiet = false
}

extension OutputStyle {
    init(_ arguments: ParsedArguments) {
        self.init(isJSON: arguments.has("--json"), isQuiet: arguments.has("--quiet"))
    }
}

/// The arguments of `simctl run`.
struct RunArguments: Equatable {
    /// A seed that takes longer than this is taken for hung.
    static let defaultTimeLimit = Duration.seconds(600)

    /// How long the pause between two scrapes of the metrics may be.
    static let metricsPauses = Duration.seconds(5)...Duration.seconds(3_600)

    var files: [String]
    var seeds = SeedSelection.fromFile
    /// The part of the seeds that this call runs; nil for all of them.
    var shard: Shard?
    /// Worker processes; nil for one per core.
    var jobs: Int?
    var output = OutputStyle()
    /// The folder named with `--out`.
    var out: String?
    var exploresSchedules = false
    var timeLimit = defaultTimeLimit
    /// How often the notifier's metrics are asked for; nil for never.
    var metricsEvery: Duration?
    /// Nil for a run in virtual time.
    var live: LiveArguments?
    /// What the run is held against; nil for nothing.
    var baseline: BaselineArguments?
}

extension RunArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        files = arguments.scenarioFiles
        live = try LiveArguments(arguments)
        baseline = try BaselineArguments(arguments)
        if let text = arguments.values["--shard"] { shard = try Shard(text) }
        seeds = try SeedSelection(arguments, shard: shard)
        output = OutputStyle(arguments)
        out = arguments.values["--out"]
        exploresSchedules = arguments.has("--explore")
        if let text = arguments.values["--jobs"] { jobs = try Self.jobs(text) }
        if let text = arguments.values["--time-limit"] { timeLimit = try Self.timeLimit(text) }
        if let text = arguments.values["--metrics-every"] { metricsEvery = try Self.metricsEvery(text) }
    }

    static func jobs(_ text: String) throws(ProgramError) -> Int {
        guard let count = Int(text), (1...256).contains(count) else {
            throw ProgramError(.badValue, "\"\(text)\" is not a number of workers: --jobs takes 1 to 256")
        }
        return count
    }

    private static func metricsEvery(_ text: String) throws(ProgramError) -> Duration {
        guard let every = DurationNotation.parse(text), metricsPauses.contains(every) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a pause between two scrapes: --metrics-every takes 5s to 1h",
                hint: "--metrics-every 30s"
            )
        }
        return every
    }

    static func timeLimit(_ text: String) throws(ProgramError) -> Duration {
        guard let limit = DurationNotation.parse(text), limit > .zero else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a time limit: --time-limit takes a duration with its unit",
                hint: "--time-limit 90s, --time-limit 5m"
            )
        }
        return limit
    }
}

/// The arguments of `simctl check`.
struct CheckArguments: Equatable {
    var files: [String]
    var output = OutputStyle()
    /// Whether what happens when is listed, too.
    var showsPlan = false
}

extension CheckArguments {
    init(_ arguments: ParsedArguments) {
        files = arguments.scenarioFiles
        output = OutputStyle(arguments)
        showsPlan = arguments.has("--plan")
    }
}

/// The arguments of `simctl explain`.
struct ExplainArguments: Equatable {
    /// The folder of a report.
    var report: String
    /// The number that the ledger gives the activity.
    var activity: Int
    /// Whose activity, when the report holds several seeds; nil for the first that has one of that number.
    var seed: UInt64?
    var output = OutputStyle()
}

extension ExplainArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        // Runs and pages write a sign before it.
        let text = arguments.operands[1]
        guard let activity = Int(text.hasPrefix("#") ? String(text.dropFirst()) : text), activity >= 0 else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not an activity: activities have numbers",
                hint: "ledger.jsonl in the report lists them, abnormal ones first"
            )
        }
        self.init(report: arguments.operands[0], activity: activity)
        if case .one(let seed) = try SeedSelection(arguments) { self.seed = seed }
        output = OutputStyle(arguments)
    }
}
