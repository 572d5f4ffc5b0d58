import FoundationEssentials
import JSON
import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

struct SeedLinesTests {
    /// What a reader of the file relies on.
    private struct Line: Decodable {
        struct Histogram: Decodable {
            var samples: Int
            var maxMilliseconds: Int64?
            var buckets: [[Int64]]
        }
        struct Deliveries: Decodable {
            var people: [String]
            var rows: [[Int64?]]
            var leftOut: Int
        }
        struct Requests: Decodable {
            var gitlab, gitlabRefused, apns: Int
            var gitlabByStatus: [String: Int]
        }

        var schemaVersion: Int
        var seed: UInt64
        var verdict: String
        var exitCode: Int
        var crash: String?
        var digest: String?
        var counts: [String: Int]?
        var misses: [String: Int]?
        var requests: Requests?
        var histograms: [String: Histogram]?
        var deliveries: Deliveries?
    }

    private func lines(_ report: RunReport, deliveriesKept: Int = SeedLines.deliveriesKept) throws -> [Line] {
        try SeedLines(report, deliveriesKept: deliveriesKept).map { line in
            #expect(!line.contains("\n"))
            return try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        }
    }

    private func makeDay(seed: UInt64, count: Int = 5, missed: Int = 0) -> RunRecord {
        RecordBuilder.makeDay(
            seed: seed,
            gates: [ReportBuilder.delivery, ReportBuilder.noDuplicates],
            count: count,
            missed: missed
        )
    }

    @Test func `there is a line per seed in the order of the seeds, crashes among them`() throws {
        let crashes = [17, 2].map { SeedCrash(seed: $0, message: "SIGILL", backtrace: "") }
        let report = ReportBuilder.make([makeDay(seed: 40), makeDay(seed: 3)], crashes: crashes)
        let lines = try lines(report)
        #expect(lines.map(\.seed) == [2, 3, 17, 40])
        #expect(lines.map(\.crash) == ["SIGILL", nil, "SIGILL", nil])
        #expect(lines.map(\.exitCode) == [1, 2, 1, 2])
        #expect(lines.allSatisfy { $0.schemaVersion == 1 && ($0.crash == nil) == ($0.histograms != nil) })
    }

    @Test func `each seed is judged by itself`() throws {
        let report = ReportBuilder.make([makeDay(seed: 1, count: 400), makeDay(seed: 2, count: 400, missed: 9)])
        #expect(try lines(report).map(\.verdict) == ["pass", "fail"])
    }

    @Test func `counts add up to those of the summary`() throws {
        let report = ReportBuilder.make((1...3).map { makeDay(seed: $0, count: 20, missed: Int($0)) })
        let lines = try lines(report)
        let total = report.whole.total
        func sum(_ name: String) -> Int { lines.compactMap { $0.counts?[name] }.reduce(0, +) }
        #expect(sum("expected") == total.expected && total.expected == 60)
        #expect(sum("missed") == total.missed && total.missed == 6)
        #expect(sum("delivered") == total.known)
        #expect(lines.map { $0.misses?["not-detected"] } == [1, 2, 3])
    }

    @Test func `reminders and unread numbers are counted, and read again`() throws {
        var result = Assessment.assess(makeDay(seed: 1))
        result.slices[0].reminders = ReminderCounts(expected: 7, missed: 1, late: 2, unexpected: 3)
        result.slices[0].unreadNumbers = 30
        result.slices[0].wrongUnreadNumbers = 4
        let report = RunReport(
            scenario: makeDay(seed: 1).resolved.scenario,
            results: [result],
            build: "3f2c9ab"
        )
        let text = try #require(Array(SeedLines(report)).first)
        let counts = try #require(try lines(report).first?.counts)
        #expect(counts["remindersExpected"] == 7 && counts["unreadNumbers"] == 30)
        let line = try JSONDecoder().decode(SeedLine.self, from: Data(text.utf8))
        let figures = try #require(ComparedSeed(line)?.figures)
        #expect(figures.expected == 5)
        #expect(figures.reminders == ReminderCounts(expected: 7, missed: 1, late: 2, unexpected: 3))
        #expect(figures.wrongUnreadNumbers == 4)
        let older = text.replacing("remindersLate", with: "remindersOther").replacing("wrongUnread", with: "other")
        let other = try #require(ComparedSeed(try JSONDecoder().decode(SeedLine.self, from: Data(older.utf8)))?.figures)
        #expect(other.reminders == nil && other.wrongUnreadNumbers == nil)
    }

    @Test func `requests are told with the classes of their answers`() throws {
        var day = makeDay(seed: 1)
        var statuses = StatusCounts()
        for status in [200, 200, 304, 429, 503, 0] { statuses.count(status) }
        day.gitlabRequests = [
            RequestCount(person: RecordBuilder.maria, perHour: [4, 2], rejected: 1, statuses: statuses)
        ]
        let requests = try #require(try lines(ReportBuilder.make([day])).first?.requests)
        #expect(requests.gitlab == 6 && requests.gitlabRefused == 1)
        #expect(requests.gitlabByStatus == ["1xx": 0, "2xx": 2, "3xx": 1, "4xx": 1, "5xx": 1])
    }

    @Test func `histograms of the seeds add up to that of all of them`() throws {
        let report = ReportBuilder.make((1...4).map { makeDay(seed: $0, count: 30 * Int($0)) })
        var sum: [Int64: Int64] = [:]
        for line in try lines(report) {
            let histogram = try #require(line.histograms?["latency"])
            #expect(histogram.buckets.reduce(0) { $0 + $1[1] } == Int64(histogram.samples))
            for bucket in histogram.buckets { sum[bucket[0], default: 0] += bucket[1] }
        }
        let whole = LatencyHistogram(report.whole.total.latency)
        #expect(sum == Dictionary(uniqueKeysWithValues: zip(whole.bounds, whole.counts.map(Int64.init))))
        #expect(sum.values.reduce(0, +) == 300)
    }

    @Test func `every expected notification can be paired by activity and person`() throws {
        let deliveries = try #require(
            try lines(ReportBuilder.make([makeDay(seed: 1, count: 6, missed: 2)])).first?.deliveries
        )
        #expect(deliveries.people == [RecordBuilder.maria.text] && deliveries.leftOut == 0)
        #expect(deliveries.rows.map { $0[0] } == [1, 2, 3, 4, 5, 6])
        #expect(deliveries.rows.map { $0[2] } == [nil, nil, 10_000, 10_000, 10_000, 10_000])
        #expect(deliveries.rows.allSatisfy { $0[1] == 0 && ($0[2] == nil) == ($0[3] == nil) })
    }

    @Test func `deliveries are listed for whole seeds until there is no more room, and the rest is counted`() throws {
        let report = ReportBuilder.make((1...4).map { makeDay(seed: $0, count: $0 == 2 ? 9 : 5) })
        let deliveries = try lines(report, deliveriesKept: 12).compactMap(\.deliveries)
        #expect(deliveries.map(\.rows.count) == [5, 0, 0, 0])
        #expect(deliveries.map(\.leftOut) == [0, 9, 5, 5])
        #expect(try lines(report, deliveriesKept: 24).compactMap(\.deliveries?.leftOut) == [0, 0, 0, 0])
    }

    @Test func `a result crosses a process boundary with its deliveries`() throws {
        let result = Assessment.assess(makeDay(seed: 1, count: 6, missed: 2))
        #expect(result.deliveries.rows.count == 6)
        let json = try DeterministicJSON.line(result)
        #expect(try JSONDecoder().decode(SeedResult.self, from: Data(json.utf8)) == result)
    }
}
