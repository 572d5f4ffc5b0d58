import ScenarioFixtures
import Testing

@testable import ReportPage
@testable import Scenarios
@testable import Verdict

/// What the page makes of a growth.
struct GrowthPageTests {
    private func point(_ size: Int, _ verdict: Verdict = .pass, p95: Double? = 20, report: String = "out/items")
        -> GrowthPoint
    {
        GrowthPoint(
            size: size,
            report: report,
            verdict: verdict,
            failures: verdict == .fail ? ["latency.p95 <= 1m"] : [],
            people: 1,
            items: size,
            seeds: 5,
            activities: 100,
            expected: 500,
            p50: p95.map { $0 / 2 },
            p95: p95,
            longest: p95.map { $0 * 3 },
            peakHour: 15 * size,
            requests: 9_000,
            refused: 0,
            budgetWaits: 0,
            instanceWaits: 0,
            slowest: [:],
            misses: [:]
        )
    }

    private func growth(_ points: [GrowthPoint], along axis: GrowthAxis = .items) throws -> Growth {
        var search = KneeSearch(start: points.first?.size ?? 10, ceiling: 640, step: 1, confirms: false)
        for point in points { search.take(point.verdict, of: .probe(point.size)) }
        let gate = try #require(Gate(notation: "latency.p95 <= 60s"))
        return Growth(
            of: try makeScenario(),
            along: axis,
            rules: [gate],
            seeds: 1...5,
            points: points,
            search: search,
            ceiling: GrowthAxis.Ceiling(size: 640, reason: "64 times the file")
        )
    }

    @Test func `the knee is shaded between the size that holds and the one that breaks, and both are labelled`() throws
    {
        let page = GrowthPage.text(try growth([point(10), point(20), point(39), point(40, .fail, p95: 90)]))
        #expect(page.contains("✓ FOUND"))
        #expect(page.contains("holds with 39 items, breaks with 40 items"))
        // Side by side there is room for one label: that of what breaks.
        #expect(page.contains(#"text-anchor="middle">40</text>"#) && !page.contains(#"text-anchor="middle">39</text>"#))
        #expect(page.contains("39 items: p95 20.0 s, holds") && page.contains("40 items: p95 90.0 s, breaks"))
    }

    @Test func `where nothing broke nothing is shaded`() throws {
        let page = GrowthPage.text(try growth([point(320), point(640)]))
        #expect(page.contains("✓ HOLDS") && !page.contains("class=\"band\""))
        #expect(GrowthPage.text(try growth([point(10, .fail)])).contains("✗ BREAKS"))
    }

    @Test func `a size without a notification has no place in the picture of latency`() throws {
        let some = try growth([point(10), point(20, .insufficient, p95: nil)])
        #expect(GrowthPage.text(some).contains("10 items: p95") && !GrowthPage.text(some).contains("20 items: p95"))
        #expect(GrowthPage.picture(some)?.hasPrefix(ReportPicture.beginning) == true)
        #expect(GrowthPage.picture(try growth([point(10, .insufficient, p95: nil)])) == nil)
        #expect(GrowthPage.text(try growth([])).contains("No size was judged."))
    }

    @Test func `what a report calls itself is data`() throws {
        let page = GrowthPage.text(try growth([point(10, report: "<script>alert(1)</script>")]))
        #expect(!page.contains("<script") && page.contains("&lt;script"))
    }

    @Test func `a rate has its size in a column of its own`() throws {
        #expect(GrowthPage.text(try growth([point(100)], along: .rate)).contains(">rate %</th>"))
        #expect(!GrowthPage.text(try growth([point(100)], along: .items)).contains("rate %"))
    }
}
