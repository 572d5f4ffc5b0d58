import Duties
import Platform
import Testing

@testable import Notifier

/// When somebody is told of their turn by the clock, decision by decision.
struct DutyReminderPolicyTests {
    /// Due at nine in the morning of Berlin, on days over both changes of its clocks.
    private func makePolicy(
        from day: String = "2026-03-28",
        minute: Int = 540,
        leadHours: Int64 = 24,
        escalates: Bool = false
    ) throws -> DutyReminderPolicy {
        let duty = Duty(
            id: try #require(EntityID("3f2504e0-4f89-41d3-9a0c-0305e82c3301")),
            title: "Triage",
            recurrence: .everyDays(1),
            start: try #require(CivilDay(day)),
            minute: minute,
            zone: "Europe/Berlin",
            leadSeconds: leadHours * 3_600,
            escalates: escalates,
            members: []
        )
        return DutyReminderPolicy(duty: duty, zone: try #require(TimeZone("Europe/Berlin", from: FixedZones())))
    }

    private func occurrence(_ index: Int, of policy: DutyReminderPolicy, _ status: Occurrence.Status = .pending)
        -> Occurrence
    {
        let engine = AssignmentEngine(duty: policy.duty, events: DutyEvents(), zone: policy.zone)
        return Occurrence(
            duty: policy.duty.id,
            index: index,
            dueAt: engine.dueAt(index),
            assignee: nil,
            status: status
        )
    }

    @Test func `what falls due while the duty is muted is silenced, quiet hours or not, and what lies ahead waits`()
        throws
    {
        let policy = try makePolicy(escalates: true)
        let one = occurrence(0, of: policy)
        let due = WallTime(secondsSinceEpoch: one.dueAt)
        let muted = DutyReminderPolicy.Circumstances(muted: [.ahead, .due], quietUntil: due.advanced(by: .days(1)))
        let ahead = try #require(policy.slots(of: one).first?.from)
        #expect(policy.decide(one, told: [], muted, at: ahead.advanced(by: .seconds(-1))) == .wait(until: ahead))
        #expect(policy.decide(one, told: [], muted, at: ahead) == .silence([.ahead], .mutedDuty))
        #expect(policy.decide(one, told: [.ahead], muted, at: due) == .silence([.due], .mutedDuty))
        #expect(policy.decide(one, told: [], muted, at: due) == .silence([.ahead, .due], .mutedDuty))
        #expect(policy.decide(one, told: [.ahead], .init(), at: due) == .send(.due))
        #expect(policy.decide(one, told: [], .init(muted: [.ahead]), at: due) == .silence([.ahead], .mutedDuty))
        #expect(policy.decide(one, told: [.ahead], .init(muted: [.ahead]), at: due) == .send(.due), "of its own time")
    }

    private func instant(_ text: String) throws -> WallTime { try #require(ISO8601.wallTime(text)) }

    @Test(arguments: [
        // The day before at nine, by the clock on the wall.
        (0, "2026-03-27T08:00:00Z"), (1, "2026-03-28T08:00:00Z"), (2, "2026-03-29T07:00:00Z"),
    ])
    func `ahead by the calendar of the duty's zone`(index: Int, ahead: String) throws {
        let policy = try makePolicy(escalates: true)
        let slots = policy.slots(of: occurrence(index, of: policy))
        let due = WallTime(secondsSinceEpoch: occurrence(index, of: policy).dueAt)
        #expect(
            slots == [
                .init(step: .ahead, from: try instant(ahead), until: due),
                .init(step: .due, from: due, until: due.advanced(by: .days(1))),
            ]
        )
        let gentle = try makePolicy().slots(of: occurrence(index, of: makePolicy()))
        #expect(gentle == [.init(step: .ahead, from: try instant(ahead), until: due.advanced(by: .days(1)))])
        #expect(try makePolicy(leadHours: 0).slots(of: occurrence(index, of: policy)).isEmpty)
    }

    @Test func `each decision`() throws {
        let policy = try makePolicy(escalates: true)
        let one = occurrence(0, of: policy)
        typealias Decision = DutyReminderPolicy.Decision
        func decide(
            _ now: String,
            told: Set<DutyStep> = [],
            _ change: (inout DutyReminderPolicy.Circumstances) -> Void = { _ in },
            of occurrence: Occurrence? = nil
        ) throws -> Decision {
            var circumstances = DutyReminderPolicy.Circumstances()
            change(&circumstances)
            return policy.decide(occurrence ?? one, told: told, circumstances, at: try instant(now))
        }
        let (before, ahead, due) = ("2026-03-27T07:59:59Z", "2026-03-27T08:00:00Z", "2026-03-28T08:00:00Z")
        #expect(try decide(before) == .wait(until: instant(ahead)))
        #expect(try decide(ahead) == .send(.ahead))
        #expect(try decide(ahead, told: [.ahead]) == .wait(until: instant(due)))
        #expect(try decide(due, told: [.ahead]) == .send(.due))
        #expect(try decide(due) == .send(.due), "the time of the other is over")
        #expect(try decide(ahead, told: [.due]) == .wait(until: nil), "the clock was set back since")
        // Nothing is put down as dealt with: a clock may be far ahead for a while.
        #expect(try decide("2026-03-29T08:00:00Z", told: [.ahead]) == .wait(until: nil))
        #expect(try decide("2026-03-29T08:00:00Z") == .wait(until: nil))
        #expect(try decide(due, { $0.quietUntil = try? instant(due) }) == .postpone(until: instant(due)))
        #expect(try decide("2026-03-29T08:00:00Z", told: [.ahead, .due]) == .wait(until: nil))
        #expect(try decide(ahead, { $0.quietUntil = try? instant(due) }) == .postpone(until: instant(due)))
        #expect(try decide(ahead, { $0.isReminded = false }) == .skip([.ahead]))
        #expect(try decide(due, told: [.ahead], { $0.isReminded = false }) == .send(.due))
        for status in [Occurrence.Status.completed, .skipped] {
            #expect(try decide(due, of: occurrence(0, of: policy, status)) == .wait(until: nil))
        }
    }

    /// Whatever the lead time, the time of day, the change of the clocks, the quiet hours, and whenever it is looked.
    @Test func `each is told once, in its time, never in quiet hours, and at the first look that may tell it`() throws {
        var random = RandomStream(seed: 8)
        for _ in 0..<2_000 {
            let policy = try makePolicy(
                from: ["2026-03-28", "2026-10-24"][Int(random.next() % 2)],
                minute: Int(random.next() % 1_440),
                leadHours: Int64(random.next() % 60),
                escalates: random.next() % 2 == 0
            )
            let one = occurrence(Int(random.next() % 3), of: policy)
            let due = WallTime(secondsSinceEpoch: one.dueAt)
            let slots = policy.slots(of: one)
            // An occurrence of which somebody learns at any time, quiet for a while now and then.
            var now = due.advanced(by: .zero - .minutes(Int(random.next() % 5_000)))
            let quiet = (0..<3).map { _ in
                let start = due.advanced(by: .minutes(Int(random.next() % 6_000) - 4_000))
                return (start: start, end: start.advanced(by: .minutes(Int(random.next() % 900))))
            }
            var told: Set<DutyStep> = []
            var sent: [(step: DutyStep, at: WallTime)] = []
            while now < due.advanced(by: .days(2)) {
                let end = quiet.first { $0.start <= now && now < $0.end }?.end
                var next: WallTime?
                deciding: while true {
                    switch policy.decide(one, told: told, .init(quietUntil: end), at: now) {
                    case .wait(let instant):
                        #expect(
                            !slots.contains { !told.contains($0.step) && $0.from <= now && now < $0.until },
                            "what may be told is told"
                        )
                        next = instant
                        break deciding
                    case .postpone(let instant):
                        #expect(instant == end)
                        next = instant
                        break deciding
                    case .skip: Issue.record("nobody wants less")
                    case .silence: Issue.record("nobody has muted it")
                    case .send(let step):
                        #expect(end == nil && !told.contains(step))
                        told.insert(step)
                        sent.append((step, now))
                    }
                }
                guard let next else { break }
                #expect(next > now)
                // The process may be away for a while.
                now = random.next() % 8 == 0 ? next.advanced(by: .minutes(Int(random.next() % 2_000))) : next
                if let step = sent.last?.step, let slot = slots.first(where: { $0.step == step }) {
                    #expect(slot.from <= sent[sent.count - 1].at && sent[sent.count - 1].at < slot.until)
                }
            }
            #expect(Set(sent.map(\.step)).count == sent.count)
            let left = slots.filter { !told.contains($0.step) && !($0.step == .ahead && told.contains(.due)) }
            #expect(left.allSatisfy { $0.until <= now }, "nothing is left open")
        }
    }
}
