import Platform
package import Scenarios

/// A figure of latency that settings are compared by or bounded by.
package struct SweepFigure: Hashable, Sendable {
    /// Which part of a sample it is.
    enum Rank: Hashable, Sendable {
        case percent(Int)
        case longest
    }

    let metric: Metric
    let histogram: ComparedFigure.Kind.Histogram
    let rank: Rank

    /// Those of the table and of the front: excess latency, for plain latency jumps with how long an outage lasts (statistics §5).
    package static let compared: [SweepFigure] = [.excessLatencyP50, .excessLatencyP95, .excessLatencyMax].compactMap(
        SweepFigure.init
    )

    /// The name of its metric, such as `excessLatency.p95`.
    package var name: String { metric.rawValue }

    /// Every metric that is a figure of latency.
    package static let metrics: [Metric] = Metric.allCases.filter { SweepFigure($0) != nil }

    /// Nil for a metric that is none.
    package init?(_ metric: Metric) {
        let excess: ComparedFigure.Kind.Histogram = .excess
        self.metric = metric
        switch metric {
        case .latencyP50: (histogram, rank) = (.latency, .percent(50))
        case .latencyP90: (histogram, rank) = (.latency, .percent(90))
        case .latencyP95: (histogram, rank) = (.latency, .percent(95))
        case .latencyP99: (histogram, rank) = (.latency, .percent(99))
        case .latencyMax: (histogram, rank) = (.latency, .longest)
        case .excessLatencyP50: (histogram, rank) = (excess, .percent(50))
        case .excessLatencyP90: (histogram, rank) = (excess, .percent(90))
        case .excessLatencyP95: (histogram, rank) = (excess, .percent(95))
        case .excessLatencyP99: (histogram, rank) = (excess, .percent(99))
        case .excessLatencyMax: (histogram, rank) = (excess, .longest)
        default: return nil
        }
    }

    /// Of one seed, in milliseconds; nil without samples.
    func value(_ figures: ComparedSeed.Figures) -> Int64? {
        let buckets = histogram == .latency ? figures.latency : figures.excess
        switch rank {
        case .percent(let percent): return buckets.percentile(percent)
        case .longest: return histogram == .latency ? figures.longest : figures.longestExcess
        }
    }
}

/// A bound that a setting is to keep, such as `latency.p95 <= 60s`.
package struct SweepWant: Equatable, Sendable {
    package let figure: SweepFigure
    let milliseconds: Int64
    /// As it was written.
    package let text: String

    /// Nil for a bound that is no longest time.
    package init?(_ figure: SweepFigure, _ bound: Duration, text: String) {
        guard bound > .zero else { return nil }
        self.figure = figure
        milliseconds = bound.wholeMilliseconds
        self.text = text
    }
}
