import JSON
import Platform
import Scenarios
import Verdict

/// How far two medians are apart, and how sure that is.
///
/// A median of some hundred latencies that spread over half a minute is itself known to a tenth only; so the difference comes as an
/// interval, from the order statistics of both sides, that holds with 95 % confidence whatever the distributions are (each side's
/// holds with 97.5 %, by the normal approximation of the ranks). What is told together was late together: so many latencies count
/// for one, as a burst of comments shows a single phase of a poll.
struct MedianDifference: Sendable, Equatable {
    /// What the interval says about the tolerance.
    enum Finding: String, Sendable {
        /// All of it lies within.
        case close
        /// All of it lies outside.
        case apart
        /// Neither: more deliveries would be needed to tell.
        case open
    }

    /// Medians this near to each other, in per mille, count as the same.
    static let tolerance: Int64 = 100
    /// Of the normal distribution, for 97.5 % on two sides.
    private static let quantile = 2.2414

    /// By how many per mille the one is longer than the other; negative when it is shorter.
    var perMille: Int64
    /// Nil with too few samples to speak of one.
    var interval: ClosedRange<Int64>?

    /// Latencies, and how many of them are independent of each other.
    struct Sample: Sendable, Equatable {
        var latency: LatencySamples
        var independent: Int
    }

    /// Nil without samples on both sides, or when the base is zero.
    init?(of sample: Sample, from base: Sample) {
        guard let median = sample.latency.percentile(50), let from = base.latency.percentile(50), from > 0
        else { return nil }
        perMille = (median - from) * 1_000 / from
        guard let range = Self.interval(sample), let baseRange = Self.interval(base), baseRange.lowerBound > 0
        else { return }
        let lowest = (range.lowerBound - baseRange.upperBound) * 1_000 / baseRange.upperBound
        let highest = (range.upperBound - baseRange.lowerBound) * 1_000 / baseRange.lowerBound
        interval = lowest...highest
    }

    var finding: Finding {
        guard let interval else { return .open }
        let within = -Self.tolerance...Self.tolerance
        if within.contains(interval.lowerBound) && within.contains(interval.upperBound) { return .close }
        return interval.overlaps(within) ? .open : .apart
    }

    /// Between which samples the median lies.
    private static func interval(_ sample: Sample) -> ClosedRange<Int64>? {
        let count = Double(sample.latency.count)
        let spread = quantile * count / Double(max(1, sample.independent)).squareRoot()
        let (low, high) = (Int((count - spread) / 2), Int((count + spread) / 2) + 1)
        guard let least = sample.latency.sample(rank: low), let most = sample.latency.sample(rank: high)
        else { return nil }
        return least...most
    }

    /// For people.
    var sentence: String {
        let range = interval.map { "95 % sure: \(Self.percent($0.lowerBound)) to \(Self.percent($0.upperBound))" }
        let words: String
        switch finding {
        case .close: words = " SAME     the medians, within 10 %"
        case .apart: words = " DIFFERS  the medians, by more than 10 %"
        case .open: words = " OPEN     whether the medians are within 10 %"
        }
        return "\(words): \(Self.percent(perMille)) (\(range ?? "too few deliveries to say how sure"))"
    }

    var json: JSONValue {
        .object([
            JSONMember("perMille", .integer(perMille)),
            JSONMember("fromPerMille", interval.map { .integer($0.lowerBound) } ?? .null),
            JSONMember("toPerMille", interval.map { .integer($0.upperBound) } ?? .null),
            JSONMember("finding", .string(finding.rawValue)),
        ])
    }

    private static func percent(_ perMille: Int64) -> String {
        "\(perMille < 0 ? "-" : "+")\(abs(perMille) / 10).\(abs(perMille) % 10) %"
    }
}
