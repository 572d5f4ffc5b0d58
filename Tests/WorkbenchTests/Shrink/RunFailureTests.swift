import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict
@testable import Workbench

struct RunFailureTests {
    private func findings(_ gate: Gate, causes: [String]) throws -> [String] {
        var result = Assessment.assess(RecordBuilder.makeDay(count: 3))
        (result.violations, result.violationsInAll) = ([], 0)
        result.causes = causes.map { CauseCount(code: $0, count: 1) }
        result.slices[0].known -= causes.count
        let outcome = WorkerPool.Outcome.answer(try WorkerLine.encode(WorkerResponse.judged(result)))
        return RunFailure(outcome, of: RecordBuilder(gates: [gate]).record.resolved.scenario).findings
    }

    @Test func `a requirement on delivery fails by the causes of what is missed, excused or not`() throws {
        let missed = Gate(metric: .missed, comparison: Comparison(.equal, .count(0)))
        #expect(
            try findings(missed, causes: ["device-away", "expired-in-mailbox", "not-detected"]) == [
                "missed: not-detected", "missed: device-away", "missed: expired-in-mailbox", "gate: missed = 0",
            ]
        )
        #expect(try findings(missed, causes: []) == [])
    }

    @Test func `no other requirement does`() throws {
        let late = Gate(metric: .latencyMax, comparison: Comparison(.less, .duration(.zero)))
        let found = try findings(late, causes: ["device-away"])
        #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix("gate: latency.max") })
    }
}
