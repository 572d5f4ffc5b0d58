import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// Who had to be told again, and which reminders were wrong. A review is asked at 1,000 s and told at 1,009 s: its steps are due at 1,909 s
/// and 4,609 s, and three minutes later they are late.
struct ReminderJudgeTests {
    private func makeBuilder(resolvedAt: Double? = nil) -> RecordBuilder {
        .makeReview(resolvedAt: resolvedAt)
    }

    private func findings(_ builder: RecordBuilder) -> ReminderFindings { JudgedRun(builder.record).reminders }

    @Test func `both steps in their time are what was expected`() {
        var builder = makeBuilder()
        builder.remind(1, at: 1_909)
        builder.remind(2, at: 4_789)
        let found = findings(builder)
        #expect(found.due.map(\.deadline) == [.seconds(2_089), .seconds(4_789)])
        #expect(found.due.allSatisfy { !$0.isMissed && !$0.isLate } && found.wrong.isEmpty)
    }

    @Test func `quiet hours that are switched off let what they have put off go at once`() {
        var builder = makeBuilder()
        // By UTC from 1,200 s on for two hours.
        let hours = QuietHours(zone: .utc, weekdays: [5], from: 500, until: 620, letsUrgentThrough: true)
        builder.choose(.quietHours(hours), at: 10)
        #expect(findings(builder).due.map(\.deadline) == [.seconds(8_580)], "both fall due in them and are told once")
        builder.choose(.quietHours(nil), at: 3_000)
        #expect(findings(builder).due.map(\.deadline) == [.seconds(3_180), .seconds(4_789)])
    }

    @Test func `quiet hours end at the full minute, whenever they were chosen`() {
        let hours = QuietHours(zone: .utc, weekdays: [5], from: 500, until: 620, letsUrgentThrough: true)
        func wrong(at seconds: Double) -> [ViolationRecord.Invariant?] {
            var builder = makeBuilder()
            builder.choose(.quietHours(hours), at: 10)
            builder.record.preferences[0].answeredAt += .nanoseconds(300)
            builder.remind(2, at: seconds)
            return findings(builder).wrong.map(\.invariant)
        }
        #expect(wrong(at: 8_400).isEmpty)
        #expect(wrong(at: 8_399) == [.notifiedInQuietHours])
    }

    @Test func `what was over before a clock was set is judged, and nothing after it`() {
        func set(at second: Double, _ change: (inout RecordBuilder) -> Void = { _ in }) -> ReminderFindings {
            var builder = makeBuilder()
            builder.fault(.clockStep, id: "clock", from: second, until: second)
            change(&builder)
            return findings(builder)
        }
        #expect(set(at: 3_000).due.map(\.deadline) == [.seconds(2_089)])
        #expect(set(at: 1_500).due.isEmpty)
        #expect(set(at: 1_600) { $0.remind(1, at: 1_500) }.wrong.count == 1)
        #expect(set(at: 1_400) { $0.remind(1, at: 1_500) }.wrong.isEmpty)
    }

    @Test func `a step that never comes is missed, and one that comes later is late`() {
        var builder = makeBuilder()
        builder.remind(1, at: 2_090)
        let found = findings(builder)
        #expect(found.due.map(\.isLate) == [true, false] && found.due.map(\.isMissed) == [false, true])
        let counts = Assessment.assess(builder.record).whole.reminders
        #expect(counts == ReminderCounts(expected: 2, missed: 1, late: 1, unexpected: 0))
        #expect(Assessment.assess(builder.record).flaws.contains(Flaw(.missed, "reminder")))
        #expect(
            Assessment.ledger(builder.record).filter { $0.standing == "reminder" }.map(\.abnormal) == [
                ["late"], ["missed"],
            ]
        )
    }

    @Test func `what APNs was let say is not to be sent again is not missed`() {
        var builder = makeBuilder()
        builder.fault(
            .apnsReason,
            id: "refusals",
            from: 1_500,
            until: 3_000,
            effect: .apnsReason(.badPriority, ratio: .one)
        )
        builder.remind(1, at: 1_909)
        builder.remind(2, at: 4_609)
        let place = builder.record.pushes.count - 2
        builder.record.pushes[place].status = 400
        builder.record.pushes[place].faultID = "refusals"
        #expect(findings(builder).due.map(\.isMissed) == [false], "only the second could be")
        builder.record.pushes[place].faultID = nil
        #expect(findings(builder).due.map(\.isMissed) == [true, false])
    }

    @Test(arguments: [nil, RecordBuilder.request])
    func `what its person lets sleep comes back by itself, and nothing is certain of it`(item: ItemReference?) {
        var builder = makeBuilder(resolvedAt: 1_200)
        builder.remind(2, at: 4_609)
        #expect(findings(builder).wrong.map(\.invariant) == [.remindedAfterEnd])
        builder.sleep(RecordBuilder.issue, at: 1_200)
        #expect(findings(builder).wrong.map(\.invariant) == [.remindedAfterEnd])
        builder.sleep(item, at: 1_200)
        #expect(findings(builder).wrong.isEmpty && findings(builder).due.isEmpty)
    }

    @Test func `who keeps nobody waiting is owed nothing, and told no more once that had to be known`() {
        var builder = makeBuilder(resolvedAt: 2_000)
        builder.remind(1, at: 1_909)
        // A poll's three minutes, and three for the second look.
        builder.remind(2, at: 2_360)
        #expect(findings(builder).due.isEmpty, "it was settled before the first step was late")
        #expect(findings(builder).wrong.map(\.invariant) == [nil], "too early, no more")
        builder.record.pushes.removeLast()
        builder.remind(2, at: 4_609)
        #expect(findings(builder).wrong.map(\.invariant) == [.remindedAfterEnd])
        #expect(Assessment.assess(builder.record).violations.map(\.invariant) == [.remindedAfterEnd])
    }

    @Test func `an answer that may have died with the process tells, and what is owed counts from the next`() {
        func told(_ builder: RecordBuilder) -> [Duration] {
            let judged = JudgedRun(builder.record)
            let asks = AskTruth(builder.record, truth: judged.truth).asks(judged.outcomes)
            return [asks.first?.told?.from, asks.first?.told?.by].compactMap(\.self)
        }
        var builder = makeBuilder()
        builder.record.downtimes = [Span(from: .seconds(1_040), until: .seconds(1_100))]
        #expect(told(builder) == [.seconds(1_009), .seconds(1_009)], "it was stored by then")
        builder.record.downtimes = [Span(from: .seconds(1_020), until: .seconds(1_100))]
        #expect(told(builder) == [.seconds(1_009), AskTruth.unknown])
        builder.push(["todo/71"], at: 1_110)
        #expect(told(builder) == [.seconds(1_009), .seconds(1_110)])
    }

    @Test func `what waits for its push when somebody says later is not sent within the hour, and not missed`() {
        var builder = makeBuilder()
        builder.choose(.postponed(RecordBuilder.request), at: 2_000)
        builder.remind(1, at: 1_909)
        let place = builder.record.pushes.count - 1
        builder.record.pushes[place].status = 503
        builder.remind(1, at: 2_031)
        builder.remind(2, at: 5_601)
        #expect(findings(builder).due.count == 1 && findings(builder).due.allSatisfy { !$0.isMissed })
        #expect(findings(builder).wrong.isEmpty, "it may have been under way")
        builder.record.pushes[place + 1].at = .seconds(2_040)
        #expect(findings(builder).wrong.map(\.at) == [.seconds(2_040)])
        builder.record.pushes[place + 1].at = .seconds(5_600)
        #expect(findings(builder).wrong.isEmpty, "the hour is over")
    }

    @Test func `who is told that they are asked again for a review hears no more of what asked before`() {
        func judge(told: Double?, body: String = "requested review from @maria") -> ReminderFindings {
            var builder = makeBuilder()
            builder.choose(.kinds([.comments, .reviewers]), at: 10)
            builder.activity(.reviewRequested, at: 3_000)
            builder.record.activities[1].body = body
            if let told { builder.deliver(["note/7/1002"], pushed: told, shown: told + 1, id: "n2") }
            builder.remind(1, at: 1_909)
            builder.remind(2, at: 4_609)
            return findings(builder)
        }
        #expect(judge(told: 3_009).wrong.map(\.invariant) == [.remindedAfterEnd])
        #expect(judge(told: 3_009).due.map(\.isMissed) == [false], "the second step of the former is owed no more")
        #expect(judge(told: 4_600).wrong.isEmpty, "it may have been under way")
        #expect(judge(told: nil).wrong.isEmpty)
        let others = "requested review from @jonas and removed review request for @maria"
        #expect(judge(told: 3_009, body: others).wrong.isEmpty)
    }

    @Test(arguments: [(72, 3_039), (71, nil)] as [(Int64, Int?)])
    func `what may be told of under one name for both is no news of the newer`(todo: Int64, end: Int?) {
        var builder = makeBuilder()
        let again = ActivityRecord.Todo(person: RecordBuilder.maria, id: todo, action: "review_requested")
        builder.activity(.reviewRequested, at: 3_000, todos: [again])
        builder.record.activities[1].body = "requested review from @maria"
        builder.deliver(["note/7/1002"], pushed: 3_009, shown: 3_010, id: "n2")
        let judged = JudgedRun(builder.record)
        let asks = AskTruth(builder.record, truth: judged.truth).asks(judged.outcomes)
        let expected: [Duration?] = [end.map { Duration.seconds($0) }, nil]
        #expect(asks.map(\.endKnown) == expected)
    }

    @Test func `a reminder before its time, of nothing, twice or after the last is wrong`() {
        func wrong(_ make: (inout RecordBuilder) -> Void) -> [ViolationRecord.Invariant?] {
            var builder = makeBuilder()
            make(&builder)
            return findings(builder).wrong.map(\.invariant)
        }
        #expect(wrong { $0.remind(1, at: 1_907) } == [nil])
        #expect(wrong { $0.remind(1, at: 1_909, keys: ["todo/99"]) } == [nil])
        #expect(wrong { $0.remind(3, at: 9_000) } == [.remindedTooOften])
        #expect(
            wrong {
                $0.remind(1, at: 1_909, id: "a"); $0.remind(1, at: 1_950, id: "b")
            } == [.remindedTooOften]
        )
        #expect(
            wrong {
                $0.remind(1, at: 1_909, id: "a"); $0.remind(1, at: 1_950, id: "a")
            } == [],
            "sent again"
        )
    }

    @Test func `a stop of the process excuses its length, and leaves a step to the next one`() {
        var builder = makeBuilder()
        builder.record.downtimes = [Span(from: .seconds(1_900), until: .seconds(2_200))]
        builder.remind(1, at: 2_210)
        #expect(findings(builder).due.map(\.isLate) == [false, false])
        builder.record.downtimes = [Span(from: .seconds(1_900), until: .seconds(5_000))]
        let last = findings(builder).due
        #expect(last.count == 1 && last.allSatisfy { $0.deadline > .seconds(5_000) })
    }

    @Test(arguments: [("remindersEnabled", 1_909.0, 1), ("pushEnabled", 1_909, 0), ("pushEnabled", 1_800, 1)])
    func `where nobody is reminded each is wrong, and where nothing is pushed none is owed`(
        setting: String,
        seconds: Double,
        wrong: Int
    ) {
        var builder = makeBuilder()
        builder.record.resolved.scenario.notifier.values = [JSONMember(setting, .bool(false))]
        #expect(findings(builder).due.isEmpty)
        builder.remind(1, at: seconds)
        #expect(findings(builder).wrong.count == wrong)
    }

    @Test func `who wants no reminders is owed none, and each is wrong, until they want them again`() {
        var builder = makeBuilder()
        builder.choose(.reminders(false), at: 1_500)
        #expect(findings(builder).due.isEmpty)
        builder.remind(1, at: 1_909)
        #expect(findings(builder).wrong.map(\.invariant) == [nil])
        builder.choose(.reminders(true), at: 2_500)
        #expect(findings(builder).due.map(\.isMissed) == [true], "the last one is owed again")
        builder.remind(2, at: 4_609)
        #expect(findings(builder).due.map(\.isMissed) == [false] && findings(builder).wrong.count == 1)
    }

    @Test func `a reminder that is under way when they are switched off may still arrive`() {
        var builder = makeBuilder()
        builder.choose(.reminders(false), at: 1_900)
        builder.remind(1, at: 1_909)
        #expect(findings(builder).wrong.isEmpty)
    }

    @Test func `a reminder that a device shows in place of the first one tells of it`() {
        var builder = makeBuilder()
        builder.record.deviceEvents = []
        builder.remind(1, at: 1_909)
        builder.event(.displayed, ["todo/71"], at: 6_000, id: "r1", type: "reminder")
        builder.record.deviceEvents[0].content?.reminder = ReminderContent(ask: "a", step: 1)
        let judged = JudgedRun(builder.record)
        #expect(!judged.outcomes[0].isMissed && judged.unexpected.isEmpty)
    }
}

extension RecordBuilder {
    /// Maria lets her to-do items on the item sleep, or all of them.
    fileprivate mutating func sleep(_ item: ItemReference?, at seconds: Double) {
        let action = Action.todo(.snooze(item, length: .seconds(30)), by: Self.maria)
        record.resolved.steps.append(
            Step(
                sequence: record.resolved.steps.count,
                offset: .seconds(seconds),
                event: .action(ResolvedAction(action: action, template: ActionTemplate(kind: .todoSnooze)))
            )
        )
    }

    /// Maria is asked for a review at 1,000 s, by a to-do item of which she is told soon after.
    static func makeReview(resolvedAt: Double? = nil, toldAt: Double = 1_009) -> RecordBuilder {
        var builder = RecordBuilder()
        let todo = ActivityRecord.Todo(
            person: RecordBuilder.maria,
            id: 71,
            action: "review_requested",
            resolvedAt: resolvedAt.map { .seconds($0) }
        )
        builder.activity(.reviewRequested, at: 1_000, note: false, todos: [todo])
        builder.deliver(["todo/71"], pushed: toldAt, shown: toldAt + 1)
        return builder
    }

    /// An accepted push that reminds.
    mutating func remind(_ step: Int, at seconds: Double, keys: [String] = ["todo/71"], id: String? = nil) {
        push(keys, at: seconds, id: id ?? "r\(step)")
        record.pushes[record.pushes.count - 1].content = Self.content(keys, id: id ?? "r\(step)", type: "reminder")
        record.pushes[record.pushes.count - 1].content?.reminder = ReminderContent(ask: "a", step: step)
    }

    /// A choice that is confirmed a second later.
    mutating func choose(_ choice: PreferenceRecord.Choice, at seconds: Double) {
        record.preferences.append(
            PreferenceRecord(
                person: Self.maria,
                choice: choice,
                requestedAt: .seconds(seconds),
                answeredAt: .seconds(seconds + 1)
            )
        )
    }
}
