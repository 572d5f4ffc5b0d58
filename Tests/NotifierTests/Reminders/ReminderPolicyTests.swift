import Configuration
import Platform
import Testing

@testable import Notifier

/// Whether somebody is told again, decision by decision.
struct ReminderPolicyTests {
    private let told = deliveryStart

    private func ask(missingSince: WallTime? = nil) -> Ask {
        Ask(
            id: 1,
            publicID: "ask-1",
            key: "todo/71",
            account: AccountID(rawValue: 1),
            kind: .reviewRequested,
            title: "Ben requested your review on MR !847",
            itemTitle: "Auth refactor",
            subject: "42/merge_request/847",
            raisedAt: told,
            toldAt: told,
            missingSince: missingSince
        )
    }

    private var both: [Reminder] {
        ReminderPolicy(NotifierConfiguration()).delays.enumerated().map {
            Reminder(step: $0 + 1, dueAt: told.advanced(by: $1))
        }
    }

    private func decide(
        after delay: Duration,
        _ waiting: [Reminder]? = nil,
        missingSince: WallTime? = nil,
        quietUntil: WallTime? = nil,
        isInformed: Bool = true,
        areWanted: Bool = true
    ) -> ReminderPolicy.Decision {
        ReminderPolicy.decide(
            ask(missingSince: missingSince),
            waiting ?? both,
            ReminderPolicy.Circumstances(areWanted: areWanted, quietUntil: quietUntil, isInformed: isInformed),
            at: told.advanced(by: delay)
        )
    }

    @Test func `a quarter of an hour after the first, and an hour after it, and never again`() {
        #expect(decide(after: .seconds(899)) == .wait(until: told.advanced(by: .minutes(15))))
        #expect(decide(after: .minutes(15)) == .send(step: 1, skipped: []))
        let last = [both[1]]
        #expect(decide(after: .minutes(59), last) == .wait(until: told.advanced(by: .hours(1))))
        #expect(decide(after: .hours(1), last) == .send(step: 2, skipped: []))
        #expect(decide(after: .hours(2), []) == .done)
    }

    @Test func `what fell due while nothing ran is told once, and not when it is stale`() {
        #expect(decide(after: .minutes(45)) == .send(step: 1, skipped: []))
        #expect(decide(after: .minutes(46)) == .skip([1]), "the last one follows soon")
        #expect(decide(after: .minutes(70)) == .send(step: 2, skipped: [1]))
        #expect(decide(after: .hours(20)) == .send(step: 2, skipped: [1]))
        #expect(decide(after: .hours(26)) == .skip([1, 2]))
    }

    @Test func `in quiet hours both wait for the end, and one is told`() {
        let end = told.advanced(by: .hours(9))
        #expect(decide(after: .minutes(15), quietUntil: end) == .postpone(until: end))
        let moved = both.map { Reminder(step: $0.step, dueAt: end) }
        #expect(decide(after: .hours(9), moved) == .send(step: 2, skipped: [1]))
    }

    @Test func `once the last one is told no earlier one follows, however long quiet hours have put that off`() {
        let waiting = [Reminder(step: 1, dueAt: told.advanced(by: .hours(9))), both[1]]
        #expect(decide(after: .hours(1), waiting) == .send(step: 2, skipped: [1]))
        #expect(decide(after: .hours(2), waiting) == .send(step: 2, skipped: [1]), "it is the last one")
    }

    @Test func `what falls due while the person wants no reminders is left out, and the next one is not`() {
        #expect(decide(after: .minutes(14), areWanted: false) == .wait(until: told.advanced(by: .minutes(15))))
        #expect(decide(after: .minutes(15), areWanted: false) == .skip([1]))
        let end = told.advanced(by: .hours(9))
        #expect(decide(after: .minutes(15), quietUntil: end, areWanted: false) == .skip([1]))
        #expect(decide(after: .hours(1), [both[1]]) == .send(step: 2, skipped: []))
    }

    @Test func `what one list has left out is done by no clock: the next list says so, or it is told`() {
        let missing = told.advanced(by: .seconds(880))
        for delay in [900, 940, 7_000] {
            let now = told.advanced(by: .seconds(delay))
            let due = [Reminder(step: 1, dueAt: now), Reminder(step: 2, dueAt: now.advanced(by: .hours(1)))]
            #expect(
                decide(after: .seconds(delay), due, missingSince: missing)
                    == .hold(until: now.advanced(by: ReminderPolicy.look))
            )
        }
        let (first, end) = (told.advanced(by: .minutes(15)), told.advanced(by: .minutes(20)))
        let held = [Reminder(step: 1, dueAt: end, heldSince: first)]
        #expect(decide(after: .minutes(20), held, missingSince: missing) == .send(step: 1, skipped: []))
    }

    @Test func `while nobody knows a reminder waits five minutes, looking again and again`() {
        let due = told.advanced(by: .minutes(15))
        #expect(decide(after: .minutes(15), isInformed: false) == .hold(until: due.advanced(by: .seconds(15))))
        func held(_ delay: Duration) -> [Reminder] {
            [Reminder(step: 1, dueAt: told.advanced(by: delay), heldSince: due), both[1]]
        }
        let late = Duration.minutes(19) + .seconds(50)
        #expect(decide(after: late, held(late), isInformed: false) == .hold(until: due.advanced(by: .minutes(5))))
        #expect(decide(after: .minutes(20), held(.minutes(20)), isInformed: false) == .send(step: 1, skipped: []))
        #expect(decide(after: .minutes(17), held(.minutes(17))) == .send(step: 1, skipped: []), "it can be read again")
        #expect(decide(after: .hours(20), held(.minutes(17))) == .send(step: 2, skipped: [1]))
        #expect(decide(after: .hours(26), held(.minutes(17))) == .skip([1, 2]), "a day later nobody wants it")
    }
}
