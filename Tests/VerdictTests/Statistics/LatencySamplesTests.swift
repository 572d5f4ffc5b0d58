import Testing

@testable import Verdict

struct LatencySamplesTests {
    private func makeSamples(_ milliseconds: ClosedRange<Int64>) -> LatencySamples {
        LatencySamples(nanoseconds: milliseconds.reversed().map { $0 * 1_000_000 })
    }

    @Test(arguments: [(50, 50), (90, 90), (99, 99), (100, 100), (1, 1)])
    func `percentiles are nearest ranks`(percent: Int, value: Int64) {
        #expect(makeSamples(1...100).percentile(percent) == value)
    }

    @Test func `the percentile of few samples is one of them`() {
        #expect(makeSamples(7...7).percentile(99) == 7)
        #expect(makeSamples(1...3).percentile(50) == 2)
        #expect(LatencySamples().percentile(50) == nil)
    }

    @Test func `a begun millisecond counts whole`() {
        #expect(LatencySamples(nanoseconds: [1_000_001]).maximum == 2)
        #expect(LatencySamples(nanoseconds: [1_000_000]).maximum == 1)
    }

    @Test func `pooling in parts is the same as at once`() {
        let pooled = LatencySamples.pooled([makeSamples(20...90), makeSamples(1...40)])
        let all = LatencySamples(nanoseconds: (Array(1...40) + Array(20...90)).map { $0 * 1_000_000 })
        #expect(pooled == all)
        #expect(pooled.count == 111)
    }

    @Test func `memory is bounded and rounding never flatters`() {
        let samples = LatencySamples(nanoseconds: (1...200_000).map { $0 * 7 * 1_000_000 })
        #expect(!samples.isExact)
        #expect(samples.values.count <= LatencySamples.exactValues)
        #expect(samples.count == 200_000)
        let exact: Int64 = 198_000 * 7
        let rounded = samples.percentile(99) ?? 0
        #expect(rounded >= exact && rounded <= exact + exact / 500)
    }
}
