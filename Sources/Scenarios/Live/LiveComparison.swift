import Platform

/// A live run beside the simulated one of the same plan: whether both say the same.
struct LiveComparison: Sendable, Equatable {
    /// One of the two.
    struct Side: Sendable, Equatable {
        var verdict: Verdict
        var expected: Int
        var known: Int
        var duplicates: Int
        var unexpected: Int
        /// In milliseconds; nil without deliveries.
        var median: Int64?
        var p95: Int64?

        init(_ report: RunReport) {
            let known = LatencySamples.pooled(report.results.lazy.map(\.knownLatency))
            verdict = report.verdict
            expected = report.whole.total.expected
            self.known = report.whole.total.known
            duplicates = report.whole.total.duplicates
            unexpected = report.whole.total.unexpected
            median = known.percentile(50)
            p95 = known.percentile(95)
        }
    }

    /// What was delivered to whom.
    struct Delivery: Hashable, Sendable, CustomStringConvertible {
        var seed: UInt64
        var activity: Int
        var person: String

        var description: String { "seed \(seed): activity \(activity) to \(person)" }
    }

    /// Medians differ by this many per mille at most.
    static let tolerancePerMille: Int64 = 100

    var live: Side
    var simulated: Side
    /// Known only live, only in simulation; sorted.
    var onlyLive: [Delivery]
    var onlySimulated: [Delivery]

    init(live: RunReport, _ liveLedger: [LedgerLine], simulated: RunReport, _ simulatedLedger: [LedgerLine]) {
        self.live = Side(live)
        self.simulated = Side(simulated)
        let (left, right) = (Self.delivered(liveLedger), Self.delivered(simulatedLedger))
        onlyLive = left.subtracting(right).sorted(by: Self.order)
        onlySimulated = right.subtracting(left).sorted(by: Self.order)
    }

    var sameVerdict: Bool { live.verdict == simulated.verdict }

    var sameDeliveries: Bool { onlyLive.isEmpty && onlySimulated.isEmpty }

    /// By how many per mille the live median is longer (or shorter, when negative); nil without deliveries on both sides.
    var medianDifferencePerMille: Int64? {
        guard let live = live.median, let simulated = simulated.median, simulated > 0 else { return nil }
        return (live - simulated) * 1_000 / simulated
    }

    /// Nothing was delivered on either side, or the medians are close.
    var closeMedians: Bool {
        guard let difference = medianDifferencePerMille else { return live.median == simulated.median }
        return abs(difference) <= Self.tolerancePerMille
    }

    var holds: Bool { sameVerdict && sameDeliveries && closeMedians }

    private static func delivered(_ ledger: [LedgerLine]) -> Set<Delivery> {
        var delivered: Set<Delivery> = []
        for line in ledger where line.standing == "expected" && line.knownNanoseconds != nil {
            guard let activity = line.activity else { continue }
            delivered.insert(Delivery(seed: line.seed, activity: activity, person: line.person))
        }
        return delivered
    }

    private static func order(_ left: Delivery, _ right: Delivery) -> Bool {
        (left.seed, left.activity, left.person) < (right.seed, right.activity, right.person)
    }
}

// MARK: As text and as JSON

extension LiveComparison {
    /// For people: both sides, then what differs.
    var lines: [String] {
        let rows = [
            ("", "live", "simulated"), ("verdict", live.verdict.rawValue, simulated.verdict.rawValue),
            ("delivered", "\(live.known) of \(live.expected)", "\(simulated.known) of \(simulated.expected)"),
            ("duplicates", "\(live.duplicates)", "\(simulated.duplicates)"),
            ("unexpected", "\(live.unexpected)", "\(simulated.unexpected)"),
            ("median", Self.text(live.median), Self.text(simulated.median)),
            ("p95", Self.text(live.p95), Self.text(simulated.p95)),
        ]
        return rows.map { " \(TerminalText.padded($0.0, to: 12))\(TerminalText.padded($0.1, to: 16))\($0.2)" } + findings
    }

    private var findings: [String] {
        var findings: [String] = []
        if !sameVerdict { findings.append(" DIFFERS  the verdicts") }
        for (side, delivered) in [("live", onlyLive), ("in simulation", onlySimulated)] where !delivered.isEmpty {
            let named = delivered.prefix(5).map(\.description).joined(separator: ", ")
            findings.append(" DIFFERS  \(delivered.count) delivered only \(side): \(named)")
        }
        if !closeMedians { findings.append(" DIFFERS  the medians, by more than \(Self.tolerancePerMille / 10) %") }
        return findings.isEmpty ? [" SAME     verdict, deliveries, and medians within 10 %"] : findings
    }

    private static func text(_ milliseconds: Int64?) -> String {
        milliseconds.map { FigureText.precise(milliseconds: $0) } ?? "-"
    }

    var json: JSONValue {
        .object([
            JSONMember("holds", .bool(holds)), JSONMember("live", live.json), JSONMember("simulated", simulated.json),
            JSONMember("onlyLive", .strings(onlyLive.map(\.description))),
            JSONMember("onlySimulated", .strings(onlySimulated.map(\.description))),
            JSONMember("medianDifferencePerMille", medianDifferencePerMille.map(JSONValue.integer) ?? .null),
        ])
    }
}

extension LiveComparison.Side {
    fileprivate var json: JSONValue {
        .object([
            JSONMember("verdict", .string(verdict.rawValue)), JSONMember("expected", .integer(Int64(expected))),
            JSONMember("known", .integer(Int64(known))), JSONMember("duplicates", .integer(Int64(duplicates))),
            JSONMember("unexpected", .integer(Int64(unexpected))),
            JSONMember("medianMilliseconds", median.map(JSONValue.integer) ?? .null),
            JSONMember("p95Milliseconds", p95.map(JSONValue.integer) ?? .null),
        ])
    }
}
