/// How often latencies fell into buckets whose bounds are the same in every run, so that histograms of several seeds, machines
/// or builds add up exactly.
///
/// A bucket is named by its upper bound in milliseconds: the latency, rounded up to nine significant bits. Below 512 ms that is
/// the latency itself; above, the bound is longer by less than one part in 256. Rounding never makes a latency look shorter.
struct LatencyHistogram: Sendable, Equatable {
    static let significantBits = 9

    /// Upper bounds in milliseconds, rising, each once.
    private(set) var bounds: [Int64] = []
    /// How many latencies each bucket holds; none is empty.
    private(set) var counts: [Int] = []

    init(_ samples: LatencySamples) {
        for (value, count) in zip(samples.values, samples.counts) {
            let bound = LatencySamples.roundedUp(value, toBits: Self.significantBits)
            if bounds.last == bound {
                counts[counts.count - 1] += count
            } else {
                bounds.append(bound)
                counts.append(count)
            }
        }
    }

    /// From the buckets of a report. Nil unless bounds rise and no bucket is empty.
    init?(buckets: [[Int64]]) {
        for bucket in buckets {
            guard bucket.count == 2, bucket[0] >= 0, (1...Self.maximumCount).contains(bucket[1]) else { return nil }
            guard bounds.last.map({ $0 < bucket[0] }) ?? true else { return nil }
            bounds.append(bucket[0])
            counts.append(Int(bucket[1]))
        }
    }

    /// All of the parts together.
    init(sumOf parts: some Sequence<LatencyHistogram>) {
        var sums: [Int64: Int] = [:]
        for part in parts {
            for (bound, count) in zip(part.bounds, part.counts) { sums[bound, default: 0] += count }
        }
        for (bound, count) in sums.sorted(by: { $0.key < $1.key }) {
            bounds.append(bound)
            counts.append(count)
        }
    }

    /// Of one bucket; no seed has so many notifications.
    private static let maximumCount: Int64 = 10_000_000

    /// The smallest bound that so many of a hundred do not exceed; nil without samples.
    func percentile(_ percent: Int) -> Int64? {
        let total = counts.reduce(0, +)
        let rank = max(1, (total * percent + 99) / 100)
        var sum = 0
        for (bound, count) in zip(bounds, counts) {
            sum += count
            if sum >= rank { return bound }
        }
        return nil
    }
}
