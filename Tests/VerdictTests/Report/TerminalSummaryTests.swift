import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct TerminalSummaryTests {
    private func lines(_ report: RunReport, _ options: TerminalSummary.Options = .init()) -> [String] {
        TerminalSummary.render(report, options: options).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init).dropLast()
    }

    @Test func `the last line of a failure reproduces it`() {
        let text = lines(
            ReportBuilder.make([ReportBuilder.makeFailingDay(), RecordBuilder.makeDay(seed: 42, count: 3)])
        )
        #expect(text.last == "simctl run scenarios/fixture.json --seed 41")
        #expect(text.dropLast().last == "exit 1 (requirement failed)")
    }

    @Test func `the last line of a pass is its exit code`() {
        #expect(lines(ReportBuilder.makePass()).last == "exit 0 (all requirements met)")
    }

    @Test func `failures come before passes and doubts between them`() {
        let text = lines(ReportBuilder.make([ReportBuilder.makeFailingDay()]), .init(isQuiet: true))
        #expect(text.map { String($0.prefix(5)) } == [" FAIL", " PASS", " PASS"])
        #expect(text[0].contains("delivery > 99% at 95%") && text[0].contains("308/320"))
    }

    @Test func `a quiet summary has one line per requirement`() {
        #expect(lines(ReportBuilder.makePass(), .init(isQuiet: true)).count == 3)
    }

    @Test func `every line fits into 80 columns`() {
        var day = ReportBuilder.makeFailingDay()
        day.violations = [
            ViolationRecord(invariant: .secretLeaked, at: .seconds(5), detail: String(repeating: "word ", count: 60))
        ]
        for report in [ReportBuilder.makePass(), ReportBuilder.make([day])] {
            let long = lines(report).filter { $0.count > 80 }
            #expect(long == [])
        }
    }

    @Test func `colours are added only when asked for and say nothing new`() {
        let report = ReportBuilder.make([ReportBuilder.makeFailingDay()])
        let plain = TerminalSummary.render(report)
        let coloured = TerminalSummary.render(report, options: .init(isColoured: true))
        #expect(!plain.contains("\u{1B}"))
        var stripped = coloured
        for code in ["\u{1B}[31m", "\u{1B}[32m", "\u{1B}[33m", "\u{1B}[0m"] {
            stripped = stripped.split(separator: code, omittingEmptySubsequences: false).joined()
        }
        #expect(coloured.contains("\u{1B}[31mFAIL"))
        #expect(stripped == plain)
    }

    @Test func `no title can move the cursor`() {
        var builder = RecordBuilder(gates: [ReportBuilder.noDuplicates])
        builder.activity(at: 100)
        builder.event(.displayed, ["note/7/5"], at: 120)
        builder.record.deviceEvents[0].content?.title = "a\u{1B}[2Jb\nc"
        let text = TerminalSummary.render(ReportBuilder.make([builder.record]))
        #expect(!text.contains("\u{1B}") && text.contains("a[2Jbc"))
    }

    @Test func `the strip shows faults to scale and their legend`() {
        let text = lines(ReportBuilder.make([ReportBuilder.makeFailingDay()]))
        let strip = text.first { $0.hasPrefix("timeline") } ?? ""
        #expect(strip.contains("#") && strip.contains("."))
        #expect(text.contains { $0.contains("# GitLab or link down") })
        #expect(text.contains { $0.contains("first miss: 00:01:40") })
    }

    @Test func `a path with blanks is quoted`() {
        let report = RunReport(
            scenario: ReportBuilder.makePass().scenario,
            results: ReportBuilder.makePass().results,
            build: "b",
            scenarioPath: "my scenarios/it's.json"
        )
        #expect(TerminalSummary.reproduction(of: report) == "simctl run 'my scenarios/it'\\''s.json' --seed 1")
    }

    @Test func `a p99 of few samples is not shown`() {
        let text = lines(ReportBuilder.makePass(count: 50))
        #expect(text.contains(" p99: insufficient, 50 of 299 samples"))
    }
}
