import Testing

@testable import Duties

struct DutyMergePolicyTests {
    @Test func `the later change of a duty stands, and of one instant that of the larger device`() {
        let early = RowStamp(at: 10, by: "z/1")
        let late = RowStamp(at: 20, by: "a/1")
        #expect(DutyMergePolicy.takes(late, over: early) && !DutyMergePolicy.takes(early, over: late))
        #expect(DutyMergePolicy.takes(early, over: nil) && DutyMergePolicy.takes(early, over: early))
        let tie = RowStamp(at: 10, by: "z/2")
        #expect(DutyMergePolicy.takes(tie, over: early) && !DutyMergePolicy.takes(early, over: tie))
        // By bytes, not by what a language holds to be equal or smaller.
        #expect(RowStamp(at: 10, by: "e\u{301}") < RowStamp(at: 10, by: "\u{e9}"))
    }

    @Test func `a clock that runs ahead counts as the arrival`() {
        #expect(DutyMergePolicy.clamped(200, receivedAt: 100) == 100)
        #expect(DutyMergePolicy.clamped(50, receivedAt: 100) == 50)
    }

    @Test func `an id that says something else is refused`() {
        var events = DutyEvents()
        let occurrence = Occurrence.id(of: makeID(1_000), index: 0)
        let done = Completion(id: makeID(1), occurrence: occurrence, by: makeID(2), at: 5, kind: .done, note: "a")
        #expect(events.take(done) == .added)
        #expect(events.take(done) == .known)
        var other = done
        other.note = "b"
        #expect(events.take(other) == .refused)
        let gift = Reassignment(id: makeID(1), occurrence: occurrence, to: makeID(3), by: makeID(2), at: 4)
        #expect(events.take(gift) == .refused)
        #expect(events.end(of: occurrence) == done)
    }

    /// Any two copies that two devices may have of one occurrence.
    private func makeCopies(_ seed: UInt64) -> [Occurrence] {
        var numbers = SeededNumbers(state: seed)
        return (0..<6).map { _ in
            let status = Occurrence.Status.allCases[numbers.below(4)]
            return Occurrence(
                duty: makeID(1_000),
                index: 3,
                dueAt: Int64(numbers.below(2)),
                assignee: numbers.below(3) == 0 ? nil : makeID(numbers.below(3)),
                status: status,
                decision: status == .pending
                    ? nil : EventStamp(at: Int64(numbers.below(3)), id: makeID(numbers.below(3)))
            )
        }
    }

    @Test func `copies come to one whatever the order, and however often they meet`() {
        for seed: UInt64 in 0..<2_000 {
            let copies = makeCopies(seed)
            guard let first = copies.first else { continue }
            let expected = copies.dropFirst().reduce(first, DutyMergePolicy.merged)
            var numbers = SeededNumbers(state: seed &+ 77)
            for _ in 0..<4 {
                let order = numbers.reordered(copies + numbers.reordered(copies).prefix(3))
                let merged = order.dropFirst().reduce(order[0], DutyMergePolicy.merged)
                #expect(merged == expected, "seed \(seed)")
            }
            // Also in pairs first.
            let pairs = stride(from: 0, to: 6, by: 2).map { DutyMergePolicy.merged(copies[$0], copies[$0 + 1]) }
            #expect(DutyMergePolicy.merged(pairs[0], DutyMergePolicy.merged(pairs[1], pairs[2])) == expected)
        }
    }

    @Test func `what ended stays so, and the first end stands`() {
        func copy(_ status: Occurrence.Status, at: Int64) -> Occurrence {
            let decision = status == .pending ? nil : EventStamp(at: at, id: makeID(Int(at)))
            return Occurrence(
                duty: makeID(1_000),
                index: 0,
                dueAt: 9,
                assignee: makeID(1),
                status: status,
                decision: decision
            )
        }
        for other in [copy(.pending, at: 99), copy(.reassigned, at: 99), copy(.skipped, at: 50)] {
            #expect(DutyMergePolicy.merged(copy(.completed, at: 40), other).status == .completed)
            #expect(DutyMergePolicy.merged(other, copy(.completed, at: 40)).status == .completed)
        }
        #expect(DutyMergePolicy.merged(copy(.skipped, at: 30), copy(.completed, at: 40)).status == .skipped)
        #expect(DutyMergePolicy.merged(copy(.reassigned, at: 30), copy(.reassigned, at: 40)).decision?.at == 40)
        #expect(DutyMergePolicy.merged(copy(.reassigned, at: 30), copy(.pending, at: 0)).status == .reassigned)
    }
}
