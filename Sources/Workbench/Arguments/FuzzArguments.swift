import Platform
import Scenarios

/// What `simctl fuzz` was asked to do.
struct FuzzArguments: Equatable {
    var seeds: ClosedRange<UInt64>
    /// No further world begins after so long, by the clock of this machine; nil for no end but the last seed.
    var length: Duration?
    /// Worker processes; nil for one per core.
    var jobs: Int?
    /// Where the scenarios of findings go; nowhere when nil.
    var out: String?
    /// Under which each world is held against twins of it.
    var relations: [WorldRelation] = []
}

extension FuzzArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        if let text = arguments.values["--for"] { length = try Self.length(text) }
        switch (try SeedSelection(arguments), length) {
        case (.range(let range), _): seeds = range
        case (_, .some): seeds = 1...SeedSelection.maximumCount
        default: throw ProgramError(.badValue, "which seeds?", hint: "simctl fuzz --seeds 1..100, or --for 10m")
        }
        out = arguments.values["--out"]
        if arguments.has("--relations") { relations = WorldRelation.allCases }
        if let text = arguments.values["--jobs"] { jobs = try RunArguments.jobs(text) }
    }

    private static func length(_ text: String) throws(ProgramError) -> Duration {
        guard let length = DurationNotation.parse(text), (.seconds(1)...(.hours(24))).contains(length) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is no time to fuzz for: --for takes 1s to 24h",
                hint: "--for 10m"
            )
        }
        return length
    }
}
