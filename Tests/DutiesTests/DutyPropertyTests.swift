import Testing

@testable import Duties

/// What holds for any duty and any history.
struct DutyPropertyTests {
    private static let day: Int64 = 86_400
    private static let start: Int64 = 1_772_438_400
    private static let seeds: Range<UInt64> = 0..<400

    /// A duty with people who come and go, and events about its first fifty occurrences, a few of them of one instant.
    private func makeWorld(_ seed: UInt64) -> (duty: Duty, completions: [Completion], gifts: [Reassignment]) {
        var numbers = SeededNumbers(state: seed)
        var members = makeMembers(2 + numbers.below(5))
        for place in members.indices where place > 0 {
            if numbers.below(3) == 0 { members[place].joinedAt = Self.start + Int64(numbers.below(40)) * Self.day }
            if numbers.below(4) == 0 { members[place].leftAt = Self.start + Int64(numbers.below(50)) * Self.day }
        }
        let duty = makeDuty(members, mode: numbers.below(5) == 0 ? .fixed : .alternate)
        var completions: [Completion] = []
        var gifts: [Reassignment] = []
        for event in 0..<numbers.below(60) {
            let occurrence = Occurrence.id(of: duty.id, index: numbers.below(50))
            let by = makeID(1 + numbers.below(members.count))
            let at = Self.start + Int64(numbers.below(12)) * Self.day
            if numbers.below(3) == 0 {
                let to = makeID(1 + numbers.below(members.count))
                gifts.append(Reassignment(id: makeID(2_000 + event), occurrence: occurrence, to: to, by: by, at: at))
            } else {
                let kind: Completion.Kind = numbers.below(3) == 0 ? .skip : .done
                completions.append(
                    Completion(id: makeID(2_000 + event), occurrence: occurrence, by: by, at: at, kind: kind)
                )
            }
        }
        return (duty, completions, gifts)
    }

    private func makeOccurrences(_ duty: Duty, _ events: DutyEvents) -> [Occurrence] {
        AssignmentEngine(duty: duty, events: events, zone: ListedZone.berlin)
            .occurrences(before: Self.start + 80 * Self.day)
    }

    private func makeEvents(_ completions: [Completion], _ gifts: [Reassignment]) -> DutyEvents {
        var events = DutyEvents()
        for completion in completions { _ = events.take(completion) }
        for gift in gifts { _ = events.take(gift) }
        return events
    }

    @Test func `who heard of the same in any order, and of some twice, computes the same`() {
        var ended = 0
        for seed in Self.seeds {
            let world = makeWorld(seed)
            let expected = makeOccurrences(world.duty, makeEvents(world.completions, world.gifts))
            ended += expected.count { $0.status.isTerminal }
            var numbers = SeededNumbers(state: seed &+ 1_000)
            var duty = world.duty
            duty.members = numbers.reordered(duty.members)
            var events = DutyEvents()
            enum Event { case completion(Completion), gift(Reassignment) }
            let all = world.completions.map(Event.completion) + world.gifts.map(Event.gift)
            for event in numbers.reordered(all + numbers.reordered(all).prefix(10)) {
                switch event {
                case .completion(let completion): #expect(events.take(completion) != .refused)
                case .gift(let gift): #expect(events.take(gift) != .refused)
                }
            }
            #expect(makeOccurrences(duty, events) == expected, "seed \(seed)")
        }
        #expect(ended > 1_000, "too few occurrences ended for this to say anything")
    }

    /// A stretch begins where something happened, or somebody came or left, and ends where the next does.
    @Test func `between events nobody has two turns more than another who is there`() {
        var stretches = 0
        for seed in Self.seeds {
            let world = makeWorld(seed)
            guard world.duty.mode == .alternate else { continue }
            let occurrences = makeOccurrences(world.duty, makeEvents(world.completions, world.gifts))
            var counts: [EntityID: Int] = [:]
            var present: [EntityID] = []
            for occurrence in occurrences {
                let there = world.duty.members.filter { $0.isPresent(at: occurrence.dueAt) }.map(\.id)
                if there != present || occurrence.status != .pending {
                    (present, counts) = (there, [:])
                    stretches += 1
                }
                guard occurrence.status == .pending else { continue }
                guard let assignee = occurrence.assignee else {
                    #expect(there.isEmpty)
                    continue
                }
                counts[assignee, default: 0] += 1
                let turns = there.map { counts[$0] ?? 0 }
                #expect((turns.max() ?? 0) - (turns.min() ?? 0) <= 1, "seed \(seed), \(occurrence.index)")
            }
        }
        #expect(stretches > 2_000)
    }

    @Test func `whoever has a turn is there, unless they did it`() {
        for seed in Self.seeds {
            let world = makeWorld(seed)
            for occurrence in makeOccurrences(world.duty, makeEvents(world.completions, world.gifts))
            where occurrence.status != .completed {
                guard let assignee = occurrence.assignee else { continue }
                let member = world.duty.members.first { $0.id == assignee }
                #expect(member?.isPresent(at: occurrence.dueAt) == true, "seed \(seed), \(occurrence.index)")
            }
        }
    }

    /// What an event changes is what comes after its occurrence, never what comes before.
    @Test func `what happened to one occurrence leaves those before it as they are`() {
        for seed in Self.seeds {
            let world = makeWorld(seed)
            let before = makeOccurrences(world.duty, makeEvents(world.completions, world.gifts))
            let index = Int(seed % 40)
            let extra = Completion(
                id: makeID(9_000),
                occurrence: Occurrence.id(of: world.duty.id, index: index),
                by: makeID(1),
                at: Self.start - 1,
                kind: .done
            )
            let after = makeOccurrences(world.duty, makeEvents(world.completions + [extra], world.gifts))
            #expect(after.prefix(index) == before.prefix(index))
            #expect(after[index].status == .completed && after[index].decision?.id == makeID(9_000))
        }
    }
}
