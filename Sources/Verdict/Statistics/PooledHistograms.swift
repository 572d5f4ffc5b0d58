/// Histograms of one figure by groups of seeds, of which quantiles of any mixture are read fast.
struct PooledHistograms: Sendable, Equatable {
    let groups: Int
    /// Upper bounds of all buckets, rising.
    private let bounds: [Int64]
    /// For each bound, of each group: how many are not longer.
    private let cumulative: [Int32]

    init(_ parts: [LatencyHistogram]) {
        groups = parts.count
        bounds = Set(parts.flatMap(\.bounds)).sorted()
        var rows = [Int32](repeating: 0, count: bounds.count * parts.count)
        for (group, part) in parts.enumerated() {
            var next = 0
            var sum: Int32 = 0
            for (index, bound) in bounds.enumerated() {
                if next < part.bounds.count, part.bounds[next] == bound {
                    sum += Int32(clamping: part.counts[next])
                    next += 1
                }
                rows[index * parts.count + group] = sum
            }
        }
        cumulative = rows
    }

    /// The smallest bound that so many of a hundred do not exceed, each group taken as often as its weight says; nil without samples.
    func quantile(_ percent: Int, weights: [Int]) -> Int64? {
        guard let last = bounds.indices.last else { return nil }
        let total = count(upTo: last, weights)
        guard total > 0 else { return nil }
        let rank = max(1, (total * percent + 99) / 100)
        var (low, high) = (0, last)
        while low < high {
            let middle = (low + high) / 2
            if count(upTo: middle, weights) >= rank { high = middle } else { low = middle + 1 }
        }
        return bounds[low]
    }

    /// Of all groups together.
    func quantile(_ percent: Int) -> Int64? { quantile(percent, weights: [Int](repeating: 1, count: groups)) }

    private func count(upTo index: Int, _ weights: [Int]) -> Int {
        let start = index * groups
        var sum = 0
        for group in 0..<groups { sum += weights[group] * Int(cumulative[start + group]) }
        return sum
    }
}
