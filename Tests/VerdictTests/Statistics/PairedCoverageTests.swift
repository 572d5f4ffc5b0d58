import Glibc
import Platform
import Testing

@testable import Verdict

/// How often intervals hold the truth, over seeds that are drawn.
struct PairedCoverageTests {
    /// Seeds with an effect of their own and, one in ten, an outage; the second side is slower by a tenth.
    private struct Population {
        var stream: RandomStream
        static let shift = 1.1
        static let notifications = 40

        mutating func normal() -> Double {
            let unit = Double(stream.next() >> 11) / 9_007_199_254_740_992
            return NormalDistribution.quantile(min(max(unit, 1e-12), 1 - 1e-12))
        }

        mutating func seed() -> (first: [Double], second: [Double]) {
            let effect = exp(0.15 * normal())
            let slow = stream.chance(1, in: 10) ? 2.0 : 1.0
            func draw(_ factor: Double, _ population: inout Population) -> [Double] {
                (0..<Self.notifications).map { _ in 16_000 * effect * slow * factor * exp(0.5 * population.normal()) }
            }
            let first = draw(1, &self)
            return (first, draw(Self.shift, &self))
        }
    }

    private static func histogram(_ values: [Double]) -> LatencyHistogram {
        LatencyHistogram(LatencySamples(nanoseconds: values.map { Int64($0 * 1_000_000) }))
    }

    /// The share of samples of so many seeds whose interval holds the truth, for 50 and 95 per cent, and the mean width of the latter.
    private func coverage(
        seeds: Int,
        repetitions: Int,
        confidence: Double,
        isPaired: Bool = true
    ) -> (p50: Double, p95: Double, width: Double) {
        var population = Population(stream: RandomStream(seed: 20_261_101))
        // The truth of pooled percentiles, of many seeds.
        let many = (0..<1_500).map { _ in population.seed() }
        let firsts = PooledHistograms(many.map { Self.histogram($0.first) })
        let seconds = PooledHistograms(many.map { Self.histogram($0.second) })
        func truth(_ percent: Int) -> Double {
            Double((seconds.quantile(percent) ?? 0) - (firsts.quantile(percent) ?? 0))
        }
        let (truth50, truth95) = (truth(50), truth(95))
        var held = (0, 0)
        var width = 0.0
        for repetition in 0..<repetitions {
            let sample = (0..<seeds).map { _ in population.seed() }
            let shifted = Array(sample.dropFirst() + sample.prefix(1))
            let bootstrap = PairedBootstrap(
                sample.map { Self.histogram($0.first) },
                (isPaired ? sample : shifted).map { Self.histogram($0.second) },
                seed: UInt64(repetition),
                draws: 400
            )
            guard let p50 = bootstrap.interval(50, confidence: confidence),
                let p95 = bootstrap.interval(95, confidence: confidence)
            else { continue }
            if p50.lower <= truth50 && truth50 <= p50.upper { held.0 += 1 }
            if p95.lower <= truth95 && truth95 <= p95.upper { held.1 += 1 }
            width += p95.upper - p95.lower
        }
        let count = Double(repetitions)
        return (Double(held.0) / count, Double(held.1) / count, width / count)
    }

    @Test(arguments: [10, 20])
    func `intervals of pooled percentiles hold what they promise`(seeds: Int) {
        let found = coverage(seeds: seeds, repetitions: 150, confidence: 0.9)
        // 0.9 less three times the error of 150 repetitions.
        #expect(found.p50 >= 0.827 && found.p95 >= 0.827)
    }

    @Test func `intervals that promise less hold less`() {
        #expect(coverage(seeds: 20, repetitions: 60, confidence: 0.4).p50 < 0.827)
    }

    @Test func `pairs that are none make intervals several times too wide`() {
        let paired = coverage(seeds: 20, repetitions: 40, confidence: 0.9)
        let apart = coverage(seeds: 20, repetitions: 40, confidence: 0.9, isPaired: false)
        #expect(apart.width > 1.5 * paired.width)
    }

    /// Differences of ten values each, normal around 1; the smallest and the largest of eight.
    @Test(arguments: [(8, 0.9875), (10, 0.9), (25, 0.9)])
    func `intervals of differences hold what they promise`(seeds: Int, confidence: Double) {
        var population = Population(stream: RandomStream(seed: 7))
        let repetitions = 2_000
        let held = (0..<repetitions).count { _ in
            let values = (0..<seeds).map { _ in 1 + 3 * population.normal() }
            guard let interval = PairedDifferences(values).interval(confidence: confidence) else { return false }
            return interval.lower <= 1 && 1 <= interval.upper
        }
        let error = (confidence * (1 - confidence) / Double(repetitions)).squareRoot()
        let share = Double(held) / Double(repetitions)
        #expect(share > confidence - 4 * error)
        // No wider than promised either; eight values can only hold 99.2 %.
        #expect(share < (seeds < 10 ? 0.9999 : confidence + 4 * error))
    }

    /// A difference of the size that is said to show does show, in about 80 of 100 samples.
    @Test(arguments: [8, 12])
    func `what would have shown does`(seeds: Int) {
        var population = Population(stream: RandomStream(seed: 11))
        let repetitions = 2_000
        let size = PairedDifferences((0..<seeds).map { $0 % 2 == 0 ? 1 : -1 })
        // Scaled to a spread of one, which is the population's.
        let shift = (size.detectable(confidence: 0.9875) ?? 0) / size.deviation
        let shown = (0..<repetitions).count { _ in
            let values = (0..<seeds).map { _ in shift + population.normal() }
            guard let interval = PairedDifferences(values).interval(confidence: 0.9875) else { return false }
            return interval.lower > 0 || interval.upper < 0
        }
        let share = Double(shown) / Double(repetitions)
        #expect(share > 0.76 && share < 0.86)
    }

    // MARK: one side alone

    /// A percentile of one seed by itself: an effect of its own, a tenth of it by chance, and one seed in ten twice as slow.
    private static func percentile(_ population: inout Population) -> Double {
        let slow = population.stream.chance(1, in: 10) ? 2.0 : 1.0
        return 36_000 * slow * exp(0.15 * population.normal() + 0.1 * population.normal())
    }

    /// At the bound that half of all seeds keep, "more than half keep it" is wrong.
    @Test(arguments: [10, 20])
    func `what one side proves is wrong no more often than it says`(seeds: Int) {
        var population = Population(stream: RandomStream(seed: 5))
        let many = (0..<4_001).map { _ in Self.percentile(&population) }.sorted()
        let repetitions = 1_000
        func share(keeping bound: Double, risk: Double) -> Double {
            let proven = (0..<repetitions).count { _ in
                let keeping = (0..<seeds).count { _ in Self.percentile(&population) <= bound }
                return SeedMajority.isProven(keeping: keeping, of: seeds, risk: risk)
            }
            return Double(proven) / Double(repetitions)
        }
        for risk in [0.05, 0.05 / 6] {
            let error = (risk * (1 - risk) / Double(repetitions)).squareRoot()
            #expect(share(keeping: many[2_000], risk: risk) < risk + 3 * error)
        }
        // What nearly all keep is proven nearly always.
        #expect(share(keeping: many[3_920], risk: 0.05) > 0.95)
    }

    @Test func `the bootstrap of one side promises too much with ten seeds`() {
        var population = Population(stream: RandomStream(seed: 20_261_101))
        let many = (0..<1_500).map { _ in Self.histogram(population.seed().first) }
        let truth = Double(PooledHistograms(many).quantile(95) ?? 0)
        let repetitions = 100
        let wrong = (0..<repetitions).count { repetition in
            let sample = (0..<10).map { _ in Self.histogram(population.seed().first) }
            let bootstrap = PairedBootstrap(sample, seed: UInt64(repetition), draws: 400)
            return (bootstrap.interval(95, confidence: 0.9)?.upper ?? .infinity) < truth
        }
        // Five of a hundred is what it says.
        #expect(wrong > 10)
    }

    @Test func `too few draws have no interval of so high a confidence`() {
        var population = Population(stream: RandomStream(seed: 3))
        let sample = (0..<10).map { _ in Self.histogram(population.seed().first) }
        #expect(PairedBootstrap(sample, seed: 1, draws: 400).interval(95, confidence: 0.9975) == nil)
        #expect(PairedBootstrap(sample, seed: 1, draws: 400).interval(95, confidence: 0.9) != nil)
    }
}
