import Testing

@testable import Workbench

struct ShardTests {
    @Test(arguments: [(1, 1), (20, 20), (20, 7), (100, 20), (3, 2), (100_000, 10_000), (1_000_003, 20)])
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

    @Test func `one call runs so many seeds, and a range may be as long as all of its shards allow`() throws {
        func run(_ arguments: String...) throws(ProgramError) -> Command {
            try Command(arguments: ["run", "a.json"] + arguments)
        }
        for arguments in [["--seeds", "1..100001"], ["--seeds", "1..1000001", "--shard", "10/10"]] {
            let error = #expect(throws: ProgramError.self) { try Command(arguments: ["run", "a.json"] + arguments) }
            #expect(error?.code == .badValue && error?.message.contains("more than 100000 seeds") == true)
        }
        let error = #expect(throws: ProgramError.self) { try run("--seeds", "1..1000000") }
        #expect(error?.hint == "run them in parts, --shard 1/10 to 10/10")
        guard case .run(let whole) = try run("--seeds", "1..1000000", "--shard", "10/10"), let shard = whole.shard
        else {
            Issue.record("a million seeds in ten shards are a run")
            return
        }
        #expect(whole.seeds == .range(1...1_000_000) && shard.part(of: 1...1_000_000) == 900_001...1_000_000)
        #expect(throws: ProgramError.self) {
            try Command(arguments: ["compare", "a.json", "--set", "notifier.perPage=20", "--seeds", "1..100001"])
        }
    }
}
