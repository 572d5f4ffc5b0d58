import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// Pipelines that run again under their id, in the ground truth. The grace is two minutes and a minute: 180 s.
struct FormerRunsTests {
    private typealias End = (status: String, at: Double, goneAfter: Double?)

    private func makeBuilder(_ ends: [End]) -> RecordBuilder {
        var builder = RecordBuilder()
        let kinds = JSONMember("activities", .string("pipelines"))
        builder.record.resolved.scenario.notifier = NotifierOverrides(values: [kinds])
        for (index, end) in ends.enumerated() {
            builder.activity(.pipelineFinished, at: end.at, goneAfter: end.goneAfter, note: false)
            builder.record.activities[index].pipelineID = 3
            builder.record.activities[index].pipelineStatus = end.status
            builder.record.activities[index].pipelineRun = Int64(index) + 1
        }
        return builder
    }

    @Test func `an end that had to be told counts, and the next one has the next number`() {
        let pairs = GroundTruth(makeBuilder([("failed", 100, 900), ("failed", 2_000, nil)]).record).pairs
        #expect(pairs.map(\.standing) == [.expected(.watched), .expected(.watched)])
        #expect(pairs.map(\.keys.own) == [["pipeline/7/3/failed/1"], ["pipeline/7/3/failed/2"]])
        #expect(pairs.filter { !$0.keys.shared.isEmpty }.isEmpty)
    }

    @Test func `an end that nobody could see leaves its number to the next one`() {
        let pairs = GroundTruth(makeBuilder([("failed", 100, 0), ("failed", 2_000, nil)]).record).pairs
        #expect(pairs.map(\.standing) == [.optional(.goneTooSoon), .expected(.watched)])
        #expect(pairs.map(\.keys.own) == [["pipeline/7/3/failed/1"], ["pipeline/7/3/failed/2"]])
        #expect(pairs.last?.keys.shared == ["pipeline/7/3/failed/1"])
    }

    @Test func `an end for which nobody waits counts for nothing`() {
        let ends: [End] = [("failed", 100, 900), ("canceled", 2_000, 900), ("success", 4_000, nil)]
        let pairs = GroundTruth(makeBuilder(ends).record).pairs
        #expect(pairs.last?.keys.own == ["pipeline/7/3/success/3"])
        #expect(pairs.last?.keys.shared == ["pipeline/7/3/success/2"])
    }
}
