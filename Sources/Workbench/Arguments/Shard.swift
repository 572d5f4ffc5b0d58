/// A part of a run's seeds, such as the third of twenty: what one machine of many runs.
struct Shard: Codable, Equatable, Sendable {
    /// More parts than these are refused.
    static let maximumCount = 10_000

    /// From 1.
    var number: Int
    /// How many parts there are.
    var count: Int

    init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    /// Whether there is such a part; false for what no command line can say.
    var isPossible: Bool { (1...Self.maximumCount).contains(count) && (1...count).contains(number) }

    /// The seeds of this part: consecutive ones, in parts whose lengths differ by one at most. Nil when there are fewer seeds
    /// than parts.
    func part(of seeds: ClosedRange<UInt64>) -> ClosedRange<UInt64>? {
        guard seeds.count >= count else { return nil }
        func start(_ index: Int) -> UInt64 { seeds.lowerBound + UInt64(seeds.count * index / count) }
        return start(number - 1)...(start(number) - 1)
    }
}

extension Shard {
    /// From the notation of a command line, `3/20`.
    ///
    /// - Throws: `ProgramError` for anything else.
    init(_ text: String) throws(ProgramError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) : nil }
        guard parts.count == 2, numbers.count == 2, (1...Self.maximumCount).contains(numbers[1]) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a shard: --shard takes a number and how many there are, at most \(Self.maximumCount)",
                hint: "--shard 3/20"
            )
        }
        guard (1...numbers[1]).contains(numbers[0]) else {
            throw ProgramError(
                .badValue,
                "there is no shard \(numbers[0]) of \(numbers[1]): shards are numbered from 1",
                hint: "--shard 1/\(numbers[1]) to --shard \(numbers[1])/\(numbers[1])"
            )
        }
        self.init(number: numbers[0], count: numbers[1])
    }

    /// The refusal of more parts than there is work.
    static func tooMany(_ shard: Shard, of what: String, most: Int) -> ProgramError {
        ProgramError(
            .badValue,
            "\(what) cannot be cut into \(shard.count) shards",
            hint: "--shard 1/\(most) at most"
        )
    }
}
