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
        try PartFolder.check(folders.map { ($0.path, $0.manifest) }, build: build)
        guard let first = folders.first, let seeds = first.manifest.allSeeds else {
            throw ProgramError(.missingOperand, "there is no shard to merge")
        }
        shards = folders.sorted { $0.manifest.shard.number < $1.manifest.shard.number }
        self.seeds = seeds
    }

    /// Reads the results of each.
    mutating func readResults() throws(ProgramError) {
        for index in shards.indices { try shards[index].readResults() }
    }
}
