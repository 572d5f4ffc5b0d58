import Testing

@testable import Verdict

/// Better, worse, or how much would have shown.
struct ReportComparisonTests {
    private func compare(_ first: [MadeReports.Seed], _ second: [MadeReports.Seed]) throws -> ReportComparison {
        try ReportComparison(MadeReports.make(first), MadeReports.make(second))
    }

    private func gate(_ rule: String, _ verdict: Verdict) -> ComparedSummary.Gate {
        ComparedSummary.Gate(rule: rule, verdict: verdict)
    }

    @Test func `runs that are alike to the last event differ in nothing, and it says how rare a difference would be`()
        throws
    {
        var seeds = MadeReports.seeds(20)
        for index in seeds.indices { seeds[index].behaviour = "seed \(index)" }
        let comparison = try compare(seeds, seeds)
        #expect(comparison.conclusion == .noDifference)
        #expect(comparison.exitCode == .met)
        #expect(comparison.sentence.hasPrefix("no difference seen in 20 seeds, and all ran alike to the last event"))
        #expect(comparison.sentence.contains("13.9%"))
    }

    @Test func `runs that differ in no figure say so`() throws {
        let comparison = try compare(MadeReports.seeds(20), MadeReports.seeds(20))
        #expect(comparison.sentence.contains("no figure of any seed differs"))
        #expect(comparison.identicalSeeds == 0)
    }

    @Test func `other luck is no difference, and it says what would have shown`() throws {
        let comparison = try compare(MadeReports.seeds(20), MadeReports.seeds(20, luck: 3))
        #expect(comparison.conclusion == .noDifference)
        #expect(comparison.sentence.contains("excess latency p50"))
        #expect(comparison.sentence.hasSuffix("would have shown (80%)"))
        for figure in comparison.figures {
            let detectable = try #require(figure.detectable)
            #expect(detectable > 0)
            #expect(!figure.isWorse && !figure.isBetter)
        }
    }

    @Test(arguments: [8, 9, 10, 20])
    func `what is slower is worse, and the other way round better`(count: Int) throws {
        let (quick, slow) = (MadeReports.seeds(count), MadeReports.seeds(count, shift: 9_000, luck: 3))
        let worse = try compare(quick, slow)
        #expect(worse.conclusion == .worse)
        #expect(worse.exitCode == .failed)
        #expect(worse.sentence.hasPrefix("worse: excess latency p50 +"))
        let better = try compare(slow, quick)
        #expect(better.conclusion == .better)
        #expect(better.exitCode == .met)
        #expect(better.sentence.hasPrefix("better: excess latency p50 -"))
    }

    @Test func `what is slower and asks less is worse in one thing and better in another`() throws {
        var slow = MadeReports.seeds(12, shift: 9_000)
        for index in slow.indices { slow[index].requests -= 300 }
        let comparison = try compare(MadeReports.seeds(12), slow)
        #expect(comparison.conclusion == .worse)
        #expect(comparison.better == ["requests to GitLab -300 (-300 to -300)"])
        #expect(comparison.sentence.contains("; better: requests to GitLab"))
    }

    @Test func `seven seeds are too few for figures, and that is no pass`() throws {
        let comparison = try compare(MadeReports.seeds(7), MadeReports.seeds(7, shift: 9_000))
        #expect(comparison.conclusion == .tooFewSeeds)
        #expect(comparison.exitCode == .insufficientEvidence)
        #expect(comparison.sentence == "too few seeds: 7 in both reports, and 8 are needed")
        #expect(comparison.figures.allSatisfy { $0.interval == nil })
    }

    @Test(arguments: [2, 20])
    func `one more miss or double is worse, with any number of seeds and whatever else is better`(count: Int) throws {
        var missing = MadeReports.seeds(count, shift: -9_000)
        missing[1].missed = [39]
        let missed = try compare(MadeReports.seeds(count), missing)
        #expect(missed.conclusion == .worse)
        #expect(missed.exitCode == .failed)
        #expect(missed.worse == ["missed 0 -> 1 (more under 1 seed of \(count))"])
        var twice = MadeReports.seeds(count)
        twice[0].duplicates = 2
        let doubled = try compare(MadeReports.seeds(count), twice)
        #expect(doubled.sentence == "worse: duplicates 0 -> 2 (more under 1 seed of \(count))")
        #expect(doubled.exitCode == .failed)
    }

    @Test func `another broken invariant is worse, also where one was broken before`() throws {
        var (before, after) = (MadeReports.seeds(3), MadeReports.seeds(3))
        before[0].invariantsBroken = 1
        for index in after.indices { after[index].invariantsBroken = 1 }
        #expect(try compare(before, after).worse == ["invariants broken 1 -> 3 (more under 2 seeds of 3)"])
    }

    @Test func `fewer misses in one seed may be chance, in nine of ten they are a finding`() throws {
        var one = MadeReports.seeds(10)
        one[4].missed = Set(0..<8)
        let single = try compare(one, MadeReports.seeds(10))
        #expect(single.better.isEmpty)
        #expect(single.deliveries.won.count == 8)
        #expect(single.deliveries.won.kept.allSatisfy { $0.place.seed == 5 })
        #expect(single.sentence.hasSuffix("; not the same under every seed: missed 8 -> 0 (less under 1 seed of 10)"))

        var many = MadeReports.seeds(10)
        for index in 0..<9 { many[index].missed = [39] }
        let back = try compare(many, MadeReports.seeds(10))
        #expect(back.better.first == "missed 9 -> 0 (less under 9 seeds of 10)")
    }

    @Test func `misses that are fewer hide no doubles that are more, each is looked at by itself`() throws {
        var (before, after) = (MadeReports.seeds(20), MadeReports.seeds(20))
        for index in 0..<12 { before[index].missed = [39] }
        for index in 0..<3 { after[index].duplicates = 1 }
        let comparison = try compare(before, after)
        #expect(comparison.worse.first == "duplicates 0 -> 3 (more under 3 seeds of 20)")
        #expect(comparison.better.first == "missed 12 -> 0 (less under 12 seeds of 20)")
        #expect(comparison.exitCode == .failed)
    }

    @Test func `counts that differ share the error of their tests`() throws {
        // Eight of eight: p = 0.0078, enough for one count and too little for each of two.
        var before = MadeReports.seeds(12)
        for index in 0..<8 { before[index].duplicates = 1 }
        #expect(try compare(before, MadeReports.seeds(12)).better == ["duplicates 8 -> 0 (less under 8 seeds of 12)"])
        before[9].missed = [39]
        #expect(try compare(before, MadeReports.seeds(12)).better.isEmpty)
    }

    @Test func `what went wrong under other seeds is no figure that differs nowhere`() throws {
        var (before, after) = (MadeReports.seeds(20), MadeReports.seeds(20))
        before[0].duplicates = 1
        after[1].duplicates = 1
        let comparison = try compare(before, after)
        #expect(comparison.conclusion == .noDifference)
        #expect(!comparison.sentence.contains("no figure of any seed differs"))
        #expect(comparison.sentence.contains("excess latency and requests differ under no seed"))
        #expect(comparison.sentence.hasSuffix("duplicates 1 -> 1 (less under 1 seed of 20, more under 1)"))
    }

    /// What went wrong beside notifications, by the words that tell it.
    private static let besides: [(String, ReminderCounts, Int)] = [
        ("reminders missed", ReminderCounts(missed: 1), 0), ("reminders late", ReminderCounts(late: 1), 0),
        ("reminders unexpected", ReminderCounts(unexpected: 1), 0), ("wrong unread numbers", ReminderCounts(), 1),
    ]

    @Test(arguments: besides)
    func `reminders and unread numbers that go wrong are worse, too`(
        title: String,
        reminders: ReminderCounts,
        wrongNumbers: Int
    ) throws {
        var after = MadeReports.seeds(10)
        after[6].reminders = reminders
        after[6].wrongUnreadNumbers = wrongNumbers
        let comparison = try compare(MadeReports.seeds(10), after)
        #expect(comparison.worse == ["\(title) 0 -> 1 (more under 1 seed of 10)"])
        #expect(ComparisonText.render(comparison, isQuiet: false).contains(" \(title)"))
        #expect(ComparisonFile.text(comparison).contains("\"\(title)\""))
    }

    @Test func `what an older report does not tell is not compared`() throws {
        var before = MadeReports.seeds(10)
        for index in before.indices {
            before[index].reminders = nil
            before[index].wrongUnreadNumbers = nil
        }
        var after = MadeReports.seeds(10)
        after[6].reminders = ReminderCounts(expected: 1, missed: 1)
        let comparison = try compare(before, after)
        #expect(comparison.worse.isEmpty)
        #expect(comparison.counts.map(\.title) == ["missed", "duplicates", "unexpected"])
        #expect(!ComparisonText.render(comparison, isQuiet: false).contains("reminders"))
    }

    @Test func `reminders that nobody had to be told any more are named`() throws {
        var before = MadeReports.seeds(10)
        before[0].reminders = ReminderCounts(expected: 5)
        let comparison = try compare(before, MadeReports.seeds(10))
        #expect(comparison.conclusion == .noDifference)
        #expect(comparison.sentence.hasSuffix("reminders expected 5 -> 0 (less under 1 seed of 10)"))
    }

    @Test(arguments: [2, 10])
    func `a requirement that is no longer proven is no pass, whatever is better`(count: Int) throws {
        let rule = "delivery > 99% at 95%"
        let before = MadeReports.make(MadeReports.seeds(count, shift: 9_000), gates: [gate(rule, .pass)])
        let after = MadeReports.make(MadeReports.seeds(count), gates: [gate(rule, .insufficient)])
        let comparison = try ReportComparison(before, after)
        #expect(comparison.conclusion == .noLongerProven)
        #expect(comparison.exitCode == .insufficientEvidence)
        #expect(comparison.sentence.hasPrefix("no longer proven: \(rule)"))
        #expect(comparison.sentence.contains("; better: excess latency p50") == (count == 10))
        #expect(ComparisonFile.text(comparison).contains("\"conclusion\": \"no-longer-proven\""))
        #expect(try ReportComparison(after, before).noLongerProven.isEmpty)
    }

    @Test func `a gate that fails now is worse with any number of seeds`() throws {
        let before = MadeReports.make(MadeReports.seeds(2), gates: [gate("missed = 0", .pass)])
        let after = MadeReports.make(MadeReports.seeds(2), gates: [gate("missed = 0", .fail)])
        let worse = try ReportComparison(before, after)
        #expect(worse.conclusion == .worse)
        #expect(worse.sentence == "worse: missed = 0 fails and passed before")
        #expect(try ReportComparison(after, before).conclusion == .tooFewSeeds)
    }

    @Test func `gates of other seeds are not compared`() throws {
        let before = MadeReports.make(MadeReports.seeds(10), gates: [gate("missed = 0", .pass)])
        let after = MadeReports.make(MadeReports.seeds(10), from: 2, gates: [gate("missed = 0", .fail)])
        let comparison = try ReportComparison(before, after)
        #expect(comparison.seeds == Array(2...10))
        #expect(comparison.gates.isEmpty && !comparison.hasAllSeeds)
    }

    @Test func `a crash and a broken invariant are worse whatever else is better`() throws {
        var crashed = MadeReports.seeds(10, shift: -9_000)
        crashed[3].isCrashed = true
        #expect(try compare(MadeReports.seeds(10), crashed).worse.first?.contains("crashed under 1 seed") == true)
        var broken = MadeReports.seeds(10, shift: -9_000)
        broken[3].invariantsBroken = 1
        let comparison = try compare(MadeReports.seeds(10), broken)
        #expect(comparison.conclusion == .worse)
        #expect(comparison.worse == ["an invariant broke under 1 seed"])
        #expect(try compare(broken, broken).worse.isEmpty)
    }

    @Test func `what is not of the same worlds is refused`() {
        let one = MadeReports.make(MadeReports.seeds(3))
        func refusal(_ other: ComparedReport) -> ComparisonError? {
            do throws(ComparisonError) {
                _ = try ReportComparison(one, other)
                return nil
            } catch {
                return error
            }
        }
        #expect(
            refusal(MadeReports.make(MadeReports.seeds(3), scenario: "other")) == .differentScenarios("made", "other")
        )
        #expect(refusal(MadeReports.make(MadeReports.seeds(3), world: "f")) == .differentWorlds(scenario: "made"))
        #expect(refusal(MadeReports.make(MadeReports.seeds(3), world: nil)) == nil)
        #expect(refusal(MadeReports.make(MadeReports.seeds(3), from: 9)) == .noCommonSeeds("1-3", "9-11"))
        var longer = MadeReports.seeds(3)
        longer[1].activities = 101
        #expect(refusal(MadeReports.make(longer)) == .differentActivities(seed: 2, 100, 101))
    }

    @Test func `the largest differences are named first, and no more than there is room for`() throws {
        var slow = MadeReports.seeds(10)
        for seed in slow.indices {
            for number in slow[seed].excess.indices { slow[seed].excess[number] += Int64(31_000 + 100 * seed + number) }
        }
        let comparison = try compare(MadeReports.seeds(10), slow)
        let slower = comparison.deliveries.slower
        #expect(slower.count == 400)
        #expect(slower.kept.count == DeliveryDifferences.kept)
        #expect(slower.kept.first?.place == ComparedReport.MissedPlace(seed: 10, activity: 39, person: "maria"))
        let text = ComparisonText.render(comparison, isQuiet: false)
        #expect(text.contains(" slower  390 more"))
        #expect(text.split(separator: "\n").count < 40)
    }

    @Test func `text and JSON end in the same sentence, and names cannot move the cursor`() throws {
        let mean = MadeReports.make(MadeReports.seeds(8), path: "reports/\u{1B}[2Jmean")
        let comparison = try ReportComparison(mean, MadeReports.make(MadeReports.seeds(8, shift: 9_000)))
        let text = ComparisonText.render(comparison, isQuiet: false)
        #expect(!text.contains("\u{1B}"))
        #expect(text.contains("excess latency p95") && text.contains("not judged"))
        let quiet = ComparisonText.render(comparison, isQuiet: true)
        #expect(text.hasSuffix(quiet))
        #expect(quiet.replacing("\n", with: " ").hasPrefix(comparison.sentence))
        let json = ComparisonFile.text(comparison)
        #expect(json.hasPrefix(ComparisonFile.beginning + "\"worse\""))
        #expect(json.contains("\"detectable\""))
    }
}
