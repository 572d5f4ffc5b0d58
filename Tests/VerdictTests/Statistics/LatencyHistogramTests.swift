import Testing

@testable import Verdict

struct LatencyHistogramTests {
    private func makeHistogram(_ milliseconds: some Sequence<Int64>) -> LatencyHistogram {
        LatencyHistogram(LatencySamples(nanoseconds: milliseconds.map { $0 * 1_000_000 }))
    }

    @Test func `short latencies have a bucket each`() {
        let histogram = makeHistogram(0...512)
        #expect(histogram.bounds == Array(0...512))
        #expect(histogram.counts.allSatisfy { $0 == 1 })
    }

    @Test(arguments: [513, 1_000, 1_025, 65_537, 86_400_001, 1_000_000_007] as [Int64])
    func `a bound is longer than the latency by less than one part in 256`(latency: Int64) throws {
        let bound = try #require(makeHistogram([latency]).bounds.first)
        #expect(bound >= latency)
        #expect((bound - latency) * 256 < latency)
    }

    @Test func `the error is not smaller than it is said to be`() {
        #expect(makeHistogram([513]).bounds == [514])
        #expect(makeHistogram([1_025]).bounds == [1_028])
    }

    @Test func `neighbours share a bucket and nothing is lost`() {
        let histogram = makeHistogram(10_000...11_000)
        #expect(histogram.bounds.count < 70)
        #expect(histogram.counts.reduce(0, +) == 1_001)
        #expect(zip(histogram.bounds, histogram.bounds.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `samples that were rounded already fall into the same buckets`() {
        let latencies = (1...20_000).map { Int64($0 * 37) }
        let rounded = LatencySamples(nanoseconds: latencies.map { $0 * 1_000_000 })
        #expect(!rounded.isExact)
        var counts: [Int64: Int] = [:]
        for latency in latencies {
            for (bound, count) in zip(makeHistogram([latency]).bounds, makeHistogram([latency]).counts) {
                counts[bound, default: 0] += count
            }
        }
        let histogram = LatencyHistogram(rounded)
        #expect(Dictionary(uniqueKeysWithValues: zip(histogram.bounds, histogram.counts)) == counts)
    }
}
