import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct RunReportTests {
    private func makeDay(missed: Int = 0, probes: [Probe] = [], reached: Bool = true, broken: Bool = false) -> RunRecord
    {
        let gates = [ReportBuilder.delivery, ReportBuilder.noDuplicates]
        var day = RecordBuilder.makeDay(gates: gates, probes: probes, count: 320, missed: missed)
        if reached { day.probes = probes.map { ProbeRecord(probe: $0, count: 2, firstAt: .seconds(5)) } }
        if broken {
            day.violations = [ViolationRecord(invariant: .secretLeaked, at: .seconds(5), detail: "in a push")]
        }
        return day
    }

    @Test func `all requirements met is exit code 0`() {
        let report = ReportBuilder.make([makeDay(probes: [.baseline])])
        #expect(report.verdict == .pass && report.exitCode == .met)
    }

    @Test func `a failed requirement is exit code 1`() {
        let report = ReportBuilder.make([makeDay(missed: 12)])
        #expect(report.verdict == .fail && report.exitCode == .failed)
    }

    @Test func `a path that was not reached is exit code 2`() {
        let report = ReportBuilder.make([makeDay(probes: [.catchUp], reached: false)])
        #expect(report.verdict == .insufficient && report.exitCode == .insufficientEvidence)
    }

    @Test func `failure outweighs a lack of evidence`() {
        let report = ReportBuilder.make([makeDay(missed: 12, probes: [.catchUp], reached: false)])
        #expect(report.verdict == .fail && report.exitCode == .failed)
    }

    @Test func `a broken invariant outweighs everything, exit code 3`() {
        for missed in [0, 12] {
            let report = ReportBuilder.make([makeDay(missed: missed, probes: [.catchUp], reached: false, broken: true)])
            #expect(report.verdict == .fail && report.exitCode == .invariantBroken)
        }
    }

    @Test func `a crash under one seed fails the run and names the seed`() {
        let crash = SeedCrash(seed: 17, message: "signal 4", backtrace: "0 trap\n1 main")
        let report = ReportBuilder.make([makeDay()], crashes: [crash])
        #expect(report.verdict == .fail && report.exitCode == .failed && report.worstSeed == 17)
        #expect(report.seeds == [1, 17])
    }

    @Test func `the seed to look at is one that fails, though others did worse where nothing is required`() {
        let noLate = Gate(metric: .remindersLate, comparison: Comparison(.equal, .count(0)))
        let days = (1...3).map { RecordBuilder.makeDay(seed: UInt64($0), gates: [noLate], count: 20) }
        var results = days.map(Assessment.assess)
        for seed in results.indices { results[seed].slices[0].reminders.expected = 4 }
        results[1].slices[0].reminders.late = 1
        results[2].slices[0].duplicates = 9
        let report = RunReport(scenario: days[0].resolved.scenario, results: results, build: "3f2c9ab")
        #expect(report.verdict == .fail && report.worstSeed == 2)
    }

    @Test func `where seeds fall short only together, the one to look at did worst by itself`() {
        let fewMissed = Gate(metric: .missed, comparison: Comparison(.lessOrEqual, .count(4)))
        let days = (1...3).map { RecordBuilder.makeDay(seed: UInt64($0), gates: [fewMissed], count: 20) }
        var results = days.map(Assessment.assess)
        for (seed, missed) in [1, 3, 2].enumerated() { results[seed].slices[0].known -= missed }
        let report = RunReport(scenario: days[0].resolved.scenario, results: results, build: "3f2c9ab")
        #expect(report.verdict == .fail && report.worstSeed == 2)
    }

    @Test func `nothing required and nothing run prove nothing`() {
        #expect(ReportBuilder.make([RecordBuilder.makeDay(count: 3)]).exitCode == .insufficientEvidence)
        #expect(ReportBuilder.make([]).exitCode == .insufficientEvidence)
    }

    @Test func `a probe reached under one seed is reached`() {
        var second = makeDay(probes: [.catchUp])
        second.resolved.seed = 2
        let report = ReportBuilder.make([makeDay(probes: [.catchUp], reached: false), second])
        #expect(report.probes.map(\.seeds) == [1])
        #expect(report.verdict == .pass)
    }

    @Test func `seeds pool in their order, whatever order they came in`() {
        let days = (1...5).map { RecordBuilder.makeDay(seed: UInt64($0), gates: [ReportBuilder.delivery], count: 70) }
        let report = ReportBuilder.make(days)
        let reversed = ReportBuilder.make(days.reversed())
        #expect(SummaryFile.text(report) == SummaryFile.text(reversed))
        #expect(report.digest == reversed.digest)
        #expect(report.verdict == .pass)
        #expect(report.claim.contains("5 of 5 seeds had no miss"))
    }
}
