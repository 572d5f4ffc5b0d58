import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// Whose turn it is, told from what people did.
struct DutyTruthTests {
    private static let (maria, jonas, tom) = (RecordBuilder.maria, RecordBuilder.jonas, RecordBuilder.tom)
    /// A Monday.
    private static let start = CivilDate(year: 2026, month: 3, day: 23, hour: 6).wallTime()

    private static func duty(
        _ rhythm: WorldDuty.Rhythm = .everyDays(1),
        zone: QuietHours.Zone = .utc,
        mode: WorldDuty.Mode = .alternate
    ) -> WorldDuty {
        WorldDuty(
            name: "triage",
            members: [maria, jonas],
            rhythm: rhythm,
            start: CivilDate(year: 2026, month: 3, day: 23),
            minute: 600,
            zone: zone,
            mode: mode
        )
    }

    /// Something that was done at an hour, and heard of a second later unless said otherwise.
    private static func deed(
        _ person: Username,
        _ what: DutyDeed.What,
        hour: Int,
        id: String = "",
        sentAtHour: Int? = nil
    ) -> DutyDeed {
        let dated = start.advanced(by: .hours(hour) + .milliseconds(500))
        var deed = DutyDeed(person: person, duty: "triage", what: what, id: id, datedAt: dated.microseconds)
        deed.sentAt = .hours(sentAtHour ?? hour) + .milliseconds(600)
        deed.answeredAt = .hours(sentAtHour ?? hour) + .milliseconds(900)
        return deed
    }

    private static let joined = [deed(maria, .joined, hour: -30), deed(jonas, .joined, hour: 0)]

    /// Such as `MJMJ`, with `+` behind what was done, `-` left out, `>` given away.
    private static func line(_ deeds: [DutyDeed], _ duty: WorldDuty = duty(), atHour hour: Int = 700) -> String? {
        let truth = DutyTruth(duty, deeds, start: start)
        return truth.turns(at: .hours(hour), grace: .seconds(60), count: 6)?.map { turn in
            let sign =
                switch turn.status {
                case .pending: ""
                case .completed: "+"
                case .skipped: "-"
                case .reassigned: ">"
                }
            return (turn.assignee?.text.prefix(1).uppercased() ?? "_") + sign
        }.joined()
    }

    @Test func `people take turns, and whoever stands in comes later`() {
        #expect(Self.line(Self.joined) == "MJMJMJ")
        let stoodIn = Self.deed(Self.jonas, .done(0), hour: 1, id: "a")
        #expect(Self.line(Self.joined + [stoodIn]) == "J+MJMJM")
        let left = Self.deed(Self.maria, .skipped(0), hour: 1, id: "a")
        #expect(Self.line(Self.joined + [left]) == "M-JMJMJ")
        let given = Self.deed(Self.maria, .given(2, to: Self.jonas), hour: 1, id: "a")
        #expect(Self.line(Self.joined + [given]) == "MJJ>MJM")
        #expect(Self.line(Self.joined + [stoodIn], Self.duty(mode: .fixed)) == "J+MMMMM")
    }

    @Test func `whoever ends a duty lets nobody have a turn after it, nor take part`() {
        var stopped = Self.deed(Self.maria, .stopped, hour: 60)
        #expect(Self.line(Self.joined + [stopped]) == "MJM___")
        let deeds = Self.joined + [stopped]
        #expect(deeds.lastMembership(of: Self.jonas)?.what == .stopped)
        let memberships = DutyTruth.memberships(in: deeds)
        for person in [Self.maria, Self.jonas] {
            let standing = { (hour: Int) in
                memberships[person]?.standing(from: .hours(hour), until: .hours(hour), last: .hours(hour))
            }
            #expect(standing(50) == .on && standing(61) == .off)
        }
        stopped.isRefused = true
        #expect(Self.line(Self.joined + [stopped]) == "MJMJMJ")
        #expect((Self.joined + [stopped]).lastMembership(of: Self.jonas)?.what == .joined)
    }

    @Test func `an end that a device kept ends it for whoever came before it was heard of`() {
        let tom = Self.deed(Self.tom, .joined, hour: 65)
        let kept = Self.deed(Self.maria, .stopped, hour: 60, sentAtHour: 70)
        #expect(Self.line(Self.joined + [kept, tom]) == "MJM___")
        let told = Self.deed(Self.maria, .stopped, hour: 60)
        #expect(Self.line(Self.joined + [told, tom]) == "MJMTTT", "he came afterwards")
    }

    @Test func `the first of two ends stands, whoever was heard first`() {
        let late = Self.deed(Self.jonas, .done(0), hour: 2, id: "b", sentAtHour: 50)
        let early = Self.deed(Self.maria, .skipped(0), hour: 3, id: "a")
        #expect(Self.line(Self.joined + [early, late]) == "J+MJMJM")
        let same = Self.deed(Self.maria, .skipped(0), hour: 2, id: "a")
        #expect(Self.line(Self.joined + [same, late]) == "M-JMJMJ")
    }

    @Test func `a clock that runs ahead leaves open what it leaves open`() {
        var ahead = Self.deed(Self.jonas, .done(1), hour: 9, id: "a", sentAtHour: 3)
        ahead.answeredAt = .hours(4)
        #expect(Self.line(Self.joined + [ahead]) == "MJ+MJMJ")
        let between = Self.deed(Self.maria, .skipped(1), hour: 3, id: "b", sentAtHour: 5)
        #expect(Self.line(Self.joined + [ahead, between]) == "M")
    }

    @Test func `nothing is said while something is on its way`() {
        var deed = Self.deed(Self.jonas, .done(0), hour: 2, id: "a")
        deed.answeredAt = nil
        #expect(Self.line(Self.joined + [deed]) == nil)
        deed.sentAt = nil
        #expect(Self.line(Self.joined + [deed]) == "MJMJMJ")
        var late = Self.deed(Self.jonas, .done(0), hour: 2, id: "a", sentAtHour: 699)
        late.answeredAt = .hours(700) - .seconds(30)
        #expect(Self.line(Self.joined + [late]) == nil)
        deed.isRefused = true
        (deed.sentAt, deed.answeredAt) = (.hours(2), .hours(2))
        #expect(Self.line(Self.joined + [deed]) == "MJMJMJ")
    }

    @Test func `only what went in the same envelopes was surely brought at once, whatever the instants`() {
        func areOne(
            _ envelopes: [[Int]],
            by others: Username = Self.jonas,
            after delay: Duration = .milliseconds(1)
        ) -> [Bool] {
            let deeds = envelopes.enumerated().map { index, envelopes in
                var deed = Self.deed(index == 0 ? Self.jonas : others, .done(index), hour: 2, id: "\(index)")
                deed.answeredAt = deed.sentAt.map { $0 + delay }
                deed.envelopes = envelopes
                return deed
            }
            #expect(DutyTruth.arrivals(of: [deeds[0]]).map(\.isOne) == [true])
            return DutyTruth.arrivals(of: deeds).map(\.isOne)
        }
        #expect(areOne([[7], [7]]) == [true])
        #expect(areOne([[7], [7]], after: .zero) == [true])
        #expect(areOne([[7, 9], [7, 9]]) == [true], "both came with the first or with the second")
        #expect(areOne([[7], [8]]) == [false])
        #expect(areOne([[7, 9], [9]]) == [false], "one may have come with the first")
        #expect(areOne([[], []]) == [false], "each was asked for by itself, at the same time")
        #expect(areOne([[7], [7]], by: Self.maria) == [false])
    }

    @Test func `of two changes at the same instants the later stands, if one envelope brought both`() {
        func line(_ envelopes: [[Int]]) -> String? {
            let modes: [WorldDuty.Mode] = [.alternate, .fixed]
            let edits = zip(modes, envelopes).map { mode, envelopes in
                var deed = Self.deed(Self.jonas, .changed(WorldDuty.Edit(mode: mode)), hour: 3)
                deed.envelopes = envelopes
                return deed
            }
            return Self.line(Self.joined + edits)
        }
        #expect(line([[7], [7]]) == "MMMMMM")
        #expect(line([[7], [8]]) == "")
    }

    @Test func `who joins comes last, who leaves is passed over, who comes back is somebody new`() {
        let tom = Self.deed(Self.tom, .joined, hour: 30)
        #expect(Self.line(Self.joined + [tom]) == "MJMJTM")
        let gone = Self.deed(Self.jonas, .left, hour: 3)
        #expect(Self.line(Self.joined + [gone]) == "MMMMMM")
        let back = Self.deed(Self.jonas, .joined, hour: 40)
        #expect(Self.line(Self.joined + [gone, back]) == "MMMJMJ")
        // What he had done ahead is his former self's.
        let ahead = Self.deed(Self.jonas, .done(4), hour: 2, id: "a")
        #expect(Self.line(Self.joined + [ahead, gone, back]) == "MMMJJ+M")
    }

    @Test func `the later of two changes stands, whoever was heard first`() {
        let fixed = Self.deed(Self.jonas, .changed(WorldDuty.Edit(mode: .fixed)), hour: 3)
        #expect(Self.line(Self.joined + [fixed]) == "MMMMMM")
        let early = Self.deed(Self.maria, .changed(WorldDuty.Edit(mode: .alternate)), hour: 2, sentAtHour: 50)
        #expect(Self.line(Self.joined + [early, fixed]) == "MMMMMM")
        let late = Self.deed(Self.maria, .changed(WorldDuty.Edit(mode: .alternate)), hour: 4)
        #expect(Self.line(Self.joined + [fixed, late]) == "MJMJMJ")
        let same = Self.deed(Self.maria, .changed(WorldDuty.Edit(mode: .alternate)), hour: 3, sentAtHour: 50)
        #expect(Self.line(Self.joined + [same, fixed]) == "", "of one second nobody can tell")
        var refused = fixed
        refused.isRefused = true
        #expect(Self.line(Self.joined + [refused]) == "MJMJMJ")
    }

    @Test func `what changes about a duty counts from its answer on`() throws {
        let edit = WorldDuty.Edit(minute: 660, leadHours: 3, escalates: true)
        let deeds = Self.joined + [Self.deed(Self.jonas, .changed(edit), hour: 3)]
        let truth = DutyTruth(Self.duty(), deeds, start: Self.start)
        let before = try #require(truth.version(at: .hours(2)))
        let after = try #require(truth.version(at: .hours(4)))
        #expect(after.dueAt(0) - before.dueAt(0) == 3_600)
        #expect(before.remindAt(0) == nil && after.remindAt(0) == after.dueAt(0) - 3 * 3_600)
        #expect(!before.asks(for: 0, dueAt: before.dueAt(0)) && after.asks(for: 0, dueAt: after.dueAt(0)))
        #expect(!after.asks(for: 0, dueAt: before.dueAt(0)))
        for (hour, isKnown) in [(2.0, false), (3, false), (4, true)] {
            var builder = RecordBuilder()
            builder.fault(.clockStep, id: "clock", from: hour * 3_600, until: hour * 3_600)
            let set = DutyTruth(Self.duty(), deeds, start: Self.start, clocks: ClockReach(builder.record))
            #expect((set.version(at: .hours(5)) != nil) == isKnown)
        }
    }

    @Test func `who takes part by name has turns like everybody`() {
        let added = Self.deed(Self.maria, .added(Self.tom), hour: 3)
        #expect(Self.line(Self.joined + [added]) == "MJTMJT")
        let gone = Self.deed(Self.jonas, .removed(Self.tom), hour: 30)
        #expect(Self.line(Self.joined + [added, gone]) == "MJMJMJ")
        #expect(DutyTruth.memberships(in: Self.joined + [added, gone])[Self.tom] == nil)
    }

    @Test func `days follow the rhythm and the zone's clocks`() {
        let truth = DutyTruth(Self.duty(.weekdays([2, 5], everyWeeks: 2), zone: .berlin), [], start: Self.start)
        let days = (0..<4).map { CivilDate(WallTime(secondsSinceEpoch: truth.dueAt($0))) }
        #expect(days.map(\.day) == [24, 27, 7, 10] && days.map(\.hour) == [9, 9, 8, 8])
        #expect(DutyTruth(Self.duty(.everyDays(3)), [], start: Self.start).dueAt(2) - truth.dueAt(0) > 0)
    }
}
