import Notifier
import Platform

/// How long GitLab took to answer, out of the counts of a bundle: only minutes count in which nothing failed.
struct IncidentLatency: Equatable {
    var p50: Duration
    var p90: Duration
    var p99: Duration
    var max: Duration

    /// Nil where fewer than a hundred answers are known.
    init?(_ minutes: [IncidentBundle.Minute]) {
        let sound = minutes.filter { $0.answers.allSatisfy { ($0.status ?? 500) < 400 } }
        var counts = [Int64](repeating: 0, count: TrafficMinute.bounds.count)
        for minute in sound {
            for (index, count) in minute.lengths.prefix(counts.count).enumerated() {
                counts[index] = counts[index].addingReportingOverflow(count).partialValue
            }
        }
        let total = counts.reduce(Int64(0)) { $0.addingReportingOverflow($1).partialValue }
        guard total >= 100, counts.allSatisfy({ (0...1_000_000_000_000_000).contains($0) }) else { return nil }
        p50 = Self.quantile(0.5, of: counts, total)
        p90 = Swift.max(p50, Self.quantile(0.9, of: counts, total))
        p99 = Swift.max(p90, Self.quantile(0.99, of: counts, total))
        max = Swift.max(p99, Self.quantile(1, of: counts, total))
    }

    /// Within the bound in which it lies as far up as the share of that bound's answers below it.
    private static func quantile(_ wantedShare: Double, of counts: [Int64], _ total: Int64) -> Duration {
        let wanted = Double(total) * wantedShare
        var below: Double = 0
        for (index, count) in counts.enumerated() where count > 0 {
            if below + Double(count) >= wanted {
                let low = index > 0 ? TrafficMinute.bounds[index - 1] : 0
                let share = (wanted - below) / Double(count)
                return .milliseconds(low + Int64(Double(TrafficMinute.bounds[index] - low) * share))
            }
            below += Double(count)
        }
        return .milliseconds(TrafficMinute.bounds[TrafficMinute.bounds.count - 1])
    }
}
