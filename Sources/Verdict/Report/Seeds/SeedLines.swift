import JSON
import Scenarios

/// `seeds.jsonl`: the figures of each seed, one JSON object a line, in the order of the seeds. Every member of version 1 stays;
/// new ones may be added. Nothing in it depends on real time or on how many workers ran.
package struct SeedLines: Sequence, IteratorProtocol {
    static let schemaVersion: Int64 = 1
    /// A file lists so many deliveries at most: those of the first seeds, of each all or none.
    static let deliveriesKept = 500_000

    private let report: RunReport
    private var results: ArraySlice<SeedResult>
    private var crashes: ArraySlice<SeedCrash>
    /// How many deliveries may still be listed.
    private var room: Int

    package init(_ report: RunReport) {
        self.init(report, deliveriesKept: Self.deliveriesKept)
    }

    init(_ report: RunReport, deliveriesKept: Int) {
        self.report = report
        results = report.results[...]
        crashes = report.crashes[...]
        room = deliveriesKept
    }

    /// The next line, without a newline.
    package mutating func next() -> String? {
        switch (results.first?.seed, crashes.first?.seed) {
        case (nil, nil): return nil
        case (let result?, let crash?) where crash < result: return crashes.popFirst().map(line)
        case (_?, _): return results.popFirst().map { line($0) }
        case (nil, _?): return crashes.popFirst().map(line)
        }
    }

    private func line(_ crash: SeedCrash) -> String {
        let alone = RunReport(scenario: report.scenario, results: [], crashes: [crash], build: report.build)
        let members = Self.head(crash.seed, alone) + [JSONMember("crash", .string(crash.message))]
        return JSONValue.object(members).text(indented: false)
    }

    private mutating func line(_ result: SeedResult) -> String {
        let alone = RunReport(scenario: report.scenario, results: [result], build: report.build)
        let deliveries = deliveries(result.deliveries)
        let members: [JSONMember] = [
            JSONMember("digest", .string(result.digest)),
            JSONMember("behaviour", .string(result.behaviour)),
            JSONMember("simulatedMilliseconds", .integer(result.simulatedMilliseconds)),
            JSONMember("events", .integer(result.steps)),
            JSONMember("counts", Self.counts(result)),
            JSONMember("misses", .object(result.causes.map { JSONMember($0.code, .integer(Int64($0.count))) })),
            JSONMember("requests", result.traffic.requestsByStatus),
            JSONMember("pushes", result.traffic.pushes),
            JSONMember("histograms", Self.histograms(result)),
            JSONMember("deliveries", deliveries),
        ]
        return JSONValue.object(Self.head(result.seed, alone) + members).text(indented: false)
    }

    /// Which seed, and how it would be judged by itself.
    private static func head(_ seed: UInt64, _ alone: RunReport) -> [JSONMember] {
        [
            JSONMember("schemaVersion", .integer(schemaVersion)),
            JSONMember("seed", .number(String(seed))),
            JSONMember("verdict", .string(alone.verdict.rawValue)),
            JSONMember("exitCode", .integer(Int64(alone.exitCode.rawValue))),
        ]
    }

    private static func counts(_ result: SeedResult) -> JSONValue {
        let whole = result.whole
        let counts = [
            ("activities", result.activities), ("expected", whole.expected), ("optional", result.optional),
            ("accepted", whole.accepted), ("displayed", whole.displayed), ("delivered", whole.known),
            ("missed", whole.missed), ("duplicates", whole.duplicates), ("unexpected", whole.unexpected),
            ("remindersExpected", whole.reminders.expected), ("remindersMissed", whole.reminders.missed),
            ("remindersLate", whole.reminders.late), ("remindersUnexpected", whole.reminders.unexpected),
            ("unreadNumbers", whole.unreadNumbers), ("wrongUnreadNumbers", whole.wrongUnreadNumbers),
            ("invariantsBroken", result.violationsInAll),
        ]
        return .object(counts.map { JSONMember($0, .integer(Int64($1))) })
    }

    private static func histograms(_ result: SeedResult) -> JSONValue {
        .object([
            JSONMember("latency", histogram(result.whole.latency)),
            JSONMember("excessLatency", histogram(result.whole.excess)),
            JSONMember("acceptedLatency", histogram(result.acceptedLatency)),
            JSONMember("knownLatency", histogram(result.knownLatency)),
        ])
    }

    private static func histogram(_ samples: LatencySamples) -> JSONValue {
        let histogram = LatencyHistogram(samples)
        let buckets = zip(histogram.bounds, histogram.counts).map { bound, count in
            JSONValue.array([.integer(bound), .integer(Int64(count))])
        }
        return .object([
            JSONMember("samples", .integer(Int64(samples.count))),
            JSONMember("maxMilliseconds", samples.maximum.map(JSONValue.integer) ?? .null),
            JSONMember("buckets", .array(buckets)),
        ])
    }

    /// From the first seed on whose deliveries do not fit, none are listed.
    private mutating func deliveries(_ deliveries: SeedDeliveries) -> JSONValue {
        let fits = deliveries.inAll <= room && deliveries.rows.count == deliveries.inAll
        room = fits ? room - deliveries.inAll : 0
        let rows = fits ? deliveries.rows : []
        return .object([
            JSONMember("people", .strings(fits ? deliveries.people : [])),
            JSONMember("rows", .array(rows.map(Self.row))),
            JSONMember("leftOut", .integer(Int64(deliveries.inAll - rows.count))),
        ])
    }

    private static func row(_ row: SeedDeliveries.Row) -> JSONValue {
        .array([
            .integer(Int64(row.activity)), .integer(Int64(row.person)),
            row.knownMilliseconds.map(JSONValue.integer) ?? .null,
            row.excessMilliseconds.map(JSONValue.integer) ?? .null,
        ])
    }
}
