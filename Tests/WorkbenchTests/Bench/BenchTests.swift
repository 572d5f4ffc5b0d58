import Duties
import JSON
import ScenarioFixtures
import Testing
import Verdict

@testable import Scenarios
@testable import Workbench

struct BenchTests {
    @Test(arguments: [
        (Figure.Goal.atLeast(100), 100.0, true), (.atLeast(100), 99.99, false),
        (.atMost(100), 100.0, true), (.atMost(100), 100.01, false),
    ])
    func `a goal is met at its bound and missed beyond it`(goal: Figure.Goal, value: Double, isMet: Bool) {
        #expect(makeFigure(value, goal: goal).isMet == isMet)
        #expect(makeFigure(value, goal: goal).columns[0] == (isMet ? "met" : "MISSED"))
    }

    @Test(arguments: [
        (0.0, "0.000", "0.000"), (1.23456, "1.235", "1.235"), (12.0, "12.00", "12.00"), (999.96, "1000.0", "1,000.0"),
        (1_234.5, "1235", "1,235"), (1_234_567.0, "1234567", "1,234,567"), (0.0004, "0.000", "0.000"),
    ])
    func `numbers keep four digits or all before the point`(value: Double, plain: String, grouped: String) {
        #expect(FigureNumber.plain(value) == plain)
        #expect(FigureNumber.grouped(value) == grouped)
    }

    @Test func `a figure is told to programs with kind, unit and goal`() {
        let json = makeFigure(3, goal: .atMost(11)).json.text(indented: false)
        let expected =
            #"{"goal":11.00,"goalIs":"at most","kind":"ratio","met":true,"method":"by hand","name":"growth","#
            + #""unit":"x","value":3.000}"#
        #expect(json == expected)
    }

    @Test func `ten times the items are ten times as many and all of them watched`() throws {
        let scenario = try makeScenario()
        let grown = GrownScenario.withItems(scenario, times: 10)
        #expect(grown.world.itemReferences.count == 10 * scenario.world.itemReferences.count)
        #expect(Set(grown.world.itemReferences).count == grown.world.itemReferences.count)
        let watches = grown.world.people.compactMap(\.notified).flatMap(\.watches)
        #expect(Set(watches) == Set(grown.world.itemReferences))
        #expect(try ScenarioReader.read(Array(grown.json.utf8), file: "grown") == grown)
    }

    @Test func `ten times the people watch what the originals watch`() throws {
        let scenario = try makeScenario()
        let grown = GrownScenario.withPeople(scenario, times: 10)
        let notified = grown.world.people.filter { $0.notified != nil }
        #expect(notified.count == 10)
        #expect(Set(notified.map(\.username)).count == 10)
        #expect(Set(notified.compactMap(\.notified?.watches)).count == 1)
        #expect(try ScenarioReader.read(Array(grown.json.utf8), file: "grown") == grown)
    }

    @Test func `every variant polls at the same interval`() throws {
        let scenario = try makeScenario()
        let variants = [
            GrownScenario.baseline(scenario), GrownScenario.withItems(scenario, times: 10),
            GrownScenario.withPeople(scenario, times: 10),
        ]
        #expect(Set(variants.map(\.notifier.json)).count == 1)
        #expect(variants[0].notifier.json.contains(#""intervalLarge":"1m""#))
    }

    @Test func `without the reference day nothing is measured`() throws {
        let result = try SimctlProcess.run(["bench", "--json"], in: try TestFolder())
        #expect(result.exitCode == .invalidInput)
        #expect(result.output.contains("file-not-found"))
    }

    /// A debug build may miss the goal; what it computes is the same.
    @Test func `a year of duties is computed without any scenario`() throws {
        #expect(LiveDutyYear.occurrences().count == 18_250)
        #expect(LiveDutyYear.occurrences() == LiveDutyYear.occurrences())
        #expect(Set(LiveDutyYear.occurrences().map(\.status)).count == 3)
        let result = try SimctlProcess.run(["bench", "--duties", "--json"], in: try TestFolder())
        #expect(result.output.contains(#""name":"duties.year""#))
        #expect([ExitCode.met, .failed].contains(result.exitCode))
    }

    private func makeFigure(_ value: Double, goal: Figure.Goal) -> Figure {
        Figure(name: "growth", value: value, kind: .ratio, unit: "x", goal: goal, method: "by hand")
    }

    private func makeScenario() throws -> Scenario {
        try ScenarioReader.read(Array(makeScenarioText().utf8), file: "tiny.json")
    }
}
