import Platform
import Testing

@Suite struct RandomStreamTests {
    @Test func `a seed gives the draws it has always given`() {
        var stream = RandomStream(seed: 1)
        let draws = (0..<4).map { _ in stream.next() }
        #expect(draws == Self.drawsOfSeed1)
    }

    /// Written down once: scenarios replay only while these stay.
    private static let drawsOfSeed1: [UInt64] = [
        12_966_619_160_104_079_557, 9_600_361_134_598_540_522, 10_590_380_919_521_690_900, 7_218_738_570_589_545_383,
    ]

    @Test func `streams of one seed with other names are independent`() {
        var first = RandomStream(seed: 1, stream: "link.gitlab")
        var second = RandomStream(seed: 1, stream: "link.apns")
        let draws = (first.next(), second.next())
        #expect(draws.0 != draws.1)
    }

    @Test func `bounded draws stay inside and reach every value`() {
        var stream = RandomStream(seed: 3)
        var seen: Set<Int64> = []
        for _ in 0..<1_000 { seen.insert(stream.next(in: -3...3)) }
        #expect(seen == Set(-3...3))
    }

    @Test func `a chance of nothing never happens and a certain one always`() {
        var stream = RandomStream(seed: 5)
        for _ in 0..<100 {
            let never = stream.chance(0, in: 10)
            let always = stream.chance(10, in: 10)
            #expect(!never && always)
        }
    }

    @Test func `a quantile table gives its quantiles`() {
        let table = QuantileTable([
            .init(perMille: 0, value: .milliseconds(10)), .init(perMille: 500, value: .milliseconds(45)),
            .init(perMille: 990, value: .milliseconds(300)), .init(perMille: 1_000, value: .seconds(2)),
        ])
        var stream = RandomStream(seed: 7)
        let draws = (0..<20_000).map { _ in table.draw(from: &stream) }.sorted()
        #expect(draws[0] >= .milliseconds(10) && draws[19_999] <= .seconds(2))
        #expect(abs(draws[10_000].wholeMilliseconds - 45) <= 2)
        #expect(abs(draws[15_000].wholeMilliseconds - 176) <= 10)
    }
}
