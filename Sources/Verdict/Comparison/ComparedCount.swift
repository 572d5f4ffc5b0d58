/// How often something happened on both sides, seed by seed.
package struct ComparedCount: Sendable, Equatable {
    /// In words.
    package let title: String
    /// Over all seeds.
    package let first: Int
    package let second: Int
    /// Seeds under which it happened more often, and less often, on the second side.
    package let more: Int
    package let fewer: Int
    /// The first of the former seeds.
    package let examples: [UInt64]

    /// So many of them.
    private static let examplesKept = 5

    /// Whether seeds fall on one side by chance alone, two-sided.
    var pValue: Double { SignTest.pValue(more: more, fewer: fewer) }

    init(_ title: String, _ pairs: [(seed: UInt64, first: Int, second: Int)]) {
        self.title = title
        first = pairs.reduce(0) { $0 + $1.first }
        second = pairs.reduce(0) { $0 + $1.second }
        more = pairs.count { $0.second > $0.first }
        examples = Array(pairs.lazy.filter { $0.second > $0.first }.map(\.seed).prefix(Self.examplesKept))
        fewer = pairs.count { $0.second < $0.first }
    }
}
