import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct GateJudgeTests {
    private func judge(_ gate: Gate, _ days: [RunRecord]) -> GateResult? {
        let results = days.map { day in
            var day = day
            day.resolved.scenario.expectations = [gate]
            return Assessment.assess(day)
        }
        guard var scenario = days.first?.resolved.scenario else { return nil }
        scenario.expectations = [gate]
        return RunReport(scenario: scenario, results: results, build: "b").gates.first
    }

    private func makeGate(
        _ metric: Metric,
        _ relation: Comparison.Relation,
        _ text: String,
        at confidence: String? = nil
    ) -> Gate {
        Gate(
            metric: metric,
            comparison: Comparison(relation, .ratio(Fixture.ratio(text))),
            confidence: confidence.map(Fixture.ratio)
        )
    }

    // MARK: shares

    @Test(arguments: [(1, Verdict.pass), (2, .fail)])
    func `without a confidence the share that was seen decides, exactly`(missed: Int, verdict: Verdict) {
        let result = judge(
            makeGate(.delivery, .greaterOrEqual, "99%"),
            [RecordBuilder.makeDay(count: 100, missed: missed)]
        )
        #expect(result?.verdict == verdict)
        #expect(result?.observed == "\(100 - missed)/100")
    }

    @Test(arguments: [(299, 0, Verdict.pass), (298, 0, .insufficient), (473, 1, .pass), (472, 1, .insufficient)])
    func `with a confidence what is proven decides, anchors 8`(count: Int, missed: Int, verdict: Verdict) {
        let gate = makeGate(.delivery, .greater, "99%", at: "95%")
        #expect(judge(gate, [RecordBuilder.makeDay(count: count, missed: missed)])?.verdict == verdict)
    }

    @Test func `5 of 1,000 missed are 99.5 per cent seen and 98.95 proven, anchors 8`() {
        let day = [RecordBuilder.makeDay(count: 1_000, missed: 5)]
        let result = judge(makeGate(.delivery, .greater, "99%", at: "95%"), day)
        #expect(result?.verdict == .insufficient)
        #expect(result?.bound == ">= 98.95%")
        #expect(result?.note?.hasPrefix("49 more without a miss") == true)
    }

    @Test func `what was seen to fail is no lack of evidence`() {
        let gate = makeGate(.delivery, .greater, "99%", at: "95%")
        #expect(judge(gate, [RecordBuilder.makeDay(count: 100, missed: 2)])?.verdict == .fail)
    }

    @Test func `misses that cluster under one seed prove less`() {
        let gate = makeGate(.delivery, .greater, "99%", at: "95%")
        let clean = (2...10).map { RecordBuilder.makeDay(seed: UInt64($0), count: 100) }
        let even = (1...10).map { RecordBuilder.makeDay(seed: UInt64($0), count: 100, missed: $0 <= 4 ? 1 : 0) }
        let clustered = [RecordBuilder.makeDay(seed: 1, count: 100, missed: 4)] + clean
        let bounds = [even, clustered].map { judge(gate, $0)?.boundValue ?? 0 }
        #expect(bounds[0] > bounds[1])
        #expect(judge(makeGate(.delivery, .greater, "99%"), clustered)?.verdict == .pass)
    }

    @Test func `a proof without a miss says how little it says of seeds`() {
        let gate = makeGate(.delivery, .greater, "99%", at: "95%")
        let clean = (1...3).map { RecordBuilder.makeDay(seed: UInt64($0), count: 400) }
        let result = judge(gate, clean)
        #expect(result?.verdict == .pass)
        #expect(result?.note == "no seed of 3 had a miss; that proves none in >= 36.84% of all seeds")
        // With a miss it is weighed, and of one seed nothing is claimed for others.
        #expect(judge(gate, clean + [RecordBuilder.makeDay(seed: 4, count: 400, missed: 1)])?.note == nil)
        #expect(judge(gate, Array(clean.prefix(1)))?.note == nil)
        #expect(judge(makeGate(.delivery, .greater, "99%"), clean)?.note == nil)
    }

    @Test func `all of them can be seen and never proven`() {
        let gate = makeGate(.delivery, .equal, "100%", at: "95%")
        #expect(judge(gate, [RecordBuilder.makeDay(count: 1_000)])?.verdict == .insufficient)
        #expect(judge(makeGate(.delivery, .equal, "100%"), [RecordBuilder.makeDay(count: 10)])?.verdict == .pass)
    }

    // MARK: no data

    @Test(arguments: Metric.allCases)
    func `no data is never a pass`(metric: Metric) {
        for relation in Comparison.Relation.allCases {
            let bounds: [Comparison.Bound] = [
                .ratio(.zero), .ratio(.one), .count(0), .duration(.zero), .duration(.days(1)),
            ]
            for bound in bounds {
                let gate = Gate(metric: metric, comparison: Comparison(relation, bound))
                let empty = RunReport(scenario: makeScenario(gate), results: [], build: "b")
                // That nothing was due is a finding, too.
                let isBasis = metric == .expected || metric == .remindersExpected
                #expect(empty.gates.first?.verdict != .pass || isBasis)
                #expect(empty.exitCode != .met || isBasis)
            }
        }
    }

    @Test func `a window in which nothing happened is insufficient`() {
        let gate = Gate(
            metric: .missed,
            comparison: Comparison(.equal, .count(0)),
            window: .during(Fixture.entry("never"))
        )
        #expect(judge(gate, [RecordBuilder.makeDay(count: 10)])?.verdict == .insufficient)
    }

    private func makeScenario(_ gate: Gate) -> Scenario {
        RecordBuilder(gates: [gate]).record.resolved.scenario
    }

    // MARK: counts

    @Test(arguments: [(Metric.missed, 3, Verdict.fail), (.missed, 0, .pass)])
    func `counts are what was seen`(metric: Metric, missed: Int, verdict: Verdict) {
        let gate = Gate(metric: metric, comparison: Comparison(.equal, .count(0)))
        let result = judge(gate, [RecordBuilder.makeDay(seed: 7, count: 10, missed: missed)])
        #expect(result?.verdict == verdict)
        #expect(result?.note == (missed > 0 ? "seed 7: 3" : nil))
    }

    @Test func `duplicates and unexpected notifications can fail`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 110, shown: 111)
        builder.deliver(["note/7/41"], pushed: 120, shown: 121, id: "n2")
        builder.deliver(["note/7/99"], pushed: 130, shown: 131, id: "n3")
        for metric in [Metric.duplicates, .unexpected] {
            let gate = Gate(metric: metric, comparison: Comparison(.equal, .count(0)))
            #expect(judge(gate, [builder.record])?.verdict == .fail)
            #expect(judge(gate, [RecordBuilder.makeDay(count: 3)])?.verdict == .pass)
        }
    }

    @Test func `too few expected notifications are a lack of evidence`() {
        let gate = Gate(metric: .expected, comparison: Comparison(.greaterOrEqual, .count(300)))
        let result = judge(gate, [RecordBuilder.makeDay(count: 100), RecordBuilder.makeDay(seed: 2, count: 150)])
        #expect(result?.verdict == .insufficient)
        #expect(result?.note == "50 more expected notifications are needed")
    }

    @Test func `a confidence on a count promises what nobody can prove`() {
        var gate = Gate(metric: .missed, comparison: Comparison(.equal, .count(0)))
        gate.confidence = Fixture.ratio("95%")
        #expect(judge(gate, [RecordBuilder.makeDay(count: 10)])?.verdict == .insufficient)
    }

    @Test func `requests are judged for the worst seed`() {
        var days = [RecordBuilder.makeDay(seed: 1, count: 3), RecordBuilder.makeDay(seed: 2, count: 3)]
        days[0].gitlabRequests = [RequestCount(person: RecordBuilder.maria, perHour: [100, 200], rejected: 0)]
        days[1].gitlabRequests = [RequestCount(person: RecordBuilder.maria, perHour: [350], rejected: 4)]
        let total = Gate(metric: .requestsGitLab, comparison: Comparison(.lessOrEqual, .count(349)))
        #expect(judge(total, days)?.verdict == .fail)
        #expect(judge(total, days)?.note == "seed 2")
        let peak = Gate(metric: .requestsPerHourGitLab, comparison: Comparison(.lessOrEqual, .count(350)))
        #expect(judge(peak, days)?.verdict == .pass)
        #expect(judge(peak, days)?.margin == "0")
    }

    // MARK: latency and liveness

    @Test(arguments: [(10, Verdict.pass), (9, .fail)])
    func `latency is compared to the millisecond`(limit: Int, verdict: Verdict) {
        let gate = Gate(metric: .latencyP95, comparison: Comparison(.lessOrEqual, .duration(.seconds(limit))))
        #expect(judge(gate, [RecordBuilder.makeDay(count: 20)])?.verdict == verdict)
    }

    @Test(arguments: [(299, Verdict.pass), (298, .insufficient)])
    func `a 99th percentile needs 299 samples, anchors 8`(count: Int, verdict: Verdict) {
        let gate = Gate(metric: .latencyP99, comparison: Comparison(.lessOrEqual, .duration(.seconds(60))))
        #expect(judge(gate, [RecordBuilder.makeDay(count: count)])?.verdict == verdict)
        let strict = Gate(metric: .latencyP99, comparison: Comparison(.lessOrEqual, .duration(.seconds(1))))
        #expect(judge(strict, [RecordBuilder.makeDay(count: count)])?.verdict == .fail)
    }

    @Test(arguments: [60, 5])
    func `a confidence on a percentile promises what nobody can prove`(limit: Int) {
        let gate = Gate(
            metric: .excessLatencyP95,
            comparison: Comparison(.lessOrEqual, .duration(.seconds(limit))),
            confidence: Fixture.ratio("95%")
        )
        #expect(judge(gate, [RecordBuilder.makeDay(count: 300)])?.verdict == .insufficient)
    }

    @Test func `what was never displayed is said beside the latency`() {
        let gate = Gate(metric: .latencyMax, comparison: Comparison(.lessOrEqual, .duration(.seconds(60))))
        #expect(judge(gate, [RecordBuilder.makeDay(count: 20, missed: 3)])?.note == "3 never displayed")
        let few = Gate(metric: .latencyP99, comparison: Comparison(.lessOrEqual, .duration(.seconds(60))))
        let note = judge(few, [RecordBuilder.makeDay(count: 302, missed: 4)])?.note
        #expect(note == "1 more displayed notifications are needed for a 99th percentile, 4 never displayed")
    }

    @Test(arguments: [(10, Verdict.pass), (9, .fail)])
    func `draining is compared with its bound`(limit: Int, verdict: Verdict) {
        let gate = Gate(metric: .drained, comparison: Comparison(.lessOrEqual, .duration(.seconds(limit))))
        let result = judge(gate, [RecordBuilder.makeDay(count: 5, latency: 10)])
        #expect(result?.verdict == verdict)
        #expect(result?.observed == "10.0 s")
    }

    @Test func `a run that never drained fails its liveness, and so does one with a miss`() {
        let gate = Gate(metric: .drained, comparison: Comparison(.lessOrEqual, .duration(.seconds(120))))
        var unfinished = RecordBuilder.makeDay(count: 5)
        unfinished.idleSince = nil
        for day in [unfinished, RecordBuilder.makeDay(count: 5, missed: 1)] {
            let result = judge(gate, [RecordBuilder.makeDay(seed: 2, count: 5), day])
            #expect(result?.verdict == .fail)
            #expect(result?.observed == "never")
        }
    }

    @Test func `a rule reads like the scenario`() {
        let gate = Gate(
            metric: .latencyP95,
            comparison: Comparison(.lessOrEqual, .duration(.seconds(90))),
            confidence: Fixture.ratio("95%"),
            window: .after(Fixture.entry("outage")),
            kind: .merge,
            person: RecordBuilder.maria
        )
        #expect(gate.rule == "latency.p95 <= 1m30s at 95%, merge, @maria, after outage")
    }
}
