import Scenarios

/// `fuzz-shard.json`: which worlds of a fuzzing were run. Two parts belong together when nothing but their number differs.
struct FuzzPartManifest: PartManifest, Equatable {
    static let fileName = "fuzz-shard.json"
    static let currentVersion = 1
    static let command = "simctl fuzz --shard"

    var formatVersion = FuzzPartManifest.currentVersion
    var build: String
    var firstSeed: UInt64
    var lastSeed: UInt64
    var shard: Shard
    /// Names of the relations that worlds were held against twins under.
    var relations: [String]
    /// A digest over the lines of the results, so that a spoilt digit is noticed.
    var resultsDigest = ""

    /// The seeds of all parts together; nil when the file was tampered with.
    var allSeeds: ClosedRange<UInt64>? {
        guard firstSeed <= lastSeed, lastSeed <= SeedSelection.maximumSeed else { return nil }
        guard lastSeed - firstSeed < SeedSelection.maximumCount else { return nil }
        return firstSeed...lastSeed
    }

    /// The seeds of this one; nil when the file was tampered with.
    var seeds: ClosedRange<UInt64>? {
        guard (1...Shard.maximumCount).contains(shard.count), (1...shard.count).contains(shard.number) else {
            return nil
        }
        return allSeeds.flatMap(shard.part)
    }

    var isPossible: Bool { seeds != nil && relations.allSatisfy { WorldRelation(rawValue: $0) != nil } }

    /// In which way another part is one of something else; nil when it is one of the same.
    func difference(to first: FuzzPartManifest) -> String? {
        if firstSeed != first.firstSeed || lastSeed != first.lastSeed {
            return "they are of the seeds \(firstSeed)..\(lastSeed) and \(first.firstSeed)..\(first.lastSeed)"
        }
        if relations != first.relations { return "only one ran with --relations" }
        if shard.count != first.shard.count {
            return "there are \(shard.count) shards by one and \(first.shard.count) by the other"
        }
        return nil
    }
}
