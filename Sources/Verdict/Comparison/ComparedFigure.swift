/// One figure of two reports, with what is known of the difference. Less is better.
package struct ComparedFigure: Sendable, Equatable {
    /// What is measured, by the name that gates have for it.
    package enum Kind: String, Sendable, CaseIterable {
        case excessP50 = "excessLatency.p50"
        case excessP95 = "excessLatency.p95"
        case requests = "requests.gitlab"
        case latencyP50 = "latency.p50"
        case latencyP95 = "latency.p95"

        enum Histogram: Hashable, Sendable { case latency, excess }

        /// Those that are judged. Percentiles of plain latency jump where an outage holds about that share of the time (statistics §5).
        package static let judged: [Kind] = [.excessP50, .excessP95, .requests]

        /// Nil for what is no percentile.
        var percentile: (Histogram, Int)? {
            switch self {
            case .excessP50: (.excess, 50)
            case .excessP95: (.excess, 95)
            case .latencyP50: (.latency, 50)
            case .latencyP95: (.latency, 95)
            case .requests: nil
            }
        }

        /// For people.
        package var title: String {
            switch self {
            case .excessP50: "excess latency p50"
            case .excessP95: "excess latency p95"
            case .latencyP50: "latency p50"
            case .latencyP95: "latency p95"
            case .requests: "requests to GitLab"
            }
        }

        /// Whether it is a time; else a count.
        package var isDuration: Bool { self != .requests }

        /// A value as people read it.
        package func text(_ value: Double) -> String {
            isDuration ? FigureText.precise(milliseconds: Int64(value.rounded())) : FigureText.decimal(value, 0)
        }

        /// A difference as people read it.
        package func signed(_ value: Double) -> String {
            let text = text(value)
            return value > 0 && !text.hasPrefix("-") ? "+\(text)" : text
        }
    }

    package let kind: Kind
    /// Milliseconds, of all seeds together, or requests of a seed on average; nil without data.
    package let first: Double?
    package let second: Double?
    /// Of each seed.
    package let differences: PairedDifferences
    /// Of the difference; nil with too few seeds.
    package let interval: ConfidenceInterval?
    package let confidence: Double

    /// Second less first; nil where one has no data.
    package var difference: Double? {
        guard let first, let second else { return nil }
        return second - first
    }

    /// A difference of more than that would have shown in 80 of 100 samples like this one; nil with too few seeds.
    package var detectable: Double? { differences.detectable(confidence: confidence) }

    /// Whether the second is proven to be worse.
    package var isWorse: Bool { interval.map { $0.lower > 0 } ?? false }
    /// Whether the second is proven to be better.
    package var isBetter: Bool { interval.map { $0.upper < 0 } ?? false }
}
