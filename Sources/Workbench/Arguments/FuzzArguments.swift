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
    /// The part of the seeds that this call runs; nil for all of them.
    var shard: Shard?
    /// Under which each world is held against twins of it.
    var relations: [WorldRelation] = []
}

extension FuzzArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        if let text = arguments.values["--for"] { length = try Self.length(text, of: "fuzz") }
        if let text = arguments.values["--shard"] { shard = try Self.shard(text, arguments) }
        switch (try SeedSelection(arguments, shard: shard), length) {
        case (.range(let range), _): seeds = range
        case (_, .some): seeds = 1...SeedSelection.maximumCount
        default: throw ProgramError(.badValue, "which seeds?", hint: "simctl fuzz --seeds 1..100, or --for 10m")
        }
        out = arguments.values["--out"]
        if arguments.has("--power-losses") { relations = [.powerLosses] }
        if arguments.has("--relations") { relations = WorldRelation.allCases }
        if let text = arguments.values["--jobs"] { jobs = try RunArguments.jobs(text) }
    }

    private static func shard(_ text: String, _ arguments: ParsedArguments) throws(ProgramError) -> Shard {
        guard !arguments.has("--for") else {
            throw ProgramError(
                .conflictingFlags,
                "--shard and --for exclude each other: how far a part gets in a time is nobody's to know",
                hint: "name the seeds: --seeds 1..1000"
            )
        }
        guard arguments.has("--out") else {
            throw ProgramError(
                .missingValue,
                "--shard needs a folder for what simctl merge reads",
                hint: "--out shards/3"
            )
        }
        return try Shard(text)
    }

    /// A time after which nothing more begins.
    static func length(_ text: String, of verb: String) throws(ProgramError) -> Duration {
        guard let length = DurationNotation.parse(text), (.seconds(1)...(.hours(24))).contains(length) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is no time to \(verb) for: --for takes 1s to 24h",
                hint: "--for 10m"
            )
        }
        return length
    }
}
