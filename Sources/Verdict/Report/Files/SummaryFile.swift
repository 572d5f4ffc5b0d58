package import JSON
import Scenarios

/// `summary.json`: the whole verdict for machines. Every member of version 1 stays; new ones may be added.
package enum SummaryFile {
    static let schemaVersion: Int64 = 1

    /// Indented JSON with a newline at its end. Only `wallSeconds` and `eventsPerSecond` differ between two runs of the
    /// same build.
    package static func text(_ report: RunReport) -> String { value(report).text(indented: true) + "\n" }

    /// The same as a JSON value, its members in a fixed order.
    package static func value(_ report: RunReport) -> JSONValue {
        .object(
            [
                JSONMember("schemaVersion", .integer(schemaVersion)),
                JSONMember("scenario", .string(report.scenario.name)),
                JSONMember("description", .string(report.scenario.description)),
                JSONMember("build", .string(report.build)),
                JSONMember("seeds", .array(report.seeds.map { .number(String($0)) })),
                JSONMember("verdict", .string(report.verdict.rawValue)),
                JSONMember("exitCode", .integer(Int64(report.exitCode.rawValue))),
                JSONMember("exitReason", .string(report.exitReason)),
                JSONMember("claim", .string(report.claim)),
                JSONMember("reproduction", TerminalSummary.reproduction(of: report).map(JSONValue.string) ?? .null),
                JSONMember("gates", .array(report.gates.map(gate))),
                JSONMember("probes", .array(report.probes.map(probe))),
                JSONMember("invariants", invariants(report)),
                JSONMember("crashes", .array(report.crashes.map(crash))),
                JSONMember("delivery", delivery(report)),
                JSONMember("misses", .object(report.misses.map { JSONMember($0.code, .integer(Int64($0.count))) })),
            ] + latencies(report) + run(report)
        )
    }

    // MARK: verdict

    private static func gate(_ gate: GateResult) -> JSONValue {
        .object([
            JSONMember("rule", .string(gate.rule)),
            JSONMember("metric", .string(gate.gate.metric.rawValue)),
            JSONMember("unit", .string(gate.gate.metric.unit.rawValue)),
            JSONMember("verdict", .string(gate.verdict.rawValue)),
            JSONMember("observed", .string(gate.observed)),
            JSONMember("observedValue", decimal(gate.observedValue)),
            JSONMember("bound", gate.bound.map(JSONValue.string) ?? .null),
            JSONMember("boundValue", decimal(gate.boundValue)),
            JSONMember("margin", gate.margin.map(JSONValue.string) ?? .null),
            JSONMember("samples", .integer(Int64(gate.samples))),
            JSONMember("note", gate.note.map(JSONValue.string) ?? .null),
        ])
    }

    private static func probe(_ probe: ProbeResult) -> JSONValue {
        .object([
            JSONMember("probe", .string(probe.probe.rawValue)),
            JSONMember("count", .integer(Int64(probe.count))),
            JSONMember("seeds", .integer(Int64(probe.seeds))),
        ])
    }

    private static func invariants(_ report: RunReport) -> JSONValue {
        let violations = report.results.flatMap { result in
            result.violations.map { violation -> JSONValue in
                .object([
                    JSONMember("invariant", .string(violation.invariant.rawValue)),
                    JSONMember("seed", .number(String(result.seed))),
                    JSONMember("atSeconds", seconds(violation.atMilliseconds)),
                    JSONMember("detail", .string(violation.detail)),
                ])
            }
        }
        return .object([
            JSONMember("checked", .strings(ViolationRecord.Invariant.allCases.map(\.rawValue))),
            JSONMember("broken", .integer(Int64(report.violationsInAll))),
            JSONMember("violations", .array(Array(violations.prefix(RunLimits.violations)))),
        ])
    }

    private static func crash(_ crash: SeedCrash) -> JSONValue {
        .object([
            JSONMember("seed", .number(String(crash.seed))),
            JSONMember("message", .string(crash.message)),
            JSONMember("backtrace", .string(crash.backtrace)),
        ])
    }

    // MARK: delivery and latency

    private static func delivery(_ report: RunReport) -> JSONValue {
        let total = report.whole.total
        let clustering = report.whole.clustering(\.known)
        return .object([
            JSONMember("expected", .integer(Int64(total.expected))),
            JSONMember("optional", .integer(Int64(report.results.reduce(0) { $0 + $1.optional }))),
            JSONMember("accepted", .integer(Int64(total.accepted))),
            JSONMember("displayed", .integer(Int64(total.displayed))),
            JSONMember("known", .integer(Int64(total.known))),
            JSONMember("delivered", .integer(Int64(total.known))),
            JSONMember("missed", .integer(Int64(total.missed))),
            JSONMember("duplicates", .integer(Int64(total.duplicates))),
            JSONMember("unexpected", .integer(Int64(total.unexpected))),
            JSONMember("lowerBound95", decimal(report.deliveryLowerBound95, .down)),
            JSONMember("designEffect", decimal(clustering.designEffect)),
            JSONMember("cleanSeeds", .integer(Int64(clustering.cleanSeeds))),
        ])
    }

    private static func latencies(_ report: RunReport) -> [JSONMember] {
        let rows = LatencyFigures.rows(report.results)
        let accepted = LatencySamples.pooled(report.results.lazy.map(\.acceptedLatency))
        let known = LatencySamples.pooled(report.results.lazy.map(\.knownLatency))
        return [
            JSONMember("latencySeconds", quantiles(report.whole.total.latency)),
            JSONMember("excessLatencySeconds", quantiles(report.whole.total.excess)),
            JSONMember("acceptedLatencySeconds", quantiles(accepted)),
            JSONMember("knownLatencySeconds", quantiles(known)),
            JSONMember("latencyByKind", .object(rows.dropFirst().map { JSONMember($0.name, figures($0)) })),
            JSONMember("owners", rows.first.map(owners) ?? .object([])),
        ]
    }

    /// The 99th percentile is null below 299 samples: it would be no more than the maximum.
    private static func quantiles(_ samples: LatencySamples) -> JSONValue {
        .object([
            JSONMember("samples", .integer(Int64(samples.count))),
            JSONMember("p50", seconds(samples.percentile(50))),
            JSONMember("p90", seconds(samples.percentile(90))),
            JSONMember("p95", seconds(samples.percentile(95))),
            JSONMember("p99", seconds(LatencyFigures.p99(samples))),
            JSONMember("max", seconds(samples.maximum)),
        ])
    }

    private static func figures(_ figures: LatencyFigures) -> JSONValue {
        .object([
            JSONMember("latencySeconds", quantiles(figures.latency)),
            JSONMember("excessLatencySeconds", quantiles(figures.excess)),
            JSONMember("owners", owners(figures)),
        ])
    }

    /// Mean seconds per notification, over all and over the slowest hundredth.
    private static func owners(_ figures: LatencyFigures) -> JSONValue {
        let count = Int64(max(1, figures.latency.count))
        let all = LatencyOwner.allCases.map {
            JSONMember($0.rawValue, seconds(figures.split[$0] / count / 1_000_000))
        }
        let slowest = figures.slowestParts.map { JSONMember($0.owner.rawValue, seconds($0.nanoseconds / 1_000_000)) }
        return .object([JSONMember("meanSeconds", .object(all)), JSONMember("slowestMeanSeconds", .object(slowest))])
    }

    // MARK: the run

    private static func run(_ report: RunReport) -> [JSONMember] {
        let wall = Double(report.wallNanoseconds) / 1_000_000_000
        let drained = report.results.map(\.drainedAfterMilliseconds)
        let isDrained = !drained.isEmpty && drained.allSatisfy { $0 != nil }
        return [
            JSONMember("faults", .strings(FaultKind.allCases.map(\.rawValue).filter(report.faultKinds.contains))),
            JSONMember("drainedSeconds", isDrained ? seconds(drained.compactMap { $0 }.max()) : .null),
            JSONMember("requests", report.traffic.requests),
            JSONMember("peakHour", peakHour(report)),
            JSONMember("reached", .object(report.reached.map { JSONMember($0.probe, .integer(Int64($0.count))) })),
            JSONMember("pushes", report.traffic.pushes),
            JSONMember("unknownRoutes", .strings(Set(report.results.flatMap(\.unknownRoutes)).sorted())),
            JSONMember("simulatedSeconds", seconds(report.simulatedMilliseconds)),
            JSONMember("wallSeconds", decimal(wall)),
            JSONMember(
                "eventsPerSecond",
                wall > 0 ? .number(FigureText.decimal(Double(report.steps) / wall, 0)) : .null
            ),
            JSONMember("events", .integer(report.steps)),
            JSONMember("digest", .string(report.digest)),
            JSONMember("behaviour", .string(report.behaviour)),
            JSONMember("world", .string(report.scenario.worldDigest)),
            JSONMember("settings", .object(report.scenario.notifier.values)),
        ]
    }

    private static func peakHour(_ report: RunReport) -> JSONValue {
        let total = report.whole.total
        return .object([
            JSONMember("gitlabPerPerson", .integer(Int64(total.peakHourGitLab))),
            JSONMember("apns", .integer(Int64(total.peakHourAPNs))),
        ])
    }

    // MARK: numbers

    private static func seconds(_ milliseconds: Int64?) -> JSONValue {
        milliseconds.map { .number(FigureText.decimal(Double($0) / 1_000, 3)) } ?? .null
    }

    private static func decimal(_ value: Double?, _ rule: FloatingPointRoundingRule = .toNearestOrEven) -> JSONValue {
        guard let value, value.isFinite else { return .null }
        let rounded = (value * 1_000_000).rounded(rule) / 1_000_000
        return .number(FigureText.decimal(rounded, 6))
    }
}

extension RunReport {
    /// Misses of all seeds by cause, in the order of the causes' names.
    var misses: [CauseCount] {
        var counts: [String: Int] = [:]
        for cause in results.flatMap(\.causes) { counts[cause.code, default: 0] += cause.count }
        return counts.sorted { $0.key < $1.key }.map { CauseCount(code: $0.key, count: $0.value) }
    }

    /// Paths that were taken under any seed, whether required or not, in the order of `Probe.allCases`, and how often.
    var reached: [(probe: String, count: Int)] {
        var counts: [String: Int] = [:]
        for probe in results.flatMap(\.probes) { counts[probe.probe, default: 0] += probe.count }
        return Probe.allCases.compactMap { probe in counts[probe.rawValue].map { (probe.rawValue, $0) } }
    }

    /// Kinds of fault that were in force under any seed.
    var faultKinds: Set<String> { Set(results.flatMap(\.faultKinds)) }
}
