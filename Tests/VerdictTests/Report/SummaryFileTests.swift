import FoundationEssentials
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct SummaryFileTests {
    /// The members every reader may count on.
    private struct Summary: Decodable {
        struct Gate: Decodable {
            var rule: String
            var verdict: String
            var observed: String
            var bound: String?
        }
        struct Delivery: Decodable {
            var expected, delivered, missed, duplicates, unexpected: Int
            var lowerBound95: Double
        }
        struct Quantiles: Decodable {
            var samples: Int
            var p50, p90, p95, p99, max: Double?
        }
        struct Requests: Decodable { var gitlab, apns: Int }

        var schemaVersion: Int
        var scenario: String
        var seeds: [UInt64]
        var verdict: String
        var gates: [Gate]
        var delivery: Delivery
        var latencySeconds, excessLatencySeconds: Quantiles
        var simulatedSeconds: Double
        var wallSeconds: Double
        var eventsPerSecond: Double?
        var requests: Requests
        var digest: String
        var build: String
    }

    private func decode(_ report: RunReport) throws -> Summary {
        try JSONDecoder().decode(Summary.self, from: Data(SummaryFile.text(report).utf8))
    }

    @Test func `it parses back with every promised member`() throws {
        let summary = try decode(ReportBuilder.make([ReportBuilder.makeFailingDay()]))
        #expect(summary.schemaVersion == 1 && summary.scenario == "fixture" && summary.seeds == [41])
        #expect(summary.verdict == "fail")
        #expect(summary.gates.map(\.verdict) == ["fail", "pass"])
        #expect(summary.delivery.expected == 320 && summary.delivery.delivered == 308 && summary.delivery.missed == 12)
        #expect(abs(summary.delivery.lowerBound95 - 0.940) < 0.002)
        #expect(summary.latencySeconds.p50 == 10 && summary.latencySeconds.p99 == 10)
        #expect(summary.wallSeconds == 0.9 && summary.eventsPerSecond == 1_111)
        #expect(summary.digest == "d5074f8dcbfc2be2" && summary.build == "3f2c9ab")
    }

    @Test func `a p99 of few samples is null`() throws {
        #expect(try decode(ReportBuilder.makePass(count: 298)).latencySeconds.p99 == nil)
        #expect(try decode(ReportBuilder.makePass(count: 299)).latencySeconds.p99 == 10)
    }

    @Test func `an empty report is valid too`() throws {
        let summary = try decode(RunReport(scenario: RecordBuilder().record.resolved.scenario, results: [], build: "b"))
        #expect(summary.verdict == "insufficient" && summary.latencySeconds.max == nil)
        #expect(summary.eventsPerSecond == nil)
    }

    @Test func `only the figures of the wall clock differ between two runs`() {
        func lines(_ wall: Int64) -> [Substring] {
            let report = ReportBuilder.make([ReportBuilder.makeFailingDay()], wallNanoseconds: wall)
            return SummaryFile.text(report).split(separator: "\n")
        }
        let differing = zip(lines(900_000_000), lines(1_300_000_000)).filter { $0 != $1 }
        #expect(differing.count == 2)
        #expect(differing.allSatisfy { $0.0.contains("wallSeconds") || $0.0.contains("eventsPerSecond") })
    }
}
