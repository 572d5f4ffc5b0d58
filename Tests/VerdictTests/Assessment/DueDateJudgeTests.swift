import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// Who had to be reminded of a day, and which reminders were wrong. The run begins on Friday, 15 January 2027, at eight in the morning (UTC). What is
/// due on Sunday is told on Saturday at nine, after 90,000 s, or 495 s later at the latest, and on Monday at nine, after 262,800 s.
struct DueDateJudgeTests {
    private static let sunday = CivilDate(year: 2027, month: 1, day: 17)
    private static let monday = CivilDate(year: 2027, month: 1, day: 18)
    private static let ahead = 90_000.0
    private static let overdue = 262_800.0

    private func makeBuilder(_ date: CivilDate? = sunday) -> RecordBuilder {
        var builder = RecordBuilder(simulated: 4 * 86_400)
        if let date { builder.setDue(date, at: 1_000) }
        return builder
    }

    private func findings(_ builder: RecordBuilder) -> ReminderFindings { JudgedRun(builder.record).reminders }

    private func wrong(_ builder: RecordBuilder) -> [ViolationRecord.Invariant?] {
        findings(builder).wrong.map(\.invariant)
    }

    @Test func `both in their time are what was expected`() {
        var builder = makeBuilder()
        builder.remindOfDay(1, Self.sunday, at: Self.ahead)
        builder.remindOfDay(2, Self.sunday, at: Self.overdue + 495)
        let found = findings(builder)
        #expect(found.due.map(\.deadline) == [.seconds(90_495), .seconds(263_295)])
        #expect(found.due.allSatisfy { !$0.isMissed && !$0.isLate } && found.wrong.isEmpty)
    }

    @Test func `a milestone that is moved ends its day and begins another, although nothing was done to the item`() {
        func move(_ builder: inout RecordBuilder, _ date: CivilDate?, at second: Int64) {
            let due = ActivityRecord.Due(date: date, assignees: [RecordBuilder.maria], isOpen: true)
            builder.record.dueMoves.append(DueMoveRecord(item: RecordBuilder.issue, at: .seconds(second), due: due))
        }
        var later = makeBuilder()
        move(&later, Self.monday, at: 50_000)
        // On Sunday; the run is over before Tuesday's is due.
        #expect(findings(later).due.map(\.activity) == [nil])
        #expect(findings(later).due.first?.deadline == .seconds(90_495 + 86_400))
        later.remindOfDay(1, Self.sunday, at: Self.ahead)
        #expect(wrong(later) == [.remindedAfterEnd])
        var never = makeBuilder()
        move(&never, nil, at: 50_000)
        #expect(findings(never).due.isEmpty)
        var first = makeBuilder(nil)
        #expect(findings(first).due.isEmpty)
        move(&first, Self.sunday, at: 50_000)
        #expect(findings(first).due.count == 2)
    }

    @Test func `one that never comes is missed, and one that comes later is late`() {
        var builder = makeBuilder()
        builder.remindOfDay(1, Self.sunday, at: 90_496)
        let counts = Assessment.assess(builder.record).whole.reminders
        #expect(counts == ReminderCounts(expected: 2, missed: 1, late: 1, unexpected: 0))
    }

    @Test func `what APNs was let say is not to be sent again is nobody's fault`() throws {
        var builder = makeBuilder()
        builder.fault(
            .apnsReason,
            id: "refusals",
            from: 80_000,
            until: 100_000,
            effect: .apnsReason(.badPriority, ratio: .one)
        )
        builder.remindOfDay(1, Self.sunday, at: Self.ahead)
        builder.record.pushes[0].status = 400
        builder.record.pushes[0].faultID = "refusals"
        #expect(findings(builder).due.map(\.isMissed) == [true], "the second alone")
        builder.record.pushes[0].faultID = nil
        #expect(findings(builder).due.map(\.isMissed) == [true, true])
    }

    @Test func `nothing is owed to who does not have it to do, or did not watch, or wants none`() {
        let issue = RecordBuilder.issue
        func count(_ make: (inout RecordBuilder) -> Void) -> Int {
            var builder = makeBuilder()
            make(&builder)
            return findings(builder).due.count
        }
        #expect(count { _ in } == 2)
        #expect(count { $0.record.activities[0].due?.assignees = [RecordBuilder.jonas] } == 0)
        #expect(count { $0.record.activities[0].due?.isOpen = false } == 0)
        #expect(count { $0.record.watches = [] } == 0)
        #expect(count { $0.record.watches[1].endRequestedAt = .seconds(200_000) } == 0, "its answer may be late")
        #expect(count { $0.choose(.reminders(false), at: 500) } == 0)
        #expect(count { $0.choose(.dueReminders(false), at: 500) } == 0)
        #expect(
            count {
                $0.choose(.dueReminders(false), at: 500)
                $0.choose(.dueReminders(true), at: 100_000)
            } == 1
        )
        #expect(
            count {
                $0.choose(.reminders(false), at: 500)
                $0.choose(.dueReminders(true), at: 600)
            } == 2
        )
        #expect(count { $0.choose(.muted(issue, until: .seconds(200_000)), at: 500) } == 1)
        #expect(count { $0.choose(.dismissed(issue), at: 200_000) } == 1)
        #expect(count { $0.record.deviceSpans = [] } == 0)
        #expect(count { $0.record.downtimes = [Span(from: .seconds(89_000), until: .seconds(260_000))] } == 1)
        #expect(count { $0.fault(.clockStep, id: "clock", from: 1, until: 2) } == 0)
        #expect(count { $0.fault(.clockStep, id: "clock", from: 90_497, until: 90_497) } == 0)
        #expect(count { $0.fault(.clockStep, id: "clock", from: 90_498, until: 90_498) } == 1, "over before")
        #expect(count { $0.setDue(nil, at: 90_400) } == 0, "it was off before the first had to be there")
        #expect(count { $0.setDue(nil, at: 90_496) } == 1)
    }

    @Test func `what is due long after the clock was set right is owed as ever`() {
        func count(from start: Double, until end: Double, back: Duration = .hours(-2)) -> Int {
            var builder = makeBuilder()
            let (ahead, right) = (FaultEffect.clockStep(.notifier, .hours(2)), FaultEffect.clockStep(.notifier, back))
            builder.fault(.clockStep, id: "ahead", from: start, until: start, effect: ahead)
            builder.fault(.clockStep, id: "right", from: end, until: end, effect: right)
            return findings(builder).due.count
        }
        // Four hours by which it was moved, and a quarter of an hour, lie before the first at 90,000 s.
        #expect(count(from: 2_000, until: 74_600) == 2)
        #expect(count(from: 2_000, until: 74_800) == 1)
        #expect(count(from: 2_000, until: 74_600, back: .hours(-1)) == 0, "it stays an hour ahead")
    }

    @Test func `what came too early is wrong where no clock had been set by then`() {
        func wrong(setAt second: Double) -> Int {
            var builder = makeBuilder()
            builder.remindOfDay(1, Self.sunday, at: 50_000)
            builder.fault(.clockStep, id: "clock", from: second, until: second)
            return findings(builder).wrong.count
        }
        #expect(wrong(setAt: 50_100) == 1)
        #expect(wrong(setAt: 49_000) == 0)
    }

    @Test func `a day that is moved is owed then, and the first one no more`() {
        var builder = makeBuilder()
        builder.setDue(Self.monday, at: 50_000)
        builder.remindOfDay(1, Self.monday, at: Self.ahead + 86_400)
        let found = findings(builder)
        #expect(found.due.map(\.isMissed) == [false] && found.wrong.isEmpty)
        builder.remindOfDay(1, Self.sunday, at: Self.ahead)
        #expect(wrong(builder) == [.remindedAfterEnd])
        #expect(Assessment.assess(builder.record).violations.map(\.invariant) == [.remindedAfterEnd])
    }

    @Test func `whoever learns late is owed it then, once that had to be known`() {
        var builder = makeBuilder(nil)
        builder.setDue(Self.sunday, at: 100_000)
        // Seven minutes for a poll, and a look at everything, come before the 495 s.
        #expect(findings(builder).due.map(\.deadline).first == .seconds(100_000 + 360 + 240 + 495))
        builder.remindOfDay(1, Self.sunday, at: 100_030)
        #expect(wrong(builder).isEmpty)
    }

    @Test(arguments: [(50_000.0, 57_600 + 495.0), (70_000.0, 70_001 + 495.0)] as [(Double, Double)])
    func `a lead time of one's own holds from then on`(chosenAt: Double, deadline: Double) {
        var builder = makeBuilder()
        builder.choose(.dueLead(hours: 24), at: chosenAt)
        #expect(findings(builder).due.map(\.deadline) == [.seconds(deadline), .seconds(230_400 + 495)])
        builder.remindOfDay(1, Self.sunday, at: deadline)
        #expect(wrong(builder).isEmpty)
        builder.remindOfDay(2, Self.sunday, at: 230_300)
        #expect(wrong(builder) == [nil], "a day has not come to its end")
    }

    @Test func `a lead time without an answer may hold or not`() {
        var builder = makeBuilder()
        builder.choose(.dueLead(hours: 24), at: 50_000)
        builder.record.preferences[0].answeredAt = .seconds(Int64.max / 2)
        #expect(findings(builder).due.isEmpty)
        builder.remindOfDay(1, Self.sunday, at: 57_600)
        builder.remindOfDay(2, Self.sunday, at: Self.overdue)
        #expect(wrong(builder).isEmpty)
    }

    @Test func `the answer to a later lead time ends the doubt about one without an answer`() {
        var builder = makeBuilder()
        builder.choose(.dueLead(hours: 20), at: 40_000)
        builder.record.preferences[0].answeredAt = .seconds(Int64.max / 2)
        builder.choose(.dueLead(hours: 24), at: 50_000)
        #expect(findings(builder).due.map(\.deadline) == [.seconds(57_600 + 495), .seconds(230_400 + 495)])
        builder.remindOfDay(1, Self.sunday, at: 57_600)
        #expect(wrong(builder).isEmpty)
    }

    @Test func `quiet hours put it off to their end`() {
        var builder = makeBuilder()
        let hours = QuietHours(zone: .utc, weekdays: Array(1...7), from: 480, until: 600, letsUrgentThrough: true)
        builder.choose(.quietHours(hours), at: 10)
        #expect(findings(builder).due.map(\.deadline) == [.seconds(94_095), .seconds(266_895)])
        builder.remindOfDay(1, Self.sunday, at: Self.ahead)
        #expect(wrong(builder) == [.notifiedInQuietHours])
    }

    @Test(arguments: [
        (QuietHours.Zone.berlin, -3_600.0), (.newYork, 18_000), (.kolkata, -19_800), (.sydney, -39_600),
    ])
    func `days are the person's own, and by UTC it is wrong`(zone: QuietHours.Zone, shift: Double) {
        var builder = makeBuilder()
        let hours = QuietHours(zone: zone, weekdays: [3], from: 0, until: 1, letsUrgentThrough: true)
        builder.choose(.quietHours(hours), at: 10)
        #expect(findings(builder).due.map(\.deadline).first == .seconds(90_495 + shift))
        builder.remindOfDay(1, Self.sunday, at: Self.ahead)
        let found = findings(builder)
        #expect(shift > 0 ? found.wrong.count == 1 : found.due[0].isLate)
    }

    @Test func `of nothing, too early, too late, twice or unwanted is wrong`() {
        func wrong(_ make: (inout RecordBuilder) -> Void) -> [ViolationRecord.Invariant?] {
            var builder = makeBuilder()
            make(&builder)
            return self.wrong(builder)
        }
        #expect(wrong { $0.remindOfDay(1, Self.sunday, at: 89_998) } == [nil])
        #expect(wrong { $0.remindOfDay(1, Self.sunday, at: 230_402) } == [nil], "the day is over")
        #expect(wrong { $0.remindOfDay(1, Self.monday, at: Self.ahead) } == [nil])
        #expect(wrong { $0.remindOfDay(1, Self.sunday, at: Self.ahead, item: RecordBuilder.request) } == [nil])
        #expect(wrong { $0.remindOfDay(1, Self.sunday, at: Self.ahead, item: nil) } == [nil])
        #expect(
            wrong {
                $0.remindOfDay(1, Self.sunday, at: Self.ahead, id: "a")
                $0.remindOfDay(1, Self.sunday, at: Self.ahead + 60, id: "b")
            } == [.remindedTooOften]
        )
        #expect(
            wrong {
                $0.choose(.reminders(false), at: 500)
                $0.remindOfDay(1, Self.sunday, at: Self.ahead)
            } == [nil]
        )
        #expect(
            wrong {
                $0.choose(.muted(RecordBuilder.issue, until: .seconds(300_000)), at: 500)
                $0.remindOfDay(1, Self.sunday, at: Self.ahead)
            } == [nil]
        )
        #expect(
            wrong {
                $0.record.watches[1].endRequestedAt = .seconds(50_000)
                $0.record.watches[1].endedAt = .seconds(50_001)
                $0.remindOfDay(1, Self.sunday, at: Self.ahead)
            } == [.remindedAfterEnd]
        )
    }

    @Test func `a day in a zone begins at an instant, also where clocks change`() throws {
        func instant(_ zone: QuietHours.Zone, _ day: Int, _ month: Int, _ time: Duration) -> CivilDate {
            let date = CivilDate(year: 2026, month: month, day: day)
            return CivilDate(WallClock(zone: zone).instant(of: date, after: time))
        }
        #expect(instant(.berlin, 29, 3, .hours(9)) == CivilDate(year: 2026, month: 3, day: 29, hour: 7))
        #expect(instant(.berlin, 29, 3, .zero - .hours(15)) == CivilDate(year: 2026, month: 3, day: 28, hour: 8))
        #expect(
            instant(.berlin, 29, 3, .minutes(150)) == CivilDate(year: 2026, month: 3, day: 29, hour: 1, minute: 30)
        )
        #expect(
            instant(.berlin, 25, 10, .minutes(150)) == CivilDate(year: 2026, month: 10, day: 25, hour: 0, minute: 30)
        )
        #expect(instant(.sydney, 5, 4, .hours(9)) == CivilDate(year: 2026, month: 4, day: 4, hour: 23))
        #expect(instant(.newYork, 8, 3, .hours(9)) == CivilDate(year: 2026, month: 3, day: 8, hour: 13))
        #expect(
            instant(.kolkata, 8, 3, .hours(9)) == CivilDate(year: 2026, month: 3, day: 8, hour: 3, minute: 30)
        )
    }
}

extension RecordBuilder {
    /// Maria has to have the issue done by that day from then on.
    fileprivate mutating func setDue(_ date: CivilDate?, at seconds: Double) {
        activity(.dueDateChanged, at: seconds, on: Self.issue)
        record.activities[record.activities.count - 1].due = ActivityRecord.Due(
            date: date,
            assignees: [Self.maria],
            isOpen: true
        )
    }

    /// An accepted push that reminds of a day.
    fileprivate mutating func remindOfDay(
        _ step: Int,
        _ date: CivilDate,
        at seconds: Double,
        item: ItemReference? = issue,
        id: String? = nil
    ) {
        let id = id ?? "\(step) \(date.day)"
        push(["due/\(date.day)/\(step)"], at: seconds, id: id)
        var content = Self.content(["due/\(date.day)/\(step)"], id: id, type: "due")
        content.due = DueContent(item: item, date: date, step: step)
        record.pushes[record.pushes.count - 1].content = content
    }
}
