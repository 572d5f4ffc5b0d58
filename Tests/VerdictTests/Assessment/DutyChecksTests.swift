import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// What a record says of duties that must never be.
struct DutyChecksTests {
    private static let (maria, jonas) = (RecordBuilder.maria, RecordBuilder.jonas)

    /// Two people who take turns; Maria has done the first, which Jonas' device shows.
    private static func record(_ change: (inout DutyLook) -> Void = { _ in }) -> RunRecord {
        var world = RecordBuilder.makeWorld()
        let start = CivilDate(WallTime(secondsSinceEpoch: 1_800_000_000).advanced(by: .days(2)))
        world.duties = [
            WorldDuty(
                name: "triage",
                members: [maria, jonas],
                rhythm: .everyDays(1),
                start: CivilDate(year: start.year, month: start.month, day: start.day),
                minute: 600,
                zone: .utc,
                mode: .alternate
            )
        ]
        var record = RecordBuilder(world: world).record
        for (person, what, id) in [(maria, DutyDeed.What.joined, ""), (jonas, .joined, ""), (maria, .done(0), "d")] {
            let at = Int64(record.dutyDeeds.count * 10)
            let dated = record.resolved.scenario.start.advanced(by: .seconds(at))
            var deed = DutyDeed(person: person, duty: "triage", what: what, id: id, datedAt: dated.microseconds)
            (deed.sentAt, deed.answeredAt) = (.seconds(at + 1), .seconds(at + 2))
            record.dutyDeeds.append(deed)
        }
        var look = DutyLook(
            person: jonas,
            device: RecordBuilder.phone,
            duty: "triage",
            at: .seconds(600),
            settledAt: .seconds(60)
        )
        look.until = .seconds(900)
        look.turns = (0..<20).map {
            DutyLook.Turn(index: $0, assignee: $0 % 2 == 0 ? maria : jonas, status: $0 == 0 ? .completed : .pending)
        }
        (look.told, look.events) = (look.turns, ["d"])
        change(&look)
        record.dutyLooks.append(look)
        return record
    }

    private static func found(_ record: RunRecord) -> [ViolationRecord.Invariant] {
        DutyChecks(record).violations().map(\.invariant)
    }

    @Test func `what is as it must be breaks nothing`() { #expect(Self.found(Self.record()).isEmpty) }

    @Test(arguments: ["turns", "told", "nothing"])
    func `other turns than the true ones are told`(what: String) {
        let record = Self.record { look in
            switch what {
            case "turns": look.turns[3].assignee = Self.maria
            case "told": look.told[3].status = .skipped
            default: (look.turns, look.told) = ([], [])
            }
        }
        #expect(Self.found(record).contains(.dutyTurnsDiffer))
    }

    @Test func `another instant than the one at which a turn is due is told`() {
        let due = (Int64(1_800_000_000) / 86_400 + 2) * 86_400 + 36_000
        #expect(Self.found(Self.record { ($0.dueAt, $0.toldDueAt) = ([due, due + 86_400], [due]) }).isEmpty)
        #expect(Self.found(Self.record { $0.dueAt = [due, due + 86_401] }) == [.dutyTurnsDiffer])
        #expect(Self.found(Self.record { $0.toldDueAt = [due - 3_600] }) == [.dutyTurnsDiffer])
    }

    @Test func `a device has a minute, from when it can know`() {
        let stale = { (look: inout DutyLook) in
            look.turns = look.turns.map { DutyLook.Turn(index: $0.index, assignee: $0.assignee, status: .pending) }
            (look.told, look.events) = (look.turns, [])
        }
        let early = Self.record { look in
            stale(&look)
            (look.from, look.until, look.settledAt) = (.seconds(25), .seconds(80), .zero)
        }
        #expect(Self.found(early).isEmpty)
        let opened = Self.record { look in
            stale(&look)
            (look.from, look.until, look.settledAt) = (.seconds(600), .seconds(650), .seconds(600))
        }
        #expect(Self.found(opened).isEmpty)
        #expect(Self.found(Self.record(stale)) == [.dutyChangeLost])
    }

    @Test func `an answered change that a device lacks is lost`() {
        #expect(Self.found(Self.record { $0.events = [] }) == [.dutyChangeLost])
    }

    @Test func `whoever does not take part is shown nothing`() {
        var record = Self.record()
        record.dutyDeeds.remove(at: 1)
        #expect(Self.found(record) == [.dutyTurnsDiffer])
    }

    @Test(arguments: [(8, false), (30, true)])
    func `who came before an end was heard of takes part no more`(heardAt: Int, isOver: Bool) {
        var record = Self.record { ($0.turns, $0.told) = ([], []) }
        let dated = record.resolved.scenario.start.advanced(by: .seconds(5))
        var stop = DutyDeed(person: Self.maria, duty: "triage", what: .stopped, id: "", datedAt: dated.microseconds)
        (stop.sentAt, stop.answeredAt) = (.seconds(heardAt - 1), .seconds(heardAt))
        record.dutyDeeds.insert(stop, at: 1)
        #expect(Self.found(record) == (isOver ? [] : [.dutyTurnsDiffer]))
    }

    @Test func `where the notifier's clock was set nobody can tell since when somebody takes part`() {
        var record = Self.record { $0.turns[3].assignee = Self.maria }
        record.faults.append(
            FaultRecord(
                id: Fixture.entry("clock"),
                kind: .clockOffset,
                span: Span(from: .seconds(1), until: .seconds(2))
            )
        )
        #expect(Self.found(record).isEmpty)
        record.faults[0].span = Span(from: .seconds(902), until: .seconds(902))
        #expect(Self.found(record).isEmpty, "the look may have lasted until then")
        record.faults[0].span = Span(from: .seconds(903), until: .seconds(903))
        #expect(Self.found(record).contains(.dutyTurnsDiffer))
    }

    @Test func `of what was due a year ago a device need know nothing, and of everything since all`() {
        let due = (Int64(1_800_000_000) / 86_400 + 2) * 86_400 + 36_000
        func found(
            from first: Int,
            _ change: (inout DutyLook) -> Void = { _ in }
        ) -> [ViolationRecord.Invariant] {
            Self.found(
                Self.record { look in
                    (look.from, look.until, look.settledAt) = (.days(378), .days(378) + .seconds(60), .days(377))
                    look.turns = look.turns.filter { $0.index >= first }
                    (look.told, look.events) = (look.turns, [])
                    look.dueAt = look.turns.map { due + Int64($0.index) * 86_400 }
                    change(&look)
                }
            )
        }
        #expect(found(from: 5).isEmpty)
        #expect(found(from: 5) { $0.told[3].assignee = nil } == [.dutyTurnsDiffer])
        #expect(found(from: 5) { $0.dueAt[3] += 60 } == [.dutyTurnsDiffer])
        #expect(found(from: 0) == [.dutyChangeLost], "what is shown is known")
        #expect(found(from: 17) { $0.events = ["d"] } == [.dutyTurnsDiffer], "it was forgotten too early")
    }

    @Test func `what is over stays so`() {
        var record = Self.record()
        var later = record.dutyLooks[0]
        (later.from, later.until) = (.seconds(1_000), .seconds(1_000))
        later.turns[0].status = .reassigned
        record.dutyLooks.append(later)
        #expect(Self.found(record).contains(.dutyUndone))
    }

    @Test func `a device that need not have heard of another hour shows turns by the former one`() {
        func isUnfair(
            sentAt: Duration = .seconds(800),
            answeredAt: Duration?,
            settledAt: Duration = .seconds(60)
        ) -> Bool {
            var record = Self.record { look in
                for index in 5..<8 { look.turns[index].assignee = Self.maria }
                look.settledAt = settledAt
            }
            let edit = DutyDeed.What.changed(WorldDuty.Edit(minute: 660))
            let dated = record.resolved.scenario.start.advanced(by: sentAt)
            var deed = DutyDeed(
                person: Self.maria,
                duty: "triage",
                what: edit,
                id: "e",
                datedAt: dated.microseconds
            )
            (deed.sentAt, deed.answeredAt) = (sentAt, answeredAt)
            record.dutyDeeds.append(deed)
            return Self.found(record).contains(.dutyUnfair)
        }
        #expect(isUnfair(answeredAt: .seconds(801)))
        #expect(!isUnfair(sentAt: .seconds(890), answeredAt: .seconds(895)))
        #expect(!isUnfair(answeredAt: nil))
        #expect(!isUnfair(answeredAt: .seconds(801), settledAt: .seconds(850)))
        #expect(isUnfair(sentAt: .seconds(901), answeredAt: .seconds(902)), "it was made after the last look")
    }

    @Test func `two turns more than another's are told`() {
        let record = Self.record { look in
            for index in 5..<8 { look.turns[index].assignee = Self.maria }
        }
        #expect(Self.found(record).contains(.dutyUnfair))
        let alone = Self.record { look in
            for index in 1..<20 { look.turns[index].assignee = Self.maria }
        }
        #expect(Self.found(alone).contains(.dutyUnfair), "who takes part and never has a turn")
    }
}
