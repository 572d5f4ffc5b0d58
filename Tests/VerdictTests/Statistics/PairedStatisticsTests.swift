import Testing

@testable import Verdict

/// Figures from statistics §5; quantiles also from SciPy 1.17.
struct PairedStatisticsTests {
    @Test(arguments: [
        (0.975, 9, 2.262_157), (0.993_75, 9, 3.111_4), (0.8, 9, 0.883_404), (0.975, 1, 12.706_205),
        (0.025, 9, -2.262_157),
    ])
    func `quantiles of Student's t are those of the tables`(probability: Double, freedom: Int, expected: Double) {
        #expect(abs(StudentT.quantile(probability, freedom: freedom) - expected) < 1e-3)
    }

    @Test func `the normal distribution is that of the tables`() {
        #expect(abs(NormalDistribution.quantile(0.975) - 1.959_964) < 1e-6)
        #expect(abs(NormalDistribution.below(-3) - 0.001_349_9) < 1e-6)
    }

    @Test(arguments: [
        (7, 3, 0.343_75), (9, 1, 0.021_484), (10, 0, 0.001_953), (8, 0, 0.007_812), (0, 0, 1.0), (1, 0, 1.0),
    ])
    func `the sign test is exact`(more: Int, fewer: Int, expected: Double) {
        #expect(abs(SignTest.pValue(more: more, fewer: fewer) - expected) < 1e-6)
        #expect(SignTest.pValue(more: more, fewer: fewer) == SignTest.pValue(more: fewer, fewer: more))
    }

    @Test(arguments: [(10, 0.259), (20, 0.139), (59, 0.0495), (299, 0.01)])
    func `what no seed shows is rare`(seeds: Int, share: Double) {
        #expect(abs(SignTest.shareThatWouldShow(seeds: seeds, confidence: 0.95) - share) < 0.001)
    }

    @Test func `too few seeds have no interval`() {
        #expect(PairedDifferences.fewestSeeds(confidence: 0.95) == 6)
        #expect(PairedDifferences.fewestSeeds(confidence: 0.9875) == 8)
        #expect(PairedDifferences.fewestSeeds(confidence: 0.999_99) == 10)
        #expect(PairedDifferences([1, 2, 3, 4, 5]).interval(confidence: 0.95) == nil)
        #expect(PairedDifferences([]).interval(confidence: 0.95) == nil)
    }

    @Test func `few seeds have the smallest and the largest, more have Student's`() throws {
        let few = try #require(PairedDifferences([3, 1, 2, 6, 5, 4]).interval(confidence: 0.95))
        #expect(few == ConfidenceInterval(lower: 1, upper: 6))
        let more = try #require(PairedDifferences((1...10).map(Double.init)).interval(confidence: 0.95))
        // 5.5 ± 2.262 · 3.0277 / √10
        #expect(abs(more.lower - 3.334_15) < 1e-3 && abs(more.upper - 7.665_85) < 1e-3)
    }

    @Test(arguments: [(10, 1.0), (20, 0.66), (30, 0.53), (50, 0.40), (100, 0.28)])
    func `what would have shown is the table's`(seeds: Int, factor: Double) throws {
        // Half of the values one above, half one below the mean.
        let differences = PairedDifferences((0..<seeds).map { $0 % 2 == 0 ? 1 : -1 })
        let size = try #require(differences.detectable(confidence: 0.95))
        #expect(abs(size / differences.deviation - factor) < 0.013)
    }

    @Test func `seeds that would do grow with the square of the spread`() throws {
        let narrow = PairedDifferences((0..<10).map { $0 % 2 == 0 ? 1 : -1 })
        let wide = PairedDifferences((0..<10).map { $0 % 2 == 0 ? 10 : -10 })
        #expect(try #require(wide.seedsNeeded(toDetect: 1, confidence: 0.95)) > 700)
        #expect(try #require(narrow.seedsNeeded(toDetect: 1, confidence: 0.95)) < 14)
        #expect(wide.seedsNeeded(toDetect: 0.01, confidence: 0.95) == nil)
    }

    @Test func `pooled quantiles are those of all samples together`() throws {
        let first = try #require(LatencyHistogram(buckets: [[1, 5], [10, 5]]))
        let second = try #require(LatencyHistogram(buckets: [[5, 10], [20, 1]]))
        let pooled = PooledHistograms([first, second])
        #expect(pooled.quantile(50) == 5)
        #expect(pooled.quantile(100) == 20)
        #expect(pooled.quantile(50, weights: [2, 0]) == 1)
        #expect(pooled.quantile(51, weights: [2, 0]) == 10)
        #expect(pooled.quantile(50, weights: [0, 0]) == nil)
        #expect(PooledHistograms([]).quantile(50) == nil)
        #expect(LatencyHistogram(sumOf: [first, second]).percentile(50) == 5)
    }

    @Test(arguments: [[[2, 1], [1, 1]], [[1, 0]], [[1]], [[-1, 2]], [[1, 1], [1, 1]]])
    func `buckets that no report has are refused`(buckets: [[Int64]]) {
        #expect(LatencyHistogram(buckets: buckets) == nil)
    }
}
