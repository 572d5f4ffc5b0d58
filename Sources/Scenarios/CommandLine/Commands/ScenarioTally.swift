/// What has come in of one scenario's seeds.
struct ScenarioTally {
    let seeds: ClosedRange<UInt64>
    private(set) var results: [SeedResult] = []
    private(set) var crashes: [SeedCrash] = []

    init(seeds: ClosedRange<UInt64>) {
        self.seeds = seeds
    }

    var received: Int { results.count + crashes.count }
    var isComplete: Bool { received == seeds.count }

    mutating func add(_ result: SeedResult) {
        results.append(result)
    }

    mutating func add(_ crash: SeedCrash) {
        crashes.append(crash)
    }

    /// The digest that the first run of a seed had.
    func digest(of seed: UInt64) -> String? {
        results.first { $0.seed == seed }?.digest
    }
}
