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

    /// So many bytes of memory are held for each byte of results, measured over the reference day (docs/reports.md).
    static let memoryPerByte = 3

    /// Merging judges the results of all seeds at once. What surely has no room here is refused before the machine is out of memory.
    ///
    /// - Parameters:
    ///   - resultBytes: the length of all results together.
    ///   - available: what this machine has left; nil when that is not known.
    /// - Throws: `ProgramError` when even two thirds of what was measured are more than there is.
    static func checkRoom(resultBytes: Int64, available: Int64?) throws(ProgramError) {
        let (needed, least) = (resultBytes * Int64(memoryPerByte), resultBytes * Int64(memoryPerByte) * 2 / 3)
        guard let available, least > available else { return }
        func gigabytes(_ bytes: Int64) -> String { FigureText.decimal(Double(bytes) / 1e9, 1) + " GB" }
        throw ProgramError(
            .tooLittleMemory,
            "the results of these shards are \(gigabytes(resultBytes)) and take about \(gigabytes(needed)) of memory, of which "
                + "\(gigabytes(available)) are left",
            hint: "merge on a larger machine, or run and merge the seeds in several ranges"
        )
    }

    /// The length of the results of all shards together, in bytes.
    var resultBytes: Int64 {
        shards.reduce(0) { $0 + LiveFile.length(of: "\($1.path)/\(ShardFolder.resultsName)") }
    }

    /// Reads the results of each.
    mutating func readResults() throws(ProgramError) {
        for index in shards.indices { try shards[index].readResults() }
    }
}
