import JSON
import Scenarios

/// `sweep-shard.json`: of which sweep some combinations were run. Two parts belong together when nothing but their number differs.
struct SweepPartManifest: PartManifest, Equatable {
    static let fileName = "sweep-shard.json"
    static let currentVersion = 1
    static let command = "simctl sweep --shard"

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
        firstSeed <= lastSeed && lastSeed <= SeedSelection.maximumSeed
            && lastSeed - firstSeed < SeedSelection.maximumCount
            && (1...Shard.maximumCount).contains(shard.count) && (1...shard.count).contains(shard.number)
            && reports.count <= SweepGrid.maximumCombinations
    }

    /// In which way another part is one of something else; nil when it is one of the same.
    func difference(to first: SweepPartManifest) -> String? {
        if name != first.name { return "they swept the scenarios \(name) and \(first.name)" }
        if scenario.text != first.scenario.text {
            return "the scenario \(name) has another text in one than in the other"
        }
        if firstSeed != first.firstSeed || lastSeed != first.lastSeed {
            return "they are of the seeds \(firstSeed)..\(lastSeed) and \(first.firstSeed)..\(first.lastSeed)"
        }
        if vary != first.vary {
            return "they vary \(vary.joined(separator: " ")) and \(first.vary.joined(separator: " "))"
        }
        if wants != first.wants { return "they want something else" }
        if shard.count != first.shard.count {
            return "there are \(shard.count) shards by one and \(first.shard.count) by the other"
        }
        return nil
    }
}
