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
}
