import Platform

/// What `simctl fuzz` was asked to do.
struct FuzzArguments: Equatable {
    var seeds: ClosedRange<UInt64>
    /// Worker processes; nil for one per core.
    var jobs: Int?
    /// Where the scenarios of findings go; nowhere when nil.
    var out: String?
}

extension FuzzArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        guard case .range(let seeds) = try SeedSelection(arguments) else {
            throw ProgramError(.badValue, "which seeds?", hint: "simctl fuzz --seeds 1..100")
        }
        self.seeds = seeds
        out = arguments.values["--out"]
        if let text = arguments.values["--jobs"] { jobs = try RunArguments.jobs(text) }
    }
}
