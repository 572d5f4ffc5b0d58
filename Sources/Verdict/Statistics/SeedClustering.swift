/// How much misses of several seeds cluster, so that a share over their notifications is not taken for more than it is.
struct SeedClustering: Sendable, Equatable {
    /// Seeds with at least one trial.
    let seeds: Int
    /// Those without a miss.
    let cleanSeeds: Int
    /// Variance between the seeds over binomial variance, at least 1. It stays 1 for a single seed and where nothing was
    /// missed, because there it cannot be measured: then only the share of clean seeds speaks for other seeds.
    let designEffect: Double

    /// From successes and trials of each seed.
    init(_ counts: [(successes: Int, trials: Int)]) {
        let counts = counts.filter { $0.trials > 0 }
        seeds = counts.count
        cleanSeeds = counts.count { $0.successes == $0.trials }
        let trials = counts.reduce(0) { $0 + $1.trials }
        let share = trials == 0 ? 0 : Double(counts.reduce(0) { $0 + $1.successes }) / Double(trials)
        guard counts.count > 1, share > 0, share < 1 else {
            designEffect = 1
            return
        }
        let spread = counts.reduce(0.0) { sum, count in
            let expected = Double(count.trials) * share
            let difference = Double(count.successes) - expected
            return sum + difference * difference / (expected * (1 - share))
        }
        designEffect = max(1, spread / Double(counts.count - 1))
    }

    /// At this confidence, so many of all seeds like these have no miss at all.
    func cleanSeedBound(confidence: Double) -> Double {
        BinomialBound.lower(successes: Double(cleanSeeds), of: Double(seeds), confidence: confidence)
    }
}
