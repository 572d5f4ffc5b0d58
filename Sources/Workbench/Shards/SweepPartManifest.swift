import JSON
import Scenarios

/// `sweep-shard.json`: of which sweep some combinations were run. Two parts belong together when nothing but their number differs.
struct SweepPartManifest: ScenarioPartManifest, Equatable {
    static let fileName = "sweep-shard.json"
    static let currentVersion = 1
    static let command = "simctl sweep"
    static let cutsSeeds = false

    var formatVersion = SweepPartManifest.currentVersion
    var build: String
    /// The scenario's name, for messages.
    var name: String
    /// The very text that was varied, and the file it came from.
    var scenario: ScenarioSource
    var firstSeed: UInt64
    var lastSeed: UInt64
    var shard: Shard
    /// As on the command line, in its order: `notifier.perPage=20,50`.
    var vary: [String]
    var wants: [String]
    /// Digests of the reports of this part's combinations, in their order.
    var reports: [String]

    var isPossible: Bool {
        allSeeds != nil && reports.count <= SweepGrid.maximumCombinations
    }

    func difference(to first: SweepPartManifest) -> String? {
        if let difference = scenarioDifference(to: first, did: "swept") ?? seedDifference(to: first) {
            return difference
        }
        if vary != first.vary {
            return "they vary \(vary.joined(separator: " ")) and \(first.vary.joined(separator: " "))"
        }
        if wants != first.wants { return "they want something else" }
        return countDifference(to: first)
    }
}
