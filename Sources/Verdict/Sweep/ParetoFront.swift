/// Which settings are worth a thought: less latency costs more requests, and the rest is dominated (statistics §7).
package struct ParetoFront: Sendable, Equatable {
    /// How a setting stands to the others.
    package enum Mark: Sendable, Equatable {
        /// No other setting is as good in both means.
        case onFront
        /// Another one, by its number from 0, is as good in both means and not proven to be better in one.
        case perhaps(by: Int)
        /// Proven to be better in one.
        case dominated(by: Int)
        /// It fails a requirement.
        case infeasible
    }

    /// For each setting, in their order.
    package let marks: [Mark]

    init(_ points: [SweepPoint], by figure: SweepFigure, confidence: Double = 0.95) {
        let feasible = points.indices.filter { points[$0].isFeasible }
        // One-sided, and as many others as could dominate (Bonferroni).
        let alpha = (1 - confidence) / Double(max(1, feasible.count - 1))
        marks = points.indices.map { index in
            guard points[index].isFeasible else { return .infeasible }
            var perhaps: Int?
            for other in feasible where other != index {
                switch Self.dominance(of: points[other], over: points[index], figure, alpha) {
                case .proven: return .dominated(by: other)
                case .byMeans: perhaps = perhaps ?? other
                case .none: break
                }
            }
            return perhaps.map { .perhaps(by: $0) } ?? .onFront
        }
    }

    private enum Dominance { case none, byMeans, proven }

    private static func dominance(
        of one: SweepPoint,
        over other: SweepPoint,
        _ figure: SweepFigure,
        _ alpha: Double
    ) -> Dominance {
        let pairs = Array(zip(one.seeds, other.seeds))
        let latency = PairedDifferences(
            pairs.compactMap { pair in
                guard let first = figure.value(pair.0), let second = figure.value(pair.1) else { return nil }
                return Double(first - second)
            }
        )
        let requests = PairedDifferences(pairs.map { Double($0.0.requests - $0.1.requests) })
        guard !latency.values.isEmpty, latency.mean <= 0, requests.mean <= 0, latency.mean < 0 || requests.mean < 0
        else { return .none }
        let isQuicker = figure.rank == .longest ? isLess(latency, alpha) : isLess(latency, confidence: 1 - 2 * alpha)
        return isQuicker || isLess(requests, confidence: 1 - 2 * alpha) ? .proven : .byMeans
    }

    private static func isLess(_ differences: PairedDifferences, confidence: Double) -> Bool {
        differences.interval(confidence: confidence).map { $0.upper < 0 } ?? false
    }

    /// Of maxima, which have no interval.
    private static func isLess(_ differences: PairedDifferences, _ alpha: Double) -> Bool {
        let (less, more) = (differences.values.count { $0 < 0 }, differences.values.count { $0 > 0 })
        return SignTest.oneSided(more: less, fewer: more) <= alpha
    }
}
