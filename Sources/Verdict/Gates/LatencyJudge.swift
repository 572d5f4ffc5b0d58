import Platform
import Scenarios

/// Judges a gate over a quantile of latency: the time to the first display of those that were displayed. What was seen is all that is
/// judged: latencies of one seed are alike, and no bound that takes them for independent holds (statistics §3).
struct LatencyJudge {
    let gate: Gate
    let slice: PooledSlice

    /// Below this many samples nothing can be said of the 99th of a hundred (statistics §3).
    static let samplesForP99 = 299

    func judge() -> GateResult {
        var result = GateResult(gate, .insufficient)
        guard case .duration(let bound) = gate.comparison.bound, let quantile = gate.metric.quantile else {
            result.note = "\(gate.metric.rawValue) is compared with a duration"
            return result
        }
        let samples = quantile.isExcess ? slice.total.excess : slice.total.latency
        guard let value = quantile.percent == 100 ? samples.maximum : samples.percentile(quantile.percent) else {
            result.note = "nothing was displayed here"
            return result
        }
        let limit = bound.wholeMilliseconds
        result.observed = FigureText.precise(milliseconds: value)
        result.observedValue = Double(value) / 1_000
        result.samples = samples.count
        result.verdict = holds(value, bound) ? .pass : .fail
        result.margin = FigureText.precise(
            milliseconds: gate.comparison.relation.isFloor ? value - limit : limit - value
        )
        result.note = note(quantile)
        if quantile.percent == 99, samples.count < Self.samplesForP99, result.verdict == .pass {
            result.verdict = .insufficient
            let needed = Self.samplesForP99 - samples.count
            let lacking = "\(needed) more displayed notifications are needed for a 99th percentile"
            result.note = [lacking, result.note].compactMap(\.self).joined(separator: ", ")
        }
        return result
    }

    private func holds(_ milliseconds: Int64, _ bound: Duration) -> Bool {
        gate.comparison.relation.holds(.milliseconds(milliseconds), bound)
    }

    /// What was never displayed has no latency: a gate on delivery judges it, and this says that it is missing here.
    private func note(_ quantile: Metric.Quantile) -> String? {
        let missing = slice.total.expected - slice.total.displayed
        var parts: [String] = []
        let worst = slice.seeds.compactMap { seed in
            (quantile.isExcess ? seed.result.excess : seed.result.latency).maximum.map { (seed: seed.seed, value: $0) }
        }
        if slice.seeds.count > 1, let first = worst.first {
            let slowest = worst.reduce(first) { $1.value > $0.value ? $1 : $0 }
            parts.append("worst seed \(slowest.seed): \(FigureText.precise(milliseconds: slowest.value))")
        }
        if missing > 0 { parts.append("\(missing) never displayed") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Metric {
    /// Which quantile of which latency a metric means; the maximum is the hundredth of a hundred.
    struct Quantile {
        var percent: Int
        var isExcess: Bool
    }

    var quantile: Quantile? {
        switch self {
        case .latencyP50: Quantile(percent: 50, isExcess: false)
        case .latencyP90: Quantile(percent: 90, isExcess: false)
        case .latencyP95: Quantile(percent: 95, isExcess: false)
        case .latencyP99: Quantile(percent: 99, isExcess: false)
        case .latencyMax: Quantile(percent: 100, isExcess: false)
        case .excessLatencyP50: Quantile(percent: 50, isExcess: true)
        case .excessLatencyP90: Quantile(percent: 90, isExcess: true)
        case .excessLatencyP95: Quantile(percent: 95, isExcess: true)
        case .excessLatencyP99: Quantile(percent: 99, isExcess: true)
        case .excessLatencyMax: Quantile(percent: 100, isExcess: true)
        default: nil
        }
    }
}
