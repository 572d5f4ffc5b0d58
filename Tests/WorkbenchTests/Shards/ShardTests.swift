import Testing

@testable import Workbench

struct ShardTests {
    @Test(arguments: [(1, 1), (20, 20), (20, 7), (100, 20), (3, 2), (100_000, 10_000)])
    func `shards are every seed once, in order and of nearly the same length`(seeds: Int, count: Int) throws {
        let all = UInt64(5)...UInt64(4 + seeds)
        let parts = try (1...count).map { try #require(Shard(number: $0, count: count).part(of: all)) }
        #expect(parts.first?.lowerBound == all.lowerBound && parts.last?.upperBound == all.upperBound)
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound + 1 == $1.lowerBound })
        let lengths = parts.map(\.count)
        #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) <= 1)
    }

    @Test func `no shard is empty`() {
        #expect(Shard(number: 1, count: 4).part(of: 1...3) == nil)
    }

    @Test func `the largest seeds can be cut`() {
        let last = SeedSelection.maximumSeed
        #expect(Shard(number: 2, count: 2).part(of: (last - 3)...last) == (last - 1)...last)
    }
}
