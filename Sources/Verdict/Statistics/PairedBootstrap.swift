import Platform

/// Intervals of pooled percentiles, by drawing seeds again and again: the same draw for both sides (statistics §5).
///
/// The ranks of the draws are those of the expanded percentile interval (Hesterberg 2015, "What teachers should know about the
/// bootstrap", §3.3): without it, intervals of ten seeds are too narrow, as draws spread by (n − 1)/n of what samples do.
struct PairedBootstrap: Sendable {
    static let draws = 2_000
    /// More seeds are put together into so many groups of neighbours, which are drawn instead.
    static let maximumGroups = 200

    private let first: PooledHistograms
    private let second: PooledHistograms?
    /// How often each draw takes each group.
    private let weights: [[Int]]

    /// Of paired seeds, in their order; without `second`, of one side alone. `seed` alone determines the draws.
    init(_ first: [LatencyHistogram], _ second: [LatencyHistogram]? = nil, seed: UInt64, draws: Int = Self.draws) {
        let groups = min(first.count, Self.maximumGroups)
        self.first = PooledHistograms(Self.grouped(first, into: groups))
        self.second = second.map { PooledHistograms(Self.grouped($0, into: groups)) }
        var stream = RandomStream(seed: seed)
        weights = (0..<draws).map { _ in
            var weights = [Int](repeating: 0, count: groups)
            for _ in 0..<groups { weights[Int(stream.next(below: UInt64(groups)))] += 1 }
            return weights
        }
    }

    /// The two-sided interval; nil for fewer than two seeds, when a draw has no samples, or with too few draws for that confidence.
    func interval(_ percent: Int, confidence: Double) -> ConfidenceInterval? {
        guard first.groups >= 2 else { return nil }
        let values = weights.compactMap { difference(percent, $0) }.sorted()
        guard values.count == weights.count, !values.isEmpty else { return nil }
        guard let rank = Self.rank(of: values.count, groups: first.groups, confidence: confidence) else { return nil }
        return ConfidenceInterval(lower: values[rank - 1], upper: values[values.count - rank])
    }

    /// The rank, from 1, of the draw that bounds the interval on each side.
    private static func rank(of draws: Int, groups: Int, confidence: Double) -> Int? {
        let t = StudentT.quantile((1 - confidence) / 2, freedom: groups - 1)
        let share = NormalDistribution.below(t * (Double(groups) / Double(groups - 1)).squareRoot())
        let rank = Int(share * Double(draws))
        return rank >= 1 ? rank : nil
    }

    /// The percentile of what was drawn, or its difference, second less first; nil without samples on a side.
    private func difference(_ percent: Int, _ weights: [Int]) -> Double? {
        guard let one = first.quantile(percent, weights: weights) else { return nil }
        guard let second else { return Double(one) }
        return second.quantile(percent, weights: weights).map { Double($0 - one) }
    }

    private static func grouped(_ parts: [LatencyHistogram], into groups: Int) -> [LatencyHistogram] {
        guard parts.count > groups else { return parts }
        return (0..<groups).map { group in
            LatencyHistogram(sumOf: parts[(parts.count * group / groups)..<(parts.count * (group + 1) / groups)])
        }
    }
}
