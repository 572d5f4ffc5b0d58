import Scenarios

/// `shard.json`: what a shard is a part of. Two shards belong together when nothing but their number differs.
struct ShardManifest: PartManifest, Equatable {
    static let fileName = "shard.json"
    static let command = "simctl run --shard"
    /// The version of this file and of the results beside it.
    static let currentVersion = 1

    var formatVersion = ShardManifest.currentVersion
    /// The build that ran it.
    var build: String
    /// The scenario's name, for messages.
    var name: String
    /// The very text that was run, and the file it came from.
    var scenario: ScenarioSource
    /// The first and the last seed of all shards together.
    var firstSeed: UInt64
    var lastSeed: UInt64
    var shard: Shard
    var exploresSchedules: Bool
    var metricsEveryMilliseconds: Int64?
    /// A digest over the lines of the results, so that a spoilt digit is noticed.
    var resultsDigest = ""

    /// The seeds of all shards together; nil when the file was tampered with.
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

    /// Whether a command line could have asked for this.
    var isPossible: Bool {
        let pause = metricsEveryMilliseconds.map { Duration.milliseconds($0) }
        return seeds != nil && pause.map(RunArguments.metricsPauses.contains) != false
    }
}
