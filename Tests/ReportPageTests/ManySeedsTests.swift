import FoundationEssentials
import Testing
import Verdict

@testable import ReportPage

/// What the page makes of very many seeds.
struct ManySeedsTests {
    private func makeHistogram(_ buckets: [(bound: Int64, count: Int64)]) -> PooledHistogram {
        var histogram = PooledHistogram()
        for bucket in buckets { histogram.add(bucket.bound, bucket.count) }
        return histogram
    }

    @Test func `a level is the bound that so large a share is not longer than`() {
        let histogram = makeHistogram([(100, 50), (200, 40), (900, 10)])
        #expect(histogram.levels(shares: [0, 0.5, 0.501, 0.9, 0.95, 0.9999]) == [100, 100, 200, 200, 900, 900])
        #expect(PooledHistogram().levels(shares: [0.5, 0.9]) == [nil, nil])
    }

    @Test func `the curve has a row for each column, whose words are rising percentiles`() {
        let histogram = makeHistogram((1...2_000).map { ($0 * 10, 1) })
        let rows = PercentileCurve(latency: histogram, excess: histogram, limits: []).table.rows
        #expect(rows.count == 230)
        let percentiles = rows.map { Double($0[0].text) ?? -1 }
        #expect(percentiles == percentiles.sorted() && percentiles[0] >= 0 && percentiles[229] < 100)
    }

    /// Seeds whose 95th percentiles lie all over the axis.
    private func makeSeeds(_ count: Int) throws -> [SeedFigures] {
        try (1...count).map { seed in
            let bound = 100 + (seed * 7_919) % 90_000_000
            let verdict = seed % 3 == 0 ? "insufficient" : "pass"
            let histogram = #"{"samples":1,"maxMilliseconds":\#(bound),"buckets":[[\#(bound),1]]}"#
            let text = """
                {"schemaVersion":1,"seed":\(seed),"verdict":"\(verdict)","exitCode":0,"histograms":\
                {"latency":\(histogram),"excessLatency":\(histogram)}}
                """
            return SeedFigures(try JSONDecoder().decode(SeedLine.self, from: Data(text.utf8)))
        }
    }

    @Test func `the strip of seeds is bounded, however many there are`() throws {
        let seeds = try makeSeeds(40_000)
        let drawn = SeedStrip(seeds: seeds, linked: []).drawn().text
        #expect(drawn.utf8.count < 700_000, "\(drawn.utf8.count)")
        #expect(drawn.contains("40000 seeds") && drawn.contains(">seed 40000</text>"))
    }
}
