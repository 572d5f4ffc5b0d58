import JSON
import ScenarioFixtures
import Testing

@testable import Verdict

/// Pass, fail, or too little evidence.
struct BaselineJudgementTests {
    private func judge(
        _ seeds: [MadeReports.Seed],
        against baseline: [MadeReports.Seed],
        _ tolerances: Tolerances = Tolerances()
    ) throws -> BaselineJudgement {
        try BaselineJudgement(MadeReports.make(seeds), baseline: MadeReports.make(baseline), tolerances: tolerances)
    }

    @Test(arguments: [6, 10, 20])
    func `the same again is no worse, whatever is tolerated`(count: Int) throws {
        let seeds = MadeReports.seeds(count)
        for tolerance in [0.0, 0.1] {
            let judgement = try judge(seeds, against: seeds, Tolerances(others: .share(tolerance)))
            #expect(judgement.verdict == .pass)
            #expect(judgement.exitCode == .met)
            #expect(judgement.sentence == "no worse than the baseline")
        }
    }

    @Test(arguments: [6, 10, 20])
    func `what is worse beyond the tolerance fails and is named`(count: Int) throws {
        let judgement = try judge(MadeReports.seeds(count, shift: 9_000), against: MadeReports.seeds(count))
        #expect(judgement.exitCode == .failed)
        #expect(judgement.sentence.hasPrefix("worse than the baseline: excess latency p50 by more than "))
        #expect(!judgement.sentence.contains("requests"))
    }

    @Test func `the same difference is within a larger tolerance`() throws {
        let own: [ComparedFigure.Kind: Tolerances.Amount] = [.excessP50: .absolute(9_500), .excessP95: .share(0.9)]
        let judgement = try judge(
            MadeReports.seeds(10, shift: 9_000),
            against: MadeReports.seeds(10),
            Tolerances(own: own)
        )
        #expect(judgement.verdict == .pass)
        #expect(judgement.figures.map(\.tolerance).first == 9_500)
    }

    @Test func `other luck is no pass without a tolerance, and it says how many seeds would do`() throws {
        let none = Tolerances(others: .share(0))
        let judgement = try judge(MadeReports.seeds(10, luck: 3), against: MadeReports.seeds(10), none)
        #expect(judgement.exitCode == .insufficientEvidence)
        let some = try judge(
            MadeReports.seeds(10, luck: 3),
            against: MadeReports.seeds(10),
            Tolerances(others: .share(0.02))
        )
        #expect(some.verdict == .insufficient)
        #expect(some.sentence.contains("seeds would do"))
    }

    @Test func `five seeds are too few`() throws {
        #expect(BaselineJudgement.fewestSeeds == 6)
        let judgement = try judge(MadeReports.seeds(5), against: MadeReports.seeds(5))
        #expect(judgement.exitCode == .insufficientEvidence)
        #expect(judgement.sentence == "too few seeds to compare with the baseline: 5 in both, and 6 are needed")
    }

    @Test func `one more miss fails with any number of seeds, and names its seed`() throws {
        var missing = MadeReports.seeds(3)
        missing[1].missed = [7]
        let judgement = try judge(missing, against: MadeReports.seeds(3))
        #expect(judgement.exitCode == .failed)
        #expect(judgement.sentence == "worse than the baseline: missed 0 -> 1")
        let text = judgement.text(after: ReportBuilder.makePass(), isQuiet: false)
        #expect(text.contains(" FAIL  missed  0 -> 1, seeds 2\n"))
        #expect(text.hasSuffix("exit 1 (by itself: all requirements met)\n"))
        #expect(try judge(MadeReports.seeds(10), against: MadeReports.seeds(10, luck: 0)).verdict == .pass)
        #expect(
            judgement.json.text(indented: false).contains(
                #""count":"missed","baseline":0,"observed":1,"verdict":"fail""#
            )
        )
    }

    @Test func `a reminder and an unread number that go wrong fail, and fewer reminders to tell are shown`() throws {
        var late = MadeReports.seeds(6)
        late[2].reminders = ReminderCounts(expected: 3, late: 1)
        late[3].wrongUnreadNumbers = 2
        var before = MadeReports.seeds(6)
        before[2].reminders = ReminderCounts(expected: 4)
        let judgement = try judge(late, against: before)
        #expect(judgement.exitCode == .failed)
        #expect(
            judgement.sentence == "worse than the baseline: reminders late 0 -> 1; wrong unread numbers 0 -> 2"
        )
        let text = judgement.text(after: ReportBuilder.makePass(), isQuiet: false)
        #expect(text.contains("\n       reminders expected  4 -> 3\n"))
        #expect(text.contains(" FAIL  reminders late  0 -> 1, seeds 3\n"))
        var older = before
        for index in older.indices {
            older[index].reminders = nil
            older[index].wrongUnreadNumbers = nil
        }
        #expect(try judge(late, against: older).exitCode == .met)
    }

    @Test func `a crash and a broken invariant fail, and one that was there before does not`() throws {
        var broken = MadeReports.seeds(10)
        broken[0].invariantsBroken = 1
        #expect(try judge(broken, against: MadeReports.seeds(10)).exitCode == .failed)
        #expect(try judge(broken, against: broken).exitCode == .met)
        var crashed = MadeReports.seeds(10)
        crashed[0].isCrashed = true
        #expect(try judge(crashed, against: MadeReports.seeds(10)).sentence.contains("crashes 0 -> 1"))
    }

    @Test func `another scenario is no baseline`() {
        #expect(throws: ComparisonError.differentScenarios("other", "made")) {
            try BaselineJudgement(
                MadeReports.make(MadeReports.seeds(6)),
                baseline: MadeReports.make(MadeReports.seeds(6), scenario: "other"),
                tolerances: Tolerances()
            )
        }
    }
}
