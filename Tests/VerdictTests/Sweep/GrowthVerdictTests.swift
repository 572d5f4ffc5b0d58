import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// What is said of sizes that were tried.
struct GrowthVerdictTests {
    private func point(
        _ size: Int,
        _ verdict: Verdict = .pass,
        failures: [String] = [],
        refused: Int = 0,
        waits: Int = 0,
        shared: Int = 0,
        slowest: [String: Double] = ["poll": 30]
    ) -> GrowthPoint {
        GrowthPoint(
            size: size,
            report: "out/items=\(size)",
            verdict: verdict,
            failures: failures,
            people: 1,
            items: size,
            seeds: 5,
            activities: 100,
            expected: 500,
            p50: 10,
            p95: 20,
            longest: 30,
            peakHour: 900,
            requests: 9_000,
            refused: refused,
            budgetWaits: waits,
            instanceWaits: shared,
            slowest: slowest,
            misses: [:]
        )
    }

    private func growth(_ points: [GrowthPoint], tooSlowAt: Int? = nil) throws -> Growth {
        var search = KneeSearch(start: points[0].size, ceiling: 640, step: 1, confirms: false)
        for point in points { search.take(point.verdict, of: .probe(point.size)) }
        if let tooSlowAt { search.take(.fail, of: .probe(tooSlowAt)) }
        let gate = try #require(Gate(notation: "latency.p95 <= 60s"))
        return Growth(
            of: try makeScenario(),
            along: .items,
            rules: [gate],
            seeds: 1...5,
            points: points,
            search: search,
            ceiling: GrowthAxis.Ceiling(size: 640, reason: "64 times the file"),
            tooSlowAt: tooSlowAt
        )
    }

    private let late = ["latency.p95 <= 1m"]

    @Test func `what the slowest waited for gave way`() throws {
        let limited = try growth([
            point(10), point(20, refused: 3),
            point(40, .fail, failures: late, refused: 90, slowest: ["poll": 31, "rateLimit": 200]),
        ])
        #expect(limited.gaveWay?.bound == .limiter)
        #expect(limited.sentence == "latency.p95 <= 1m holds with 20 items and breaks with 40 items")
        #expect(limited.explanation.contains("first felt with 20 items: GitLab's limiter"))
        let budget = try growth([point(10), point(20, .fail, failures: late, waits: 7, slowest: ["poll": 300])])
        #expect(budget.gaveWay?.bound == .budget)
        let shared = try growth([
            point(10, shared: 1), point(20, .fail, failures: late, waits: 7, shared: 8, slowest: ["poll": 300]),
        ])
        #expect(shared.gaveWay?.bound == .instance && shared.firstFelt.map(\.bound) == [.instance, .budget])
        #expect(shared.explanation[0].contains("all people together (gitlabRequestsPerSecond); 300 s of the slowest"))
        let polls = try growth([point(10), point(20, .fail, failures: late, slowest: ["poll": 300])])
        #expect(polls.gaveWay?.bound == .polls)
        let queue = try growth([point(10), point(20, .fail, failures: late, slowest: ["poll": 30, "queue": 90])])
        #expect(queue.gaveWay?.bound == .queue && queue.firstFelt.map(\.bound) == [.queue])
    }

    @Test func `a size that takes too long to run is the processor's`() throws {
        let growth = try growth([point(10), point(20)], tooSlowAt: 40)
        #expect(growth.gaveWay?.bound == .processor && growth.exitCode == .met)
        #expect(growth.endSize == 40)
    }

    @Test func `text and JSON say the same, and the exit code whether there is an answer`() throws {
        let broken = try growth([point(10, .fail, failures: late)])
        #expect(broken.exitCode == .failed)
        #expect(GrowthText.render(broken, isQuiet: true).hasPrefix("latency.p95 <= 1m breaks with the file as it is\n"))
        let found = try growth([point(10), point(20, .fail, failures: late)])
        let text = GrowthText.render(found, isQuiet: false)
        #expect(text.contains("429s") && text.contains("holds") && text.contains("breaks"))
        let file = GrowthFile.text(found)
        #expect(
            file.contains("\"holds\": 10") && file.contains("\"breaks\": 20") && file.contains("\"gaveWay\": \"polls\"")
                && file.contains("\"instanceWaits\": 0")
        )
    }
}
