import Verdict

/// What has come in of one scenario's seeds.
struct ScenarioTally {
    let seeds: ClosedRange<UInt64>
    private(set) var results: [SeedResult] = []
    private(set) var crashes: [SeedCrash] = []
    /// Why no report can be made of the scenario, although it was run; nil when one can.
    private(set) var failure: ProgramError?
    /// Seeds of which nothing is known, because a worker could not do its work.
    private var lost = 0

    init(seeds: ClosedRange<UInt64>) {
        self.seeds = seeds
    }

    var received: Int { results.count + crashes.count + lost }
    var isComplete: Bool { received == seeds.count }

    mutating func add(_ result: SeedResult) {
        results.append(result)
    }

    mutating func add(_ crash: SeedCrash) {
        crashes.append(crash)
    }

    /// Notes a seed that no worker could run.
    mutating func lose(_ error: ProgramError) {
        lost += 1
        fail(error)
    }

    /// Notes why there will be no report; the first reason stays.
    mutating func fail(_ error: ProgramError) {
        failure = failure ?? error
    }

    /// The digest that the first run of a seed had.
    func digest(of seed: UInt64) -> String? {
        results.first { $0.seed == seed }?.digest
    }
}
