import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// Who had to be told what of a duty, and what was told wrongly. Maria and Jonas take turns every day at ten (UTC), from 180,000 s on; Jonas does the
/// first turn, which is Maria's, after 50,000 s, so that the second comes to her. She is reminded of it after 180,000 s and asked for it after
/// 266,400 s; each has to have come 180 s later.
struct DutyNoteJudgeTests {
    private static let (maria, jonas) = (RecordBuilder.maria, RecordBuilder.jonas)

    private static let ended = "duty/o0/end/d"
    private static let ahead = "duty/o1/ahead/1800266400"
    private static let due = "duty/o1/due/1800266400"

    private static func turn(_ index: Int = 1, at second: Int64 = 50_001) -> String {
        "duty/o\(index)/turn/\(1_800_000_000_000_000 + second * 1_000_000)"
    }

    private func makeBuilder(_ change: (inout WorldDuty) -> Void = { _ in }) -> RecordBuilder {
        var world = RecordBuilder.makeWorld()
        var duty = WorldDuty(
            name: "triage",
            members: [Self.maria, Self.jonas],
            rhythm: .everyDays(1),
            start: CivilDate(year: 2027, month: 1, day: 17),
            minute: 600,
            leadHours: 24,
            escalates: true
        )
        change(&duty)
        world.duties = [duty]
        var builder = RecordBuilder(simulated: 4 * 86_400, world: world)
        for index in 0..<10 { builder.record.dutyPlaces["o\(index)"] = DutyPlace(duty: "triage", index: index) }
        deed(&builder, Self.maria, .joined, at: 2, asOf: -200_000)
        deed(&builder, Self.jonas, .joined, at: 10, asOf: 10)
        deed(&builder, Self.jonas, .done(0), "d", at: 50_000)
        return builder
    }

    private func deed(
        _ builder: inout RecordBuilder,
        _ person: Username,
        _ what: DutyDeed.What,
        _ id: String = "",
        at second: Int64,
        asOf dated: Int64? = nil
    ) {
        let micros = 1_800_000_000_000_000 + (dated ?? second) * 1_000_000
        var deed = DutyDeed(person: person, duty: "triage", what: what, id: id, datedAt: micros)
        (deed.sentAt, deed.answeredAt) = (.seconds(second), .seconds(second + 2))
        builder.record.dutyDeeds.append(deed)
    }

    /// All that has to come, but what `except` names; the ask is told again twice.
    private func tell(_ builder: inout RecordBuilder, except missing: Set<String> = []) {
        let told = [
            ([Self.ended, Self.turn()], 50_003.0, "n1"), ([Self.ahead], 180_030, "n2"), ([Self.due], 266_401, "n3"),
        ]
        for (keys, at, id) in told {
            let keys = keys.filter { !missing.contains($0) }
            if !keys.isEmpty { builder.push(keys, at: at, id: id) }
        }
        guard !missing.contains(Self.due) else { return }
        for (step, at) in [(1, 267_310.0), (2, 270_010)] where !missing.contains("again \(step)") {
            builder.remind(step, at: at, keys: [Self.due], id: "again\(step)")
        }
    }

    private func findings(_ builder: RecordBuilder) -> ReminderFindings { JudgedRun(builder.record).reminders }

    private func wrong(_ builder: RecordBuilder) -> [ViolationRecord.Invariant?] {
        findings(builder).wrong.map(\.invariant)
    }

    @Test func `all in its time is what was expected`() {
        var builder = makeBuilder()
        tell(&builder)
        let found = findings(builder)
        let deadlines = found.due.map { $0.deadline.wholeMilliseconds / 1_000 }.sorted()
        #expect(deadlines == [50_182, 50_182, 180_180, 266_580, 267_481, 270_181])
        #expect(found.due.allSatisfy { !$0.isMissed && !$0.isLate } && found.wrong.isEmpty)
    }

    @Test(arguments: [ended, turn(), ahead, due, "again 1", "again 2"])
    func `what never comes is missed`(key: String) {
        var builder = makeBuilder()
        tell(&builder, except: [key])
        #expect(findings(builder).due.count(where: \.isMissed) == 1 && wrong(builder).isEmpty)
    }

    @Test func `what is due long after the clock was set right is owed unless something was done meanwhile`() {
        func count(from start: Double, until end: Double, _ change: (inout RecordBuilder) -> Void = { _ in }) -> Int {
            var builder = makeBuilder()
            let ahead = FaultEffect.clockStep(.notifier, .hours(2))
            let right = FaultEffect.clockStep(.notifier, .hours(-2))
            builder.fault(.clockStep, id: "ahead", from: start, until: start, effect: ahead)
            builder.fault(.clockStep, id: "right", from: end, until: end, effect: right)
            change(&builder)
            return findings(builder).due.count
        }
        #expect(count(from: 60_000, until: 61_000) == 4)
        #expect(count(from: 60_000, until: 170_000) == 3, "the reminder may be touched, the ask is not")
        #expect(count(from: 49_000, until: 61_000) == 0)
        let muted = PreferenceRecord.Choice.dutyMuted("triage", until: .seconds(62_000))
        #expect(count(from: 60_000, until: 61_000) { $0.choose(muted, at: 60_500) } == 2)
    }

    @Test func `what was told too early is wrong where no clock had been set by then`() {
        func wrong(setAt second: Double) -> Int {
            var builder = makeBuilder()
            builder.push([Self.ahead], at: 100_000, id: "n9")
            builder.fault(.clockStep, id: "clock", from: second, until: second)
            return self.wrong(builder).count
        }
        #expect(wrong(setAt: 100_100) == 1)
        #expect(wrong(setAt: 99_000) == 0)
    }

    @Test func `what comes later is late`() {
        var builder = makeBuilder()
        tell(&builder, except: [Self.ahead])
        builder.push([Self.ahead], at: 180_181, id: "n9")
        #expect(findings(builder).due.count(where: \.isLate) == 1 && wrong(builder).isEmpty)
    }

    @Test func `nothing is owed by the clock to who wants none, or whose turn it is no more`() {
        func count(_ change: (inout RecordBuilder) -> Void) -> Int {
            var builder = makeBuilder()
            change(&builder)
            return findings(builder).due.count
        }
        #expect(count { _ in } == 4, "what was never told is not told again")
        #expect(count { $0.choose(.reminders(false), at: 500) } == 3, "who is asked is asked")
        #expect(count { $0.choose(.dueReminders(false), at: 500) } == 3)
        #expect(count { $0.choose(.denied(Self.jonas), at: 500) } == 2)
        #expect(
            count { deed(&$0, Self.jonas, .skipped(1), "e", at: 180_100) } == 3,
            "of that they hear, and of the next turn"
        )
        let muted = PreferenceRecord.Choice.dutyMuted("triage", until: .seconds(200_000))
        #expect(count { $0.choose(muted, at: 500) } == 1, "the ask comes after its end")
        #expect(count { $0.choose(.dutyMuted("release", until: .seconds(200_000)), at: 500) } == 4)
        #expect(
            count {
                $0.choose(muted, at: 500); $0.choose(.dutyUnmuted("triage"), at: 100_000)
            } == 2
        )
        #expect(
            count {
                $0.choose(muted, at: 500); deed(&$0, Self.maria, .left, at: 600)
            } == 0
        )
        #expect(count { $0.record.deviceSpans = [] } == 0)
        #expect(count { $0.record.downtimes = [Span(from: .seconds(179_000), until: .seconds(267_000))] } == 3)
        #expect(count { $0.fault(.clockStep, id: "clock", from: 1, until: 2) } == 0)
        #expect(count { $0.fault(.clockStep, id: "clock", from: 180_183, until: 180_183) } == 3, "over before")
        #expect(count { $0.fault(.clockStep, id: "clock", from: 180_182, until: 180_182) } == 2)
        let gitlab = FaultEffect.clockStep(.gitlab, .hours(1))
        #expect(count { $0.fault(.clockStep, id: "clock", from: 1, until: 2, effect: gitlab) } == 4)
        let own = FaultEffect.clockStep(.notifier, .hours(1))
        #expect(count { $0.fault(.clockStep, id: "clock", from: 1, until: 2, effect: own) } == 0)
        #expect(count { $0.record.dutyDeeds[2].answeredAt = nil } == 0, "nobody knows whether it was heard")
    }

    @Test(arguments: [
        ("own deed", "duty/o2/end/own", 60_001.0), ("nobody's deed", "duty/o2/end/x", 60_001),
        ("no such turn", "duty/o77/due/5", 60_001), ("not theirs", turn(2), 50_003),
        ("theirs before", turn(3, at: 64_001), 64_003), ("of nothing", turn(1, at: 40_000), 50_003),
    ])
    func `news that is none is wrong`(what: String, key: String, second: Double) {
        var builder = makeBuilder()
        tell(&builder)
        deed(&builder, Self.maria, .done(2), "own", at: 60_000)
        deed(&builder, Self.jonas, .done(4), "his", at: 64_000)
        builder.push([key], at: second, id: "n9")
        #expect(wrong(builder) == [.dutyMistold])
    }

    @Test func `who has left hears nothing`() {
        var builder = makeBuilder()
        tell(&builder, except: [Self.ahead, Self.due])
        deed(&builder, Self.maria, .left, at: 70_000)
        deed(&builder, Self.jonas, .done(4), "e", at: 80_000)
        builder.push(["duty/o4/end/e"], at: 80_003, id: "n8")
        builder.push([Self.ahead], at: 180_010, id: "n9")
        #expect(wrong(builder) == [.dutyMistold, .remindedAfterEnd])
    }

    @Test func `a turn that is over, early, or told before is wrong`() {
        var early = makeBuilder()
        tell(&early, except: [Self.ahead])
        early.push([Self.ahead], at: 179_990, id: "n9")
        #expect(wrong(early) == [.dutyMistold])
        var over = makeBuilder()
        tell(&over, except: [Self.due])
        deed(&over, Self.maria, .done(1), "e", at: 200_000)
        over.push([Self.due], at: 266_401, id: "n9")
        #expect(wrong(over) == [.remindedAfterEnd])
        for key in [Self.ended, Self.turn(), Self.ahead, Self.due] {
            var twice = makeBuilder()
            tell(&twice)
            twice.push([key], at: 270_020, id: "n9")
            #expect(wrong(twice).contains(.remindedTooOften), "\(key)")
        }
    }

    @Test func `who gets a turn back that was due has to be asked for it anew`() {
        var builder = makeBuilder()
        tell(&builder, except: ["again 1", "again 2"])
        deed(&builder, Self.maria, .given(1, to: Self.jonas), "g", at: 266_500)
        deed(&builder, Self.jonas, .given(1, to: Self.maria), "h", at: 267_000)
        func missed(_ builder: RecordBuilder) -> [Username] {
            findings(builder).due.filter { $0.isMissed && $0.why.contains("was due when it came") }.map(\.person)
        }
        #expect(missed(builder) == [Self.maria])
        builder.push([Self.due], at: 267_010, id: "n9")
        #expect(missed(builder).isEmpty && wrong(builder).isEmpty)
        builder.push([Self.due], at: 267_020, id: "n10")
        #expect(wrong(builder) == [.remindedTooOften])
    }

    @Test(arguments: [
        (WorldDuty.Edit(escalates: false), WorldDuty.Edit(escalates: true)),
        (WorldDuty.Edit(minute: 720), WorldDuty.Edit(minute: 600)),
    ])
    func `a slip that is put right asks for the turn anew, unless they put it right themselves`(
        slip: WorldDuty.Edit,
        right: WorldDuty.Edit
    ) {
        func missed(_ builder: RecordBuilder) -> [Username] {
            findings(builder).due.filter { $0.isMissed && $0.why.contains("by a slip") }.map(\.person)
        }
        func make(by person: Username) -> RecordBuilder {
            var builder = makeBuilder()
            tell(&builder, except: ["again 1", "again 2"])
            deed(&builder, Self.jonas, .changed(slip), at: 266_500)
            deed(&builder, person, .changed(right), at: 266_620)
            return builder
        }
        #expect(missed(make(by: Self.maria)).isEmpty)
        var builder = make(by: Self.jonas)
        #expect(missed(builder) == [Self.maria])
        builder.push([Self.due], at: 266_630, id: "n9")
        #expect(missed(builder).isEmpty && wrong(builder).isEmpty)
        builder.push([Self.due], at: 266_640, id: "n10")
        #expect(wrong(builder) == [.remindedTooOften])
    }

    @Test func `a turn that was due is news for who gets it, where the duty asks for nothing`() {
        var builder = makeBuilder { $0.escalates = false }
        tell(&builder, except: [Self.ahead, Self.due])
        deed(&builder, Self.maria, .given(1, to: Self.jonas), "g", at: 100_000)
        deed(&builder, Self.jonas, .given(1, to: Self.maria), "h", at: 270_000)
        func missed(_ builder: RecordBuilder) -> Int {
            findings(builder).due.count { $0.isMissed && $0.why.contains("came to them") }
        }
        #expect(missed(builder) == 1)
        builder.push([Self.turn(1, at: 270_001)], at: 270_003, id: "n9")
        #expect(missed(builder) == 0 && wrong(builder).isEmpty)
    }

    @Test func `what is due at another time is told of by that time`() {
        let moved = ["duty/o1/ahead/1800270000", "duty/o1/due/1800270000"]
        func found(_ told: [(key: String, at: Double)]) -> (missed: Int, wrong: [ViolationRecord.Invariant?]) {
            var builder = makeBuilder()
            deed(&builder, Self.jonas, .changed(WorldDuty.Edit(minute: 660)), at: 100_000)
            tell(&builder, except: [Self.ahead, Self.due])
            for (number, telling) in told.enumerated() {
                builder.push([telling.key], at: telling.at, id: "m\(number)")
            }
            let missed = findings(builder).due.count { $0.isMissed && $0.why.contains("their turn") }
            return (missed, wrong(builder))
        }
        #expect(found([]).missed == 2)
        let right = found([(moved[0], 183_601), (moved[1], 270_001)])
        #expect(right.missed == 0 && right.wrong.isEmpty)
        #expect(found([(Self.ahead, 180_030)]).wrong == [.dutyMistold], "as if nobody had changed it")
        #expect(found([(moved[0], 180_030)]).wrong == [.dutyMistold], "too early")
    }

    @Test func `by a change of which nobody can tell it may come at another time`() {
        var builder = makeBuilder()
        builder.push([Self.ahead], at: 100_020, id: "n9")
        deed(&builder, Self.jonas, .changed(WorldDuty.Edit(minute: 660)), at: 100_000)
        #expect(wrong(builder) == [.dutyMistold], "too early")
        deed(&builder, Self.maria, .changed(WorldDuty.Edit(minute: 720)), at: 100_001)
        #expect(wrong(builder).isEmpty, "which of the two stands is unknown")
    }

    @Test func `with another time of day the ask is over`() {
        var builder = makeBuilder()
        tell(&builder, except: ["again 1", "again 2"])
        deed(&builder, Self.jonas, .changed(WorldDuty.Edit(minute: 720)), at: 267_000)
        #expect(wrong(builder).isEmpty)
        builder.remind(1, at: 267_310, keys: [Self.due], id: "again1")
        #expect(wrong(builder) == [.remindedAfterEnd])
    }

    @Test func `what is told again after somebody did it is wrong`() {
        var builder = makeBuilder()
        tell(&builder, except: ["again 2"])
        deed(&builder, Self.jonas, .done(1), "e", at: 268_000)
        #expect(wrong(builder).isEmpty)
        tell(&builder, except: [Self.ended, Self.turn(), Self.ahead, "again 1"])
        #expect(wrong(builder).contains(.remindedAfterEnd))
    }

    @Test(arguments: [([ended, turn()], 50_003.0, 2), ([ahead], 180_031, 1), ([due], 266_431, 1)])
    func `what comes of a duty that its reader had muted from before it is wrong`(
        keys: [String],
        at: Double,
        count: Int
    ) {
        func found(_ choice: PreferenceRecord.Choice, chosenAt second: Double = 500) -> [ViolationRecord.Invariant?] {
            var builder = makeBuilder()
            builder.choose(choice, at: second)
            builder.push(keys, at: at, id: "n9")
            return wrong(builder)
        }
        let whole = Duration.seconds(300_000)
        #expect(found(.dutyMuted("triage", until: whole)) == Array(repeating: .dutyMistold, count: count))
        #expect(found(.dutyMuted("release", until: whole)).isEmpty)
        #expect(found(.dutyMuted("triage", until: .seconds(Int64(at)))).isEmpty, "it ended just then")
        #expect(found(.dutyMuted("triage", until: whole), chosenAt: at - 2).isEmpty, "it may have been on its way")
    }

    @Test func `with a mute the ask is over, and is not told again`() {
        var builder = makeBuilder()
        tell(&builder, except: ["again 1", "again 2"])
        builder.choose(.dutyMuted("triage", until: .seconds(400_000)), at: 267_000)
        #expect(findings(builder).due.allSatisfy { !$0.isMissed } && wrong(builder).isEmpty)
        builder.remind(1, at: 267_310, keys: [Self.due], id: "again1")
        #expect(wrong(builder) == [.remindedAfterEnd])
    }

    @Test func `quiet hours hold it back, and nobody is told within them`() {
        let hours = QuietHours(zone: .utc, weekdays: Array(1...7), from: 540, until: 720, letsUrgentThrough: false)
        var builder = makeBuilder()
        builder.choose(.quietHours(hours), at: 500)
        let held = findings(builder).due.map { $0.deadline.wholeMilliseconds / 1_000 }
        // At noon, and not at ten.
        #expect(held.contains(180_180 + 7_200) && held.contains(266_580 + 7_200))
        builder.push([Self.ahead], at: 180_001, id: "n9")
        #expect(wrong(builder) == [.notifiedInQuietHours])
    }

    @Test func `a push says which turn it is, and when that is due on the clocks of the duty`() throws {
        func found(
            _ occurrence: String = "o1",
            dueAt: String = "2027-01-18T10:00:00.000Z",
            _ text: String = "Due 2027-01-18 11:00 (Europe/Berlin)"
        ) throws -> Int {
            var builder = makeBuilder {
                $0.zone = .berlin
                $0.minute = 660
            }
            tell(&builder)
            let place = try #require(builder.record.pushes.firstIndex { $0.content?.factKeys == [Self.due] })
            var label = PushLabel(type: "duty", actionType: "duty_due", actor: nil, count: 1)
            label.turn = TurnContent(occurrence: occurrence, dueAt: dueAt)
            builder.record.pushes[place].content?.label = label
            builder.record.pushes[place].content?.title = "triage is due"
            builder.record.pushes[place].content?.text = text
            return wrong(builder).count
        }
        #expect(try found() == 0)
        #expect(try found("o2") == 1)
        #expect(try found(dueAt: "2027-01-18T11:00:00.000Z") == 1)
        #expect(try found("o1", "Due 2027-01-18 10:00 (Europe/Berlin)") == 1)
    }

    @Test func `a push says which duty, what happened and who did it`() {
        func found(_ title: String, _ action: String) -> Int {
            var builder = makeBuilder()
            tell(&builder, except: [Self.ended, Self.turn()])
            builder.push([Self.turn(), Self.ended], at: 50_003, id: "n1")
            let last = builder.record.pushes.count - 1
            builder.record.pushes[last].content?.title = title
            builder.record.pushes[last].content?.label = PushLabel(
                type: "duty",
                actionType: action,
                actor: nil,
                count: 2
            )
            return wrong(builder).count
        }
        #expect(found("@jonas has done it: triage", "duty_done") == 0)
        #expect(found("@jonas has done it", "duty_done") == 1)
        #expect(found("@tom has done it: triage", "duty_done") == 1)
        #expect(found("@jonas left it out: triage", "duty_skipped") == 1)
    }
}
