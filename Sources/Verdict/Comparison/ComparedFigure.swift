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

        var isDuration: Bool { self != .requests }

        /// A value as people read it.
        func text(_ value: Double) -> String {
            isDuration ? FigureText.precise(milliseconds: Int64(value.rounded())) : FigureText.decimal(value, 0)
        }

        /// A difference as people read it.
        func signed(_ value: Double) -> String {
            let text = text(value)
            return value > 0 && !text.hasPrefix("-") ? "+\(text)" : text
        }
    }

    let kind: Kind
    /// Milliseconds, of all seeds together, or requests of a seed on average; nil without data.
    let first: Double?
    let second: Double?
    /// Of each seed.
    let differences: PairedDifferences
    /// Of the difference; nil with too few seeds.
    let interval: ConfidenceInterval?
    let confidence: Double

    var difference: Double? {
        guard let first, let second else { return nil }
        return second - first
    }

    /// A difference of more than that would have shown in 80 of 100 samples like this one; nil with too few seeds.
    var detectable: Double? { differences.detectable(confidence: confidence) }

    var isWorse: Bool { interval.map { $0.lower > 0 } ?? false }
    var isBetter: Bool { interval.map { $0.upper < 0 } ?? false }
}
