import Scenarios

/// Which seeds to run.
enum SeedSelection: Sendable, Equatable {
    /// The one in the file.
    case fromFile
    case one(UInt64)
    case range(ClosedRange<UInt64>)

    /// More seeds than these are refused in one call: a typing mistake should not run for days.
    static let maximumCount: UInt64 = 100_000
    /// Larger seeds would not survive every reader of JSON; scenario files have the same limit.
    static let maximumSeed: UInt64 = 9_007_199_254_740_991

    /// The seeds, rising.
    func seeds(of scenario: Scenario) -> ClosedRange<UInt64> {
        switch self {
        case .fromFile: scenario.seed...scenario.seed
        case .one(let seed): seed...seed
        case .range(let range): range
        }
    }

    /// How many seeds so many parts of one range may have together.
    static func maximumCount(parts: Int) -> UInt64 { maximumCount * UInt64(parts) }

    /// - Parameters:
    ///   - arguments: what was typed.
    ///   - shard: the part of the range that is run, where seeds are cut into parts.
    /// - Throws: `ProgramError` for what are no seeds, and for more than one call runs.
    init(_ arguments: ParsedArguments, shard: Shard? = nil) throws(ProgramError) {
        switch (arguments.values["--seed"], arguments.values["--seeds"]) {
        case (nil, nil): self = .fromFile
        case (let text?, nil): self = .one(try Self.seed(text, flag: "--seed"))
        case (nil, let text?): self = .range(try Self.range(text, parts: shard?.count ?? 1))
        case (_?, _?):
            throw ProgramError(.conflictingFlags, "--seed and --seeds exclude each other", hint: "keep one of them")
        }
    }

    private static func seed(_ text: String, flag: String) throws(ProgramError) -> UInt64 {
        guard let seed = UInt64(text), seed <= maximumSeed, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a seed: \(flag) takes whole numbers from 0 to \(maximumSeed)",
                hint: flag == "--seeds"
                    ? "--seeds 1..100" : text.contains("..") ? "for a range write --seeds \(text)" : nil
            )
        }
        return seed
    }

    private static func range(_ text: String, parts: Int) throws(ProgramError) -> ClosedRange<UInt64> {
        let bounds = text.split(separator: ".", omittingEmptySubsequences: false)
        guard bounds.count == 3, bounds[1].isEmpty else {
            throw ProgramError(.badValue, "\"\(text)\" is not a range of seeds", hint: "--seeds 1..100")
        }
        let (first, last) = (try seed(String(bounds[0]), flag: "--seeds"), try seed(String(bounds[2]), flag: "--seeds"))
        guard first <= last else {
            throw ProgramError(.badValue, "the range \(text) is empty", hint: "--seeds \(last)..\(first)")
        }
        guard last - first < maximumCount(parts: parts) else {
            let needed = (last - first) / maximumCount + 1
            let isTooMany = needed > UInt64(Shard.maximumCount)
            throw ProgramError(
                .badValue,
                "\(text) are more than \(maximumCount) seeds" + (parts > 1 ? " in each of \(parts) shards" : ""),
                hint: isTooMany ? "run fewer" : "run them in parts, --shard 1/\(needed) to \(needed)/\(needed)"
            )
        }
        return first...last
    }
}
