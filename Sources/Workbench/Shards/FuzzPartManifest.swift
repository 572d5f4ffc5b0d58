import Scenarios

/// `fuzz-shard.json`: which worlds of a fuzzing were run. Two parts belong together when nothing but their number differs.
struct FuzzPartManifest: PartManifest, Equatable {
    static let fileName = "fuzz-shard.json"
    static let currentVersion = 1
    static let command = "simctl fuzz"

    var formatVersion = FuzzPartManifest.currentVersion
    var build: String
    var firstSeed: UInt64
    var lastSeed: UInt64
    var shard: Shard
    /// Names of the relations that worlds were held against twins under.
    var relations: [String]
    /// A digest over the lines of the results, so that a spoilt digit is noticed.
    var resultsDigest = ""

    var isPossible: Bool { seeds != nil && relations.allSatisfy { WorldRelation(rawValue: $0) != nil } }

    func difference(to first: FuzzPartManifest) -> String? {
        let relations = relations == first.relations ? nil : "they ran with different twins"
        return seedDifference(to: first) ?? relations ?? countDifference(to: first)
    }
}
