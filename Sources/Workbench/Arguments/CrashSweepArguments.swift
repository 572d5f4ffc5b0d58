import Scenarios

/// What `simctl crash-sweep` was asked to do.
struct CrashSweepArguments: Equatable {
    var file: String
    var seed: SeedSelection
    /// The one crash to make; nil for all.
    var point: CrashPoint?
    /// Of each step every so manieth occurrence; 1 for all.
    var every: Int
    /// Worker processes; nil for one per core.
    var jobs: Int?
    /// Where the scenarios of findings go; nowhere when nil.
    var out: String?

    /// The crashes to make, given how often a run reaches each step.
    func points(of counts: [String: Int]) -> [CrashPoint] {
        if let point { return [point] }
        return DurableStep.allCases.flatMap { step in
            stride(from: 1, through: counts[step.rawValue] ?? 0, by: every).map {
                CrashPoint(step: step, occurrence: $0)
            }
        }
    }
}

extension CrashSweepArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        file = arguments.scenarioFiles[0]
        seed = try SeedSelection(arguments)
        point = nil
        every = 1
        if let text = arguments.values["--at"] { point = try Self.point(text) }
        if let text = arguments.values["--every"] { every = try Self.every(text) }
        out = arguments.values["--out"]
        if let text = arguments.values["--jobs"] { jobs = try RunArguments.jobs(text) }
    }

    private static func point(_ text: String) throws(ProgramError) -> CrashPoint {
        guard let point = CrashPoint(text) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is no step with its number: --at takes one of "
                    + DurableStep.allCases.map(\.rawValue).joined(separator: ", "),
                hint: "--at after-push:12"
            )
        }
        return point
    }

    private static func every(_ text: String) throws(ProgramError) -> Int {
        guard let every = Int(text), (1...1_000_000).contains(every), text.utf8.allSatisfy({ (48...57).contains($0) })
        else {
            throw ProgramError(.badValue, "\"\(text)\" is no number: --every takes 1 to 1000000", hint: "--every 10")
        }
        return every
    }
}
