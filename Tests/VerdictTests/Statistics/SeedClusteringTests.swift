import Testing

@testable import Verdict

struct SeedClusteringTests {
    @Test func `misses spread evenly have no design effect`() {
        let clustering = SeedClustering([(99, 100), (99, 100), (99, 100)])
        #expect(clustering.designEffect == 1)
    }

    @Test func `misses of one seed weigh as much as they cluster`() {
        // 100 of 1,000 trials missed, all under one of ten seeds: (90² + 9 · 10²) / (100 · 0.9 · 0.1) / 9.
        var counts = [(successes: Int, trials: Int)](repeating: (100, 100), count: 9)
        counts.append((0, 100))
        #expect(abs(SeedClustering(counts).designEffect - 1_000.0 / 9) < 1e-9)
    }

    @Test func `one seed tells nothing about clustering`() {
        #expect(SeedClustering([(90, 100)]).designEffect == 1)
    }

    @Test func `seeds without a miss are trials of their own`() {
        let counts = [(successes: Int, trials: Int)](repeating: (10, 10), count: 299)
        let clustering = SeedClustering(counts + [(0, 0)])
        #expect(clustering.seeds == 299 && clustering.cleanSeeds == 299)
        #expect(clustering.cleanSeedBound(confidence: 0.95) > 0.99)
    }
}
