import Verdict

/// The shards of one run, all of them, in the order of their numbers.
struct ShardSet {
    private(set) var shards: [ShardFolder]

    /// What all of them say alike.
    var manifest: ShardManifest { shards[0].manifest }
    let seeds: ClosedRange<UInt64>

    /// Checks that they belong together and to `build`, which is this program and judges them.
    ///
    /// - Throws: `ProgramError` naming the folder or the number of what does not belong together.
    init(_ folders: [ShardFolder], build: String) throws(ProgramError) {
        guard let first = folders.first, let seeds = first.manifest.allSeeds else {
            throw ProgramError(.missingOperand, "there is no shard to merge")
        }
        for folder in folders {
            try PartFolder.checkBuild(folder.manifest.build, of: folder.path, is: build)
            try Self.check(folder, against: first)
        }
        let sorted = folders.sorted { $0.manifest.shard.number < $1.manifest.shard.number }
        try PartFolder.checkNumbers(sorted.map { ($0.path, $0.manifest.shard) }, command: "simctl run")
        shards = sorted
        self.seeds = seeds
    }

    /// Reads the results of each.
    mutating func readResults() throws(ProgramError) {
        for index in shards.indices { try shards[index].readResults() }
    }

    private static func check(_ folder: ShardFolder, against first: ShardFolder) throws(ProgramError) {
        let (one, other) = (first.manifest, folder.manifest)
        func differ(_ what: String) -> ProgramError {
            PartFolder.differ(folder.path, first.path, what)
        }
        guard one.name == other.name else { throw differ("they ran the scenarios \(other.name) and \(one.name)") }
        guard one.scenario.text == other.scenario.text else {
            throw differ("the scenario \(one.name) has another text in one than in the other")
        }
        guard one.firstSeed == other.firstSeed, one.lastSeed == other.lastSeed else {
            let seeds = [other, one].map { "\($0.firstSeed)..\($0.lastSeed)" }.joined(separator: " and ")
            throw differ("they are of the seeds \(seeds)")
        }
        guard one.shard.count == other.shard.count else {
            throw differ("there are \(other.shard.count) shards by one and \(one.shard.count) by the other")
        }
        guard one.exploresSchedules == other.exploresSchedules else { throw differ("only one ran with --explore") }
        guard one.metricsEveryMilliseconds == other.metricsEveryMilliseconds else {
            throw differ("they ran with different --metrics-every")
        }
    }
}
