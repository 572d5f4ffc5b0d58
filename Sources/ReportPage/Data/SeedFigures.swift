import Verdict

/// What the page says of one seed.
struct SeedFigures: Equatable, Sendable {
    var seed: UInt64
    var verdict: Verdict
    var isCrashed: Bool
    var expected: Int
    var missed: Int
    var duplicates: Int
    var unexpected: Int
    var invariantsBroken: Int
    /// Of the latency, in milliseconds; nil without a sample.
    var p95: Int64?
    var longest: Int64?

    init(_ line: SeedLine) {
        seed = line.seed
        verdict = line.verdict
        isCrashed = line.crash != nil
        expected = line.counts?.expected ?? 0
        missed = line.counts?.missed ?? 0
        duplicates = line.counts?.duplicates ?? 0
        unexpected = line.counts?.unexpected ?? 0
        invariantsBroken = line.counts?.invariantsBroken ?? 0
        var histogram = PooledHistogram()
        if let latency = line.histograms?.latency { histogram.add(latency) }
        p95 = histogram.quantile(hundredths: 95)
        longest = histogram.longest
    }
}

/// Latencies of several seeds or of one person, by bound.
struct PooledHistogram: Equatable, Sendable {
    private var counts: [Int64: Int64] = [:]
    private(set) var samples: Int64 = 0
    /// Exact, where the seeds say so.
    private(set) var longest: Int64?

    mutating func add(_ histogram: SeedLine.Histogram) {
        for bucket in histogram.buckets where bucket.count == 2 && bucket[1] > 0 { add(bucket[0], bucket[1]) }
        longest = [longest, histogram.maxMilliseconds].compactMap { $0 }.max()
    }

    mutating func add(_ milliseconds: Int64, _ count: Int64 = 1) {
        counts[milliseconds, default: 0] += count
        samples += count
        longest = max(longest ?? milliseconds, milliseconds)
    }

    /// Bounds with the samples up to them, rising.
    var cumulative: [(bound: Int64, samples: Int64)] {
        var sum: Int64 = 0
        return counts.sorted { $0.key < $1.key }.map { bound, count in
            sum += count
            return (bound, sum)
        }
    }

    /// For each share, all of them rising, the bound that at least so large a part of the samples is not longer than; nil without samples.
    func levels(shares: [Double]) -> [Int64?] {
        var steps = cumulative[...]
        return shares.map { share in
            while let first = steps.first, steps.count > 1, Double(first.samples) < share * Double(samples) {
                steps.removeFirst()
            }
            return steps.first.map { min($0.bound, longest ?? $0.bound) }
        }
    }

    /// The sample at least so many hundredths of all are not longer than; nil without samples.
    func quantile(hundredths: Int64) -> Int64? {
        let rank = max(1, (samples * hundredths + 99) / 100)
        return cumulative.first { $0.samples >= rank }.map { min($0.bound, longest ?? $0.bound) }
    }
}
