import Platform
import Testing

@testable import Harness

struct MetricsSeriesTests {
    private let start = WallTime(secondsSinceEpoch: 1_000)

    private func page(_ count: Int) -> String {
        """
        # HELP hits_total All of them.
        # TYPE hits_total counter
        hits_total{who="a b"} \(count)
        # HELP depth How deep.
        # TYPE depth gauge
        depth 7
        """
    }

    @Test func `a value is kept when it changed and every two minutes`() {
        var series = MetricsSeries()
        for (number, count) in [1, 1, 2, 2, 2, 2].enumerated() {
            series.add(page(count), at: start.advanced(by: .seconds(30 * number)))
        }
        let lines = series.lines
        #expect(
            lines.filter { $0.hasPrefix("hits") } == [
                "hits_total{who=\"a b\"} 1 1000.000", "hits_total{who=\"a b\"} 2 1060.000",
            ]
        )
        #expect(lines.filter { $0.hasPrefix("depth") } == ["depth 7 1000.000", "depth 7 1120.000"])
        #expect(lines.count { $0.hasPrefix("up{") } == 6)
        #expect(lines.contains("# TYPE hits counter"))
        #expect(lines.last == "# EOF")
    }

    @Test func `a sample that stands before every family is left out`() {
        var series = MetricsSeries()
        series.add("depth 7\n# HELP hits All.\nhits 1\n", at: start)
        #expect(!series.lines.contains { $0.hasPrefix("depth") })
        #expect(series.lines.contains("hits 1 1000.000"))
    }

    @Test func `a scrape that failed is told by up alone`() {
        var series = MetricsSeries()
        series.add(page(1), at: start)
        series.addFailure(at: start.advanced(by: .milliseconds(30_500)))
        #expect(
            series.lines.filter { $0.hasPrefix("up{") } == [
                "up{job=\"notifier\"} 1 1000.000", "up{job=\"notifier\"} 0 1030.500",
            ]
        )
    }
}
