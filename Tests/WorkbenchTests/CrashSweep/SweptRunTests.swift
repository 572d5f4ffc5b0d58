import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict
@testable import Workbench

struct SweptRunTests {
    private static let point = CrashPoint(step: .afterPush, occurrence: 1)

    private func scenario(_ gates: [Gate]) -> Scenario { RecordBuilder(gates: gates).record.resolved.scenario }

    private func run(latency: Double = 10, _ change: (inout SeedResult) -> Void = { _ in }) throws -> SweptRun {
        var result = Assessment.assess(RecordBuilder.makeDay(count: 3, latency: latency))
        (result.violations, result.violationsInAll) = ([], 0)
        change(&result)
        return SweptRun(.answer(try WorkerLine.encode(WorkerResponse.judged(result))))
    }

    @Test func `a requirement that is not met is a finding, beyond the time for which the notifier was away`() throws {
        let bound = Comparison(.lessOrEqual, .duration(.seconds(60)))
        let scenario = scenario([Gate(metric: .latencyMax, comparison: bound)])
        let plain = try run()
        #expect(plain.findings(in: scenario) == [])
        #expect(try run(latency: 64).findings(in: scenario, beside: plain, at: Self.point) == [])
        let late = try run(latency: 70)
        #expect(late.findings(in: scenario, beside: plain, at: Self.point) == ["gate: latency.max <= 1m"])
        // By these words the run without a crash may have it as well.
        #expect(late.findings(in: scenario) == ["gate: latency.max <= 1m"])
    }

    @Test func `what a crash costs, and misses with an excuse, are no findings`() throws {
        let scenario = scenario([
            Gate(metric: .requestsGitLab, comparison: Comparison(.less, .count(0))),
            Gate(metric: .missed, comparison: Comparison(.equal, .count(0))),
        ])
        let plain = try run()
        func findings(_ cause: String) throws -> [String] {
            try run {
                $0.causes = [CauseCount(code: cause, count: 1)]
                $0.slices[0].known -= 1
            }.findings(in: scenario, beside: plain, at: Self.point)
        }
        #expect(try findings("device-away") == [])
        #expect(try findings("not-detected") == ["missed: not-detected", "gate: missed = 0"])
    }
}
