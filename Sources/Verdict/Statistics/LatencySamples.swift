/// Latencies in whole milliseconds, rounded up: exact while few values differ, then in steps of a thousandth, so that
/// memory stays bounded. Rounding never makes a latency look shorter.
package struct LatencySamples: Sendable, Equatable, Codable {
    /// More different values than these are rounded to ten significant bits.
    static let exactValues = 16_384

    /// Rising, each once.
    package private(set) var values: [Int64]
    /// How often each value occurred.
    package private(set) var counts: [Int]
    private(set) var isExact = true

    init() {
        values = []
        counts = []
    }

    /// From latencies in nanoseconds.
    init(nanoseconds: [Int64]) {
        self.init()
        let milliseconds = nanoseconds.map { ($0 + 999_999) / 1_000_000 }.sorted()
        for value in milliseconds { append(value, 1) }
        compactIfNeeded()
    }

    /// How many samples there are.
    package var count: Int { counts.reduce(0, +) }

    /// The longest, in milliseconds; nil without samples.
    var maximum: Int64? { values.last }

    /// The sample of that rank, from 1 for the smallest; nil when there is none.
    package func sample(rank: Int) -> Int64? {
        guard rank >= 1 else { return nil }
        var seen = 0
        for (value, count) in zip(values, counts) {
            seen += count
            if seen >= rank { return value }
        }
        return nil
    }

    /// The smallest sample that at least so many of a hundred do not exceed (nearest rank); nil without samples.
    package func percentile(_ percent: Int) -> Int64? {
        let count = count
        return count == 0 ? nil : sample(rank: max(1, (count * percent + 99) / 100))
    }

    /// All samples of the parts together.
    package static func pooled(_ parts: some Sequence<LatencySamples>) -> LatencySamples {
        var pooled = LatencySamples()
        var pairs: [(value: Int64, count: Int)] = []
        for part in parts {
            pooled.isExact = pooled.isExact && part.isExact
            pairs += zip(part.values, part.counts).map { (value: $0, count: $1) }
        }
        pairs.sort { $0.value < $1.value }
        for pair in pairs { pooled.append(pair.value, pair.count) }
        pooled.compactIfNeeded()
        return pooled
    }

    private mutating func append(_ value: Int64, _ count: Int) {
        if values.last == value {
            counts[counts.count - 1] += count
        } else {
            values.append(value)
            counts.append(count)
        }
    }

    private mutating func compactIfNeeded() {
        guard values.count > Self.exactValues else { return }
        var compact = LatencySamples()
        for (value, count) in zip(values, counts) { compact.append(Self.roundedUp(value, toBits: 10), count) }
        compact.isExact = false
        self = compact
    }

    /// Up to the next number with so many significant bits.
    static func roundedUp(_ value: Int64, toBits bits: Int) -> Int64 {
        let shift = max(0, Int64.bitWidth - value.leadingZeroBitCount - bits)
        let step = Int64(1) << shift
        return (value + step - 1) / step * step
    }
}
