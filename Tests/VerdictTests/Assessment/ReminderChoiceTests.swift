import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// What people choose between an ask and its reminders: what ends it, what puts it off, and what does neither. The times are those of
/// `ReminderJudgeTests`.
struct ReminderChoiceTests {
    private func makeBuilder(toldAt: Double = 1_009) -> RecordBuilder { .makeReview(toldAt: toldAt) }

    private func findings(_ builder: RecordBuilder) -> ReminderFindings { JudgedRun(builder.record).reminders }

    @Test(arguments: [
        PreferenceRecord.Choice.settled(RecordBuilder.request), .muted(RecordBuilder.request, until: .seconds(9_000)),
        .dismissed(RecordBuilder.request), .denied(RecordBuilder.jonas),
    ])
    func `what a person chooses in the app holds at once`(choice: PreferenceRecord.Choice) {
        var builder = makeBuilder()
        builder.choose(choice, at: 1_500)
        #expect(findings(builder).due.isEmpty)
        builder.remind(1, at: 1_909)
        #expect(findings(builder).wrong.map(\.invariant) == [.remindedAfterEnd])
    }

    @Test func `whoever is denied is waited for by nobody, also where no item is asked about`() {
        var builder = RecordBuilder()
        let todo = ActivityRecord.Todo(person: RecordBuilder.maria, id: 71, action: "directly_addressed")
        builder.activity(.other, at: 1_000, on: nil, note: false, todos: [todo])
        builder.deliver(["todo/71"], pushed: 1_009, shown: 1_010)
        builder.choose(.settled(RecordBuilder.request), at: 1_400)
        #expect(findings(builder).due.count == 2)
        builder.choose(.denied(RecordBuilder.jonas), at: 1_500)
        #expect(findings(builder).due.isEmpty)
    }

    @Test func `a mute may have ended by a clock that is ahead when it was heard of`() {
        for (node, invariants) in [(ClockNode.notifier, 0), (.apns, 1)] {
            var builder = makeBuilder()
            builder.fault(.clockStep, id: "set", from: 1_100, until: 1_100, effect: .clockStep(node, .minutes(2)))
            builder.choose(.muted(RecordBuilder.request, until: .seconds(1_560)), at: 1_500)
            builder.remind(1, at: 1_909)
            #expect(findings(builder).wrong.count == invariants)
        }
    }

    private typealias LateChoice = (choice: PreferenceRecord.Choice, dated: Double, answered: Double)

    @Test func `a choice on its way when something was asked may end that, too, if it is dated later or has no date`() {
        func due(_ late: LateChoice, _ change: (inout RecordBuilder) -> Void = { _ in }) -> Int {
            var builder = makeBuilder()
            builder.record.preferences.append(
                PreferenceRecord(
                    person: RecordBuilder.maria,
                    choice: late.choice,
                    requestedAt: .seconds(500),
                    answeredAt: .seconds(late.answered),
                    datedAt: .seconds(late.dated)
                )
            )
            change(&builder)
            return findings(builder).due.count
        }
        #expect(due((.settled(RecordBuilder.request), 500, 999)) == 2)
        #expect(due((.settled(RecordBuilder.request), 500, 1_500)) == 0)
        #expect(due((.unwatched(RecordBuilder.request), 1_200, 999)) == 2)
        #expect(due((.unwatched(RecordBuilder.request), 1_200, 1_500)) == 0)
        #expect(due((.unwatched(RecordBuilder.request), 500, 1_500)) == 2, "it was chosen before that was asked")
        #expect(
            due((.unwatched(RecordBuilder.request), 500, 1_500)) {
                $0.fault(.clockStep, id: "set", from: 400, until: 400, effect: .clockStep(.notifier, .minutes(2)))
            } == 0
        )
    }

    @Test func `a choice about something else changes nothing`() {
        var builder = makeBuilder()
        builder.choose(.settled(RecordBuilder.issue), at: 1_500)
        builder.choose(.denied(RecordBuilder.tom), at: 1_600)
        #expect(findings(builder).due.count == 2)
    }

    @Test func `later is an hour later, and once`() {
        var builder = makeBuilder()
        builder.choose(.postponed(RecordBuilder.request), at: 1_500)
        builder.remind(2, at: 5_101)
        let found = findings(builder)
        #expect(found.due.count == 1 && found.due.allSatisfy { !$0.isMissed && !$0.isLate } && found.wrong.isEmpty)
        builder.record.pushes.removeLast()
        builder.remind(2, at: 4_700)
        #expect(findings(builder).wrong.count == 1, "too early")
    }

    @Test func `later that was said before anything was asked is about something else`() {
        var builder = makeBuilder()
        builder.choose(.postponed(RecordBuilder.request), at: 990)
        builder.remind(1, at: 1_909)
        #expect(findings(builder).due.map(\.isMissed) == [false, true] && findings(builder).wrong.isEmpty)
        builder.record.preferences[0].answeredAt = .seconds(1_001)
        #expect(findings(builder).due.isEmpty, "it may have been about this")
    }

    @Test func `later before the news is there ends without it, and nothing comes before the news`() {
        for (instant, count) in [(5_101.0, 1), (6_909.0, 0)] {
            var builder = makeBuilder(toldAt: 6_009)
            builder.choose(.postponed(RecordBuilder.request), at: 1_500)
            builder.remind(1, at: instant)
            #expect(findings(builder).wrong.count == count, "\(instant)")
        }
    }

    @Test func `later before the news may have been said of another, and puts nothing off for certain`() {
        var builder = makeBuilder()
        builder.choose(.postponed(RecordBuilder.request), at: 1_002)
        builder.remind(1, at: 1_909)
        #expect(findings(builder).wrong.isEmpty)
        builder.record.pushes.removeLast()
        builder.remind(1, at: 1_907)
        #expect(findings(builder).wrong.count == 1, "too early")
    }
}
