import JSON
import Platform
import Scenarios
import Verdict

/// A live run beside the simulated one of the same plan: whether both say the same.
struct LiveComparison: Sendable, Equatable {
    /// One of the two.
    struct Side: Sendable, Equatable {
        var verdict: Verdict
        var expected: Int
        var known: Int
        var duplicates: Int
        var unexpected: Int
        /// Until people could know.
        var latency: LatencySamples
        /// How many moments those latencies ended in, as far as they bear equal parts of them; see `MedianDifference`.
        var moments: Int

        /// What one person learns within this time came by one poll.
        private static let moment = Duration.seconds(30).wholeNanoseconds

        /// Kish's effective size: as many moments of equal weight would tell as much.
        private static func effectiveMoments(_ ledger: [LedgerLine]) -> Int {
            var sizes: [String: Double] = [:]
            for line in ledger where line.standing == "expected" {
                guard let known = line.knownNanoseconds else { continue }
                sizes["\(line.seed) \(line.person) \(known / moment)", default: 0] += 1
            }
            let all = sizes.values.reduce(0, +)
            return sizes.isEmpty ? 0 : Int(all * all / sizes.values.reduce(0) { $0 + $1 * $1 })
        }

        init(_ report: RunReport, _ ledger: [LedgerLine]) {
            latency = LatencySamples.pooled(report.results.lazy.map(\.knownLatency))
            moments = Self.effectiveMoments(ledger)
            verdict = report.verdict
            expected = report.whole.total.expected
            self.known = report.whole.total.known
            duplicates = report.whole.total.duplicates
            unexpected = report.whole.total.unexpected
        }
    }

    /// What was delivered to whom.
    struct Delivery: Hashable, Sendable, CustomStringConvertible {
        var seed: UInt64
        var activity: Int
        var person: String

        var description: String { "seed \(seed): activity \(activity) to \(person)" }
    }

    var live: Side
    var simulated: Side
    /// Known in the one where it was required, and not in the other: only live, only in simulation; sorted.
    var onlyLive: [Delivery]
    var onlySimulated: [Delivery]
    /// How late the machine let the live run act.
    var lateness: Lateness

    init(
        live: RunReport,
        _ liveLedger: [LedgerLine],
        simulated: RunReport,
        _ simulatedLedger: [LedgerLine],
        lateness: Lateness
    ) {
        self.lateness = lateness
        self.live = Side(live, liveLedger)
        self.simulated = Side(simulated, simulatedLedger)
        onlyLive = Self.required(liveLedger, notIn: simulatedLedger)
        onlySimulated = Self.required(simulatedLedger, notIn: liveLedger)
    }

    var sameVerdict: Bool { live.verdict == simulated.verdict }

    var sameDeliveries: Bool { onlyLive.isEmpty && onlySimulated.isEmpty }

    /// How far the medians are apart; nil without deliveries on both sides.
    var medians: MedianDifference? { MedianDifference(of: live.sample, from: simulated.sample) }

    /// Nothing contradicts that both runs say the same.
    var holds: Bool { sameVerdict && sameDeliveries && medians?.finding != .apart }

    /// What is required of one run may be optional in the other, as news at the instant at which a choice takes effect.
    private static func required(_ ledger: [LedgerLine], notIn other: [LedgerLine]) -> [Delivery] {
        delivered(ledger.filter { $0.standing == "expected" }).subtracting(delivered(other)).sorted(by: order)
    }

    private static func delivered(_ ledger: [LedgerLine]) -> Set<Delivery> {
        var delivered: Set<Delivery> = []
        for line in ledger where line.knownNanoseconds != nil {
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
            ("median", Self.text(live.latency, 50), Self.text(simulated.latency, 50)),
            ("p95", Self.text(live.latency, 95), Self.text(simulated.latency, 95)),
            (
                "machine",
                "\(Self.text(lateness.p99)) late (99 % of all moments), \(Self.text(lateness.longest)) at most", ""
            ),
        ]
        return rows.map { " \(TerminalText.padded($0.0, to: 12))\(TerminalText.padded($0.1, to: 16))\($0.2)" }
            + findings
    }

    private var findings: [String] {
        var findings: [String] = []
        if !sameVerdict { findings.append(" DIFFERS  the verdicts") }
        for (side, delivered) in [("live", onlyLive), ("in simulation", onlySimulated)] where !delivered.isEmpty {
            let named = delivered.prefix(5).map(\.description).joined(separator: ", ")
            findings.append(" DIFFERS  \(delivered.count) delivered only \(side): \(named)")
        }
        if findings.isEmpty { findings.append(" SAME     verdict and deliveries") }
        findings.append(medians.map(\.sentence) ?? " OPEN     the medians: nothing was delivered on both sides")
        if !holds, lateness.isStrained {
            findings.append(
                " UNSURE   whether notifierd differs or the machine was too busy: run it alone, or at a lower speed"
            )
        }
        return findings
    }

    private static func text(_ length: Duration) -> String {
        FigureText.precise(milliseconds: length.wholeMilliseconds)
    }

    private static func text(_ samples: LatencySamples, _ percent: Int) -> String {
        samples.percentile(percent).map { FigureText.precise(milliseconds: $0) } ?? "-"
    }

    var json: JSONValue {
        .object([
            JSONMember("holds", .bool(holds)), JSONMember("live", live.json), JSONMember("simulated", simulated.json),
            JSONMember("onlyLive", .strings(onlyLive.map(\.description))),
            JSONMember("onlySimulated", .strings(onlySimulated.map(\.description))),
            JSONMember("medians", medians?.json ?? .null), JSONMember("lateness", lateness.json),
        ])
    }
}

extension LiveComparison.Side {
    fileprivate var sample: MedianDifference.Sample {
        MedianDifference.Sample(latency: latency, independent: moments)
    }

    fileprivate var json: JSONValue {
        .object([
            JSONMember("verdict", .string(verdict.rawValue)), JSONMember("expected", .integer(Int64(expected))),
            JSONMember("known", .integer(Int64(known))), JSONMember("duplicates", .integer(Int64(duplicates))),
            JSONMember("unexpected", .integer(Int64(unexpected))),
            JSONMember("medianMilliseconds", latency.percentile(50).map(JSONValue.integer) ?? .null),
            JSONMember("p95Milliseconds", latency.percentile(95).map(JSONValue.integer) ?? .null),
            JSONMember("moments", .integer(Int64(moments))),
            JSONMember("latencyMilliseconds", .array(latency.values.map(JSONValue.integer))),
            JSONMember("latencyCounts", .array(latency.counts.map { .integer(Int64($0)) })),
        ])
    }
}
