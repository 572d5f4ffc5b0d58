import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict
@testable import Workbench

/// A live run beside the simulated one.
struct LiveComparisonTests {
    private func makeReport(_ known: Int, of expected: Int, latencies: [Int64]) -> RunReport {
        var scenario = RecordBuilder().record.resolved.scenario
        scenario.expectations = [Gate(metric: .missed, comparison: Comparison(.equal, .count(0)))]
        var result = SeedResult(seed: 1, digest: "", steps: 0, simulatedMilliseconds: 1)
        var slice = SliceResult()
        slice.expected = expected
        slice.known = known
        result.slices = [slice]
        result.knownLatency = LatencySamples(nanoseconds: latencies.map { $0 * 1_000_000_000 })
        return RunReport(scenario: scenario, results: [result], build: "test")
    }

    private func makeLine(_ activity: Int, _ person: String, known: Int64?, standing: String = "expected") -> LedgerLine
    {
        var line = LedgerLine(seed: 1, person: person, standing: standing, keys: [], atNanoseconds: 0)
        line.activity = activity
        line.knownNanoseconds = known
        return line
    }

    private let calm = Lateness(speed: 60)

    @Test func `holds when both deliver the same`() {
        let report = makeReport(2, of: 2, latencies: [10, 20])
        let lines = [makeLine(1, "alex", known: 5), makeLine(2, "alex", known: 9)]
        let comparison = LiveComparison(live: report, lines, simulated: report, lines.reversed(), lateness: calm)
        #expect(comparison.sameDeliveries)
        #expect(comparison.holds)
        #expect(comparison.lines.contains { $0.hasPrefix(" SAME") })
    }

    @Test func `names what only one of them delivers`() {
        let report = makeReport(2, of: 2, latencies: [10, 20])
        let live = [makeLine(1, "alex", known: 5), makeLine(2, "alex", known: nil), makeLine(3, "alex", known: 9)]
        let simulated = [makeLine(1, "alex", known: 5), makeLine(2, "alex", known: 9), makeLine(3, "alex", known: nil)]
        let comparison = LiveComparison(live: report, live, simulated: report, simulated, lateness: calm)
        #expect(comparison.onlyLive.map(\.activity) == [3])
        #expect(comparison.onlySimulated.map(\.activity) == [2])
        #expect(!comparison.holds)
    }

    @Test func `what is required of one run and optional in the other is to be delivered by both`() {
        let report = makeReport(1, of: 1, latencies: [10])
        let required = [makeLine(1, "alex", known: 5)]
        func comparison(_ live: [LedgerLine], _ simulated: [LedgerLine]) -> LiveComparison {
            LiveComparison(live: report, live, simulated: report, simulated, lateness: calm)
        }
        let told = [makeLine(1, "alex", known: 7, standing: "optional")]
        let untold = [makeLine(1, "alex", known: nil, standing: "optional")]
        #expect(comparison(told, required).sameDeliveries)
        #expect(comparison(required, told).sameDeliveries)
        #expect(comparison(untold, required).onlySimulated.map(\.activity) == [1])
        #expect(comparison(required, untold).onlyLive.map(\.activity) == [1])
    }

    @Test func `counts what was required only`() {
        let report = makeReport(0, of: 0, latencies: [])
        let live = [makeLine(1, "alex", known: 5, standing: "optional")]
        #expect(LiveComparison(live: report, live, simulated: report, [], lateness: calm).sameDeliveries)
    }

    @Test func `a burst weighs as one moment, whatever else there is`() {
        let report = makeReport(2, of: 2, latencies: [10, 20])
        let burst = (1...100).map { makeLine($0, "alex", known: 5_000_000_000) }
        let others = (101...110).map { makeLine($0, "alex", known: Int64($0) * 60_000_000_000) }
        let comparison = LiveComparison(live: report, burst + others, simulated: report, others, lateness: calm)
        #expect(comparison.live.moments == 1)
        #expect(comparison.simulated.moments == 10)
    }

    @Test func `fails by its verdict`() {
        let good = makeReport(2, of: 2, latencies: [10, 20])
        let bad = makeReport(1, of: 2, latencies: [10])
        let comparison = LiveComparison(live: bad, [], simulated: good, [], lateness: calm)
        #expect(comparison.live.verdict == .fail)
        #expect(!comparison.sameVerdict)
        #expect(!comparison.holds)
    }

    @Test func `fails by medians that are certainly apart`() {
        let fast = makeReport(2, of: 2, latencies: Array(1...400))
        let slow = makeReport(2, of: 2, latencies: Array(401...800))
        let lines = (1...400).map { makeLine($0, "alex", known: Int64($0) * 60_000_000_000) }
        let comparison = LiveComparison(live: slow, lines, simulated: fast, lines, lateness: calm)
        #expect(comparison.sameVerdict && comparison.sameDeliveries)
        #expect(!comparison.holds)
    }

    @Test func `a difference on a busy machine is not held against notifierd alone`() {
        let good = makeReport(2, of: 2, latencies: [10, 20])
        let bad = makeReport(1, of: 2, latencies: [10])
        var busy = Lateness(speed: 60)
        busy.add(.milliseconds(100))
        func lines(_ live: RunReport, _ lateness: Lateness) -> [String] {
            LiveComparison(live: live, [], simulated: good, [], lateness: lateness).lines
        }
        #expect(lines(bad, busy).contains { $0.hasPrefix(" UNSURE") })
        #expect(!lines(bad, calm).contains { $0.hasPrefix(" UNSURE") })
        #expect(!lines(good, busy).contains { $0.hasPrefix(" UNSURE") })
    }
}
