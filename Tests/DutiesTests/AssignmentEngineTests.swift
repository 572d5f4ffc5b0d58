import Testing

@testable import Duties

struct AssignmentEngineTests {
    private static let day: Int64 = 86_400
    /// Just before the first occurrence of `makeDuty`, which is due at nine on the second of March.
    private static let start: Int64 = 1_772_438_400

    @Test func `people take turns in their order`() {
        #expect(turns(makeDuty(makeMembers(3)), count: 7) == [1, 2, 3, 1, 2, 3, 1])
        #expect(turns(makeDuty(makeMembers(1)), count: 3) == [1, 1, 1])
        #expect(turns(makeDuty([]), count: 3) == [0, 0, 0])
        #expect(turns(makeDuty(makeMembers(3).reversed()), count: 4) == [1, 2, 3, 1])
    }

    @Test func `a fixed duty is the first one's who is there`() {
        var members = makeMembers(3)
        #expect(turns(makeDuty(members, mode: .fixed), count: 3) == [1, 1, 1])
        members[0].leftAt = Self.start + Self.day + 3_600
        #expect(turns(makeDuty(members, mode: .fixed), count: 4) == [1, 1, 2, 2])
    }

    @Test func `who does what is another's comes later for it, and the other sooner`() {
        var history = History()
        history.end(0, by: 3, at: Self.start, event: 2_000)
        #expect(turns(makeDuty(makeMembers(3)), history.events, count: 6) == [3, 1, 2, 3, 1, 2])
    }

    @Test func `what is given away by hand is the other's turn, until it is given on`() {
        var history = History()
        history.give(1, to: 1, at: Self.start, event: 2_000)
        let duty = makeDuty(makeMembers(3))
        #expect(turns(duty, history.events, count: 6) == [1, 1, 2, 3, 1, 2])
        history.give(1, to: 3, at: Self.start + 1, event: 2_001)
        #expect(turns(duty, history.events, count: 6) == [1, 3, 2, 1, 3, 2])
        let second = AssignmentEngine(duty: duty, events: history.events, zone: ListedZone.berlin)
            .occurrences(before: .max)[1]
        #expect(second.status == .reassigned && second.decision == EventStamp(at: Self.start + 1, id: makeID(2_001)))
    }

    @Test func `what is left out passes the turn once`() {
        var history = History()
        history.end(1, by: 1, .skip, at: Self.start, event: 2_000)
        let duty = makeDuty(makeMembers(3))
        #expect(turns(duty, history.events, count: 6) == [1, 2, 3, 1, 2, 3])
        let occurrences = AssignmentEngine(duty: duty, events: history.events, zone: ListedZone.berlin)
            .occurrences(before: .max)
        #expect(occurrences[1].status == .skipped && occurrences[2].status == .pending)
    }

    @Test func `who joins comes after all the others, and who leaves is passed over`() {
        var members = makeMembers(3)
        members[2].joinedAt = Self.start + Self.day
        #expect(turns(makeDuty(members), count: 7) == [1, 2, 1, 3, 2, 1, 3])
        members[0].leftAt = Self.start + 3 * Self.day
        #expect(turns(makeDuty(members), count: 7) == [1, 2, 1, 3, 2, 3, 2])
    }

    @Test func `who leaves at the very instant has no turn, who joins then has`() {
        let due = Self.start
        var members = makeMembers(2)
        members[0].leftAt = due
        #expect(turns(makeDuty(members), count: 2) == [2, 2])
        members[0].leftAt = due + 1
        #expect(turns(makeDuty(members), count: 2) == [1, 2])
        members[1].joinedAt = due
        members[0].leftAt = nil
        #expect(turns(makeDuty(members), count: 3) == [1, 2, 1])
    }

    @Test func `what was given to somebody who has left by then goes by the rotation`() {
        var members = makeMembers(3)
        members[2].leftAt = Self.start + Self.day
        var history = History()
        history.give(1, to: 3, at: Self.start - 100, event: 2_000)
        #expect(turns(makeDuty(members), history.events, count: 4) == [1, 2, 1, 2])
        let second = AssignmentEngine(duty: makeDuty(members), events: history.events, zone: ListedZone.berlin)
            .occurrences(before: .max)[1]
        #expect(second.status == .pending)
    }

    @Test func `of two ends the earlier stands, and what was given away after it says nothing`() {
        var history = History()
        history.end(0, by: 2, at: Self.start + 60, event: 2_000)
        history.end(0, by: 3, .skip, at: Self.start + 30, event: 2_001)
        history.give(0, to: 3, at: Self.start + 40, event: 2_002)
        let first = AssignmentEngine(duty: makeDuty(makeMembers(3)), events: history.events, zone: ListedZone.berlin)
            .occurrences(before: .max)[0]
        #expect(first.status == .skipped && first.assignee == makeID(1) && first.decision?.id == makeID(2_001))
        history.give(0, to: 3, at: Self.start + 29, event: 2_003)
        #expect(turns(makeDuty(makeMembers(3)), history.events, count: 4) == [3, 1, 2, 3])
    }

    @Test func `due at nine before and after the clocks change`() {
        let occurrences = AssignmentEngine(
            duty: makeDuty(makeMembers(2), start: "2026-03-28"),
            events: DutyEvents(),
            zone: ListedZone.berlin
        ).occurrences(before: 1_774_767_601)
        #expect(occurrences.map(\.dueAt) == [1_774_684_800, 1_774_767_600])
    }

    @Test func `who begins where the history was cut comes to the same`() {
        var history = History()
        history.end(4, by: 3, at: Self.start + 4 * Self.day, event: 2_000)
        history.end(12, by: 1, at: Self.start + 12 * Self.day, event: 2_001)
        var duty = makeDuty(makeMembers(4))
        let whole = AssignmentEngine(duty: duty, events: history.events, zone: ListedZone.berlin)
        let end = Self.start + 40 * Self.day
        duty.base = whole.base(before: Self.start + 9 * Self.day)
        #expect(duty.base.nextIndex == 9)
        let rest = AssignmentEngine(duty: duty, events: history.events, zone: ListedZone.berlin)
        #expect(rest.occurrences(before: end) == Array(whole.occurrences(before: end).dropFirst(9)))
        // Not because it does not matter where a rotation begins.
        duty.base.queue.reverse()
        let other = AssignmentEngine(duty: duty, events: history.events, zone: ListedZone.berlin)
        #expect(other.occurrences(before: end) != rest.occurrences(before: end))
    }

    @Test func `so many are computed at once`() {
        let engine = AssignmentEngine(duty: makeDuty(makeMembers(2)), events: DutyEvents(), zone: ListedZone.utc)
        #expect(engine.occurrences(before: .max).count == 1_000)
        #expect(engine.occurrences(before: Self.start).isEmpty)
    }
}
