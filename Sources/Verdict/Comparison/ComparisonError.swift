/// Why two reports cannot be compared.
package enum ComparisonError: Error, Equatable, CustomStringConvertible {
    case differentScenarios(String, String)
    /// The same name, but another text: other people, other activities.
    case differentWorlds(scenario: String)
    case differentActivities(seed: UInt64, Int, Int)
    case noCommonSeeds(String, String)
    case tooManySeeds(path: String, count: Int)

    /// One sentence.
    package var description: String {
        switch self {
        case .differentScenarios(let first, let second):
            "the reports are of different scenarios: \(first) and \(second)"
        case .differentWorlds(let scenario):
            "the reports are of different versions of the scenario \(scenario): its people or its timeline changed between them"
        case .differentActivities(let seed, let first, let second):
            "seed \(seed) has \(first) activities in one report and \(second) in the other: they ran in different worlds"
        case .noCommonSeeds(let first, let second):
            "the reports have no seed in common: one has the seeds \(first), the other \(second)"
        case .tooManySeeds(let path, let count):
            "\(path) has \(count) seeds, and \(ComparedReport.maximumSeeds) at most are compared"
        }
    }

    /// What to do about it.
    package var hint: String {
        switch self {
        case .differentScenarios: "name two reports of one scenario"
        case .differentWorlds, .differentActivities:
            "run both with the same file: only its notifier, expect, probes and description may differ"
        case .noCommonSeeds: "run both with the same --seeds"
        case .tooManySeeds: "run fewer: --seeds 1..1000 tells small differences"
        }
    }
}
