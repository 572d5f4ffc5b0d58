import Scenarios

/// `shard.json`: what a shard is a part of. Two shards belong together when nothing but their number differs.
struct ShardManifest: ScenarioPartManifest, Equatable {
    static let fileName = "shard.json"
    static let command = "simctl run"
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

    /// Whether a command line could have asked for this.
    var isPossible: Bool {
        let pause = metricsEveryMilliseconds.map { Duration.milliseconds($0) }
        return seeds != nil && pause.map(RunArguments.metricsPauses.contains) != false
    }

    func difference(to first: ShardManifest) -> String? {
        let common =
            scenarioDifference(to: first, did: "ran") ?? seedDifference(to: first) ?? countDifference(to: first)
        if let common { return common }
        if exploresSchedules != first.exploresSchedules { return "only one ran with --explore" }
        guard metricsEveryMilliseconds != first.metricsEveryMilliseconds else { return nil }
        return "they ran with different --metrics-every"
    }
}
