import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct MarkdownFileTests {
    /// What stands outside code spans, where Markdown is markup, and what stands inside.
    ///
    /// A code span begins with a run of backticks and ends with the next run of the same length (CommonMark §6.1).
    private func parts(_ text: String) -> (markup: String, code: [String]) {
        var (markup, code) = ("", [String]())
        var rest = text[...]
        while let start = rest.firstIndex(of: "`") {
            markup += rest[..<start]
            let fence = rest[start...].prefix { $0 == "`" }
            let inside = rest[fence.endIndex...]
            guard let end = Self.end(of: fence.count, in: inside) else {
                markup += fence
                rest = inside
                continue
            }
            code.append(String(inside[..<end]))
            rest = inside[inside.index(end, offsetBy: fence.count)...]
        }
        return (markup + rest, code)
    }

    private static func end(of length: Int, in text: Substring) -> Substring.Index? {
        var rest = text
        while let start = rest.firstIndex(of: "`") {
            let run = rest[start...].prefix { $0 == "`" }
            if run.count == length { return start }
            rest = rest[run.endIndex...]
        }
        return nil
    }

    private func makeHostile(_ name: String) -> RunReport {
        var day = ReportBuilder.makeFailingDay()
        day.resolved.scenario.name = name
        day.violations = [ViolationRecord(invariant: .secretLeaked, at: .seconds(5), detail: name)]
        let crash = SeedCrash(seed: 9, message: name, backtrace: name)
        return RunReport(
            scenario: day.resolved.scenario,
            results: [Assessment.assess(day)],
            crashes: [crash],
            build: name,
            scenarioPath: name
        )
    }

    @Test func `a failure is told with its misses and the line that repeats it`() {
        let lines = MarkdownFile.text(ReportBuilder.make([ReportBuilder.makeFailingDay()])).split(separator: "\n")
        #expect(lines.first == "### Fail: `fixture`, seeds 41")
        #expect(lines[1].hasPrefix("- **Fail** `delivery > 99% at 95%`, seen `308/320`, proven `>= "))
        #expect(lines.contains("Missed 12 of 320: `not-detected` 12"))
        #expect(lines.contains("Exit code 1: requirement failed; build `3f2c9ab`.  "))
        #expect(lines.last == "To repeat the worst seed: `simctl run scenarios/fixture.json --seed 41`")
    }

    @Test func `a pass is short`() {
        let text = MarkdownFile.text(ReportBuilder.makePass())
        #expect(text.hasPrefix("### Pass: `fixture`, seeds 1\n\n- **Pass** "))
        #expect(text.split(separator: "\n").count == 6)
        #expect(!text.contains("Missed"))
    }

    @Test func `probes that were reached are one line, and those that were not have one each`() {
        var day = RecordBuilder.makeDay(gates: [ReportBuilder.noDuplicates], probes: [.baseline, .catchUp], count: 5)
        day.probes = [ProbeRecord(probe: .baseline, count: 2, firstAt: .zero)]
        let lines = MarkdownFile.text(ReportBuilder.make([day])).split(separator: "\n")
        #expect(lines[1] == "- **Not proven** `probe \(Probe.catchUp.rawValue)`, seen `0 runs`, `path never reached`")
        #expect(lines.contains("- **Pass** 1 of 2 probes reached"))
        #expect(lines.count { $0.contains("probe") } == 2)
    }

    @Test(arguments: [
        "<img src=x onerror=alert(1)>", "a|b", "@everyone see #12 and !34", "`", "a``b```c", "` ` `", "``",
        "line\nend\r\n# Heading", "<!-- \u{202E}gnihton -->", "</details>", "[a](javascript:alert(1))", "\u{1B}[2J",
        " ",
        "\\`", "\u{2028}- item",
    ])
    func `no name becomes markup`(name: String) {
        let text = MarkdownFile.text(makeHostile(name))
        let (markup, code) = parts(text)
        for sign in ["<", ">", "|", "@", "#12", "!34", "[", "`", "\u{202E}", "\u{1B}", "\u{2028}", "\\", "javascript"] {
            #expect(!markup.contains(sign), "\(text)")
        }
        #expect(markup.split(separator: "\n").count { $0.hasPrefix("#") } == 1)
        #expect(code.allSatisfy { !$0.contains("\n") && !$0.contains("\u{1B}") && !$0.contains("\u{202E}") })
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.isEmpty || "#-MET".contains($0.prefix(1)) }, "\(text)")
    }

    @Test func `backticks come back whole`() {
        #expect(MarkdownFile.code("a``b") == "```a``b```")
        #expect(MarkdownFile.code("`") == "`` ` ``")
        #expect(MarkdownFile.code("plain") == "`plain`")
    }

    @Test func `many requirements and long texts are cut, and it says so`() {
        var day = RecordBuilder.makeDay(gates: [ReportBuilder.delivery], count: 5)
        day.violations = [
            ViolationRecord(invariant: .secretLeaked, at: .zero, detail: String(repeating: "x", count: 100_000))
        ]
        let crashes = (100...200).map { SeedCrash(seed: $0, message: "SIGILL", backtrace: "") }
        let text = MarkdownFile.text(ReportBuilder.make([day], crashes: crashes))
        #expect(text.utf8.count < 20_000)
        #expect(text.contains("- … and 63 more in summary.json\n"))
        #expect(text.split(separator: "\n").count { $0.hasPrefix("- **") } == MarkdownFile.requirements)
    }

    @Test(arguments: ["a < b", "`open", "``a` | b"])
    func `the checker of these tests can fail`(text: String) {
        let markup = parts(text).markup
        #expect(markup.contains("<") || markup.contains("`") || markup.contains("|"))
    }
}
