import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// `make check-reports` shows the file to promtool.
struct MetricsFileTests {
    private func lines(_ report: RunReport) -> [String] {
        MetricsFile.text(report).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `each family stands together and the file ends with its mark`() {
        let lines = lines(ReportBuilder.make([ReportBuilder.makeFailingDay()]))
        #expect(lines.suffix(2) == ["# EOF", ""])
        #expect(!lines.dropLast().contains(""))
        var family = ""
        var seen: Set<String> = []
        for line in lines.dropLast(2) {
            let words = line.split(separator: " ")
            if words.starts(with: ["#", "HELP"]) {
                family = String(words[2])
                #expect(seen.insert(family).inserted)
            } else if words[0] == "#" {
                #expect(words[2] == family)
            } else {
                let name = words[0].prefix { $0 != "{" }
                #expect(name == family || name == family + "_count")
            }
        }
        #expect(seen.count > 8)
    }

    @Test func `the figures are those of the summary, with fixed decimals`() {
        let lines = lines(ReportBuilder.make([ReportBuilder.makeFailingDay()]))
        for line in [
            "simctl_exit_code{scenario=\"fixture\"} 1",
            "simctl_gates{scenario=\"fixture\",verdict=\"fail\"} 1",
            "simctl_notifications{scenario=\"fixture\",outcome=\"missed\"} 12",
            "simctl_missed{scenario=\"fixture\",cause=\"not-detected\"} 12",
            "simctl_latency_seconds{scenario=\"fixture\",quantile=\"0.95\"} 10.0",
            "simctl_latency_seconds{scenario=\"fixture\",quantile=\"1\"} 10.0",
            "simctl_latency_seconds_count{scenario=\"fixture\"} 308",
        ] {
            #expect(lines.contains(line))
        }
    }

    @Test func `what is proven of notifications stands beside what is proven of seeds`() {
        let days = (1...3).map { RecordBuilder.makeDay(seed: $0, count: 100) }
        let lines = lines(ReportBuilder.make(days))
        #expect(lines.contains("simctl_delivery_lower_bound_ratio{scenario=\"fixture\"} 0.9900"))
        #expect(lines.contains("simctl_clean_seeds_lower_bound_ratio{scenario=\"fixture\"} 0.3684"))
    }

    @Test func `what there is no data for is left out`() {
        let lines = lines(RunReport(scenario: RecordBuilder().record.resolved.scenario, results: [], build: "b"))
        #expect(lines.contains("simctl_exit_code{scenario=\"fixture\"} 2"))
        #expect(!lines.contains { $0.contains("quantile=") || $0.contains("simctl_missed") })
        #expect(lines.contains("simctl_latency_seconds_count{scenario=\"fixture\"} 0"))
    }

    @Test func `real time changes nothing`() {
        let day = ReportBuilder.makeFailingDay()
        let texts = [1, 900_000_000].map { MetricsFile.text(ReportBuilder.make([day], wallNanoseconds: $0)) }
        #expect(texts[0] == texts[1])
    }

    @Test func `a name cannot end its label or its line`() {
        var day = ReportBuilder.makeFailingDay()
        day.resolved.scenario.name = "a\"} 1\n# EOF\r\\"
        let lines = lines(ReportBuilder.make([day]))
        #expect(lines.count { $0 == "# EOF" } == 1)
        #expect(lines.contains("simctl_seeds{scenario=\"a\\\"} 1\\n# EOF \\\\\"} 1"))
    }
}
