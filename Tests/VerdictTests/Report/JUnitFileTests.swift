import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

struct JUnitFileTests {
    private func cases(_ report: RunReport) -> [WellFormedXML.Element] {
        WellFormedXML(JUnitFile.text(report))?.elements ?? []
    }

    @Test func `each requirement is a case of its own`() {
        let elements = cases(ReportBuilder.makePass())
        let names = elements.filter { $0.name == "testcase" }.compactMap { $0.attributes["name"] }
        #expect(names.prefix(2) == ["delivery > 99% at 95%", "duplicates = 0"])
        #expect(names.count == 2 + ViolationRecord.Invariant.allCases.count)
        #expect(!elements.contains { $0.name == "failure" || $0.name == "error" })
    }

    @Test func `a case of other seeds is another case`() {
        let pass = ReportBuilder.makePass()
        let classes = Set(cases(pass).compactMap { $0.attributes["classname"] })
        #expect(classes == ["\(pass.scenario.name) [seeds \(FigureText.seeds(pass.seeds))]"])
    }

    @Test func `a failure is a failure and a doubt is an error`() {
        var day = ReportBuilder.makeFailingDay()
        day.resolved.scenario.probes = [.catchUp]
        let elements = cases(ReportBuilder.make([day]))
        #expect(elements.count { $0.name == "failure" } == 1)
        #expect(elements.count { $0.name == "error" } == 1)
        let suite = elements.first { $0.name == "testsuite" }
        #expect(suite?.attributes["failures"] == "1" && suite?.attributes["errors"] == "1")
        #expect(suite?.attributes["tests"] == "\(elements.count { $0.name == "testcase" })")
    }

    @Test func `whatever stands in a message comes back`() {
        let nasty = "a <b> & \"c\" 'd'\nline ]]> \u{1}"
        let crash = SeedCrash(seed: 9, message: nasty, backtrace: "")
        let failures = cases(ReportBuilder.make([], crashes: [crash])).filter { $0.name == "failure" }
        #expect(failures.first?.attributes["message"] == "observed crashed, a <b> & \"c\" 'd'\nline ]]> \u{FFFD}")
    }

    @Test(arguments: ["<a>", "<a></b>", "<a b=c/>", "<a>&x;</a>", "<a b=\"1\" b=\"2\"/>"])
    func `the checker of these tests can fail`(broken: String) {
        #expect(WellFormedXML("<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + broken) == nil)
    }
}
