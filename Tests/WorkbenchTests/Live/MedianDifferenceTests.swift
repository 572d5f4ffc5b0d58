import Platform
import Testing

@testable import Verdict
@testable import Workbench

/// How far two medians are apart, and how sure that is.
struct MedianDifferenceTests {
    /// So many latencies, evenly spread between the two bounds in milliseconds.
    private func makeSamples(_ count: Int, _ range: ClosedRange<Int64>, independent: Int? = nil)
        -> MedianDifference.Sample
    {
        let length = range.upperBound - range.lowerBound
        let latency = LatencySamples(
            nanoseconds: (0..<count).map { index in
                (range.lowerBound + length * Int64(index) / Int64(count - 1)) * 1_000_000
            }
        )
        return MedianDifference.Sample(latency: latency, independent: independent ?? count)
    }

    @Test func `many latencies of one distribution have close medians`() throws {
        let samples = makeSamples(20_000, 1_000...31_000)
        let difference = try #require(MedianDifference(of: samples, from: samples))
        #expect(difference.perMille == 0)
        #expect(difference.finding == .close)
    }

    @Test func `a tenth is within the tolerance, with enough latencies to tell`() throws {
        let base = makeSamples(60_000, 1_000...31_000)
        let slower = makeSamples(60_000, 2_000...32_000)
        let difference = try #require(MedianDifference(of: slower, from: base))
        #expect((60...65).contains(difference.perMille))
        #expect(difference.finding == .close)
    }

    @Test(arguments: [(count: 400, finding: MedianDifference.Finding.open), (count: 20_000, finding: .close)])
    func `with few latencies nobody can tell`(count: Int, finding: MedianDifference.Finding) throws {
        let samples = makeSamples(count, 1_000...31_000)
        #expect(try #require(MedianDifference(of: samples, from: samples)).finding == finding)
    }

    @Test func `medians that are far apart are so with few latencies, too`() throws {
        let difference = try #require(
            MedianDifference(of: makeSamples(200, 20_000...60_000), from: makeSamples(200, 1_000...31_000))
        )
        #expect((1_490...1_510).contains(difference.perMille))
        #expect(difference.finding == .apart)
    }

    @Test func `the shorter one may be the first`() throws {
        let difference = try #require(
            MedianDifference(of: makeSamples(2_000, 1_000...11_000), from: makeSamples(2_000, 1_000...31_000))
        )
        #expect(difference.perMille < -600)
        #expect(difference.finding == .apart)
    }

    @Test func `a handful says nothing`() throws {
        let difference = try #require(
            MedianDifference(of: makeSamples(4, 20_000...60_000), from: makeSamples(4, 1_000...31_000))
        )
        #expect(difference.interval == nil)
        #expect(difference.finding == .open)
    }

    @Test func `nothing delivered has no median`() {
        let nothing = MedianDifference.Sample(latency: LatencySamples(), independent: 0)
        #expect(MedianDifference(of: nothing, from: makeSamples(10, 1...100)) == nil)
    }

    @Test func `a burst counts for one`() throws {
        let burst = makeSamples(20_000, 20_000...60_000, independent: 3)
        let difference = try #require(MedianDifference(of: burst, from: makeSamples(20_000, 1_000...31_000)))
        #expect(difference.finding == .open)
    }
}
