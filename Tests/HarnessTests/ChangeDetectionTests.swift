import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict

/// One scenario, the same budget of requests and the same day, once by sweeps and once by reading every item.
struct ChangeDetectionTests {
    private func measure(_ detection: String) throws -> SliceResult {
        var scenario = try ScenarioReader.read(path: "\(Places.scenarios)/sweep-vs-per-item.json")
        scenario.notifier["changeDetection"] = .string(detection)
        let record = try ScenarioRun.perform(scenario.plan(seed: 1)).record
        #expect(record.violations.isEmpty)
        return Assessment.assess(record).whole
    }

    @Test func `sweeps tell in a third of the time with a third of the requests, and miss nothing`() throws {
        let sweep = try measure("sweep")
        let perItem = try measure("perItem")
        #expect(sweep.missed == 0 && perItem.missed == 0)
        let sweepP95 = try #require(sweep.latency.percentile(95))
        let perItemP95 = try #require(perItem.latency.percentile(95))
        #expect(sweepP95 * 3 <= perItemP95)
        #expect(sweep.requestsGitLab * 3 <= perItem.requestsGitLab)
        // The other side was not slowed down: its budget lets it keep the requirement.
        #expect(perItemP95 <= 120_000)
    }
}
