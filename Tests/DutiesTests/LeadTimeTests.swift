import Testing

@testable import Duties

/// How long ahead somebody is reminded, over changes of the clocks.
struct LeadTimeTests {
    private func makeDuty(_ day: String, minute: Int, leadHours: Int64) -> Duty {
        Duty(
            id: makeID(9),
            title: "Triage",
            recurrence: .everyDays(1),
            start: makeDay(day),
            minute: minute,
            zone: "Europe/Berlin",
            leadSeconds: leadHours * 3_600,
            members: makeMembers(2)
        )
    }

    /// Clocks in Berlin go from two to three on 29 March 2026, and from three to two on 25 October.
    @Test(
        arguments: [
            // Nine stays nine, a day of 23 or of 25 hours before.
            ("2026-03-29", 540, 24, -23 * 3_600), ("2026-10-25", 540, 24, -25 * 3_600),
            ("2026-03-30", 540, 48, -47 * 3_600), ("2026-10-26", 540, 336, -(336 + 1) * 3_600),
            // An hour is an hour, also where the clock leaves one out or shows one twice.
            ("2026-03-29", 180, 1, -3_600), ("2026-03-29", 240, 2, -7_200), ("2026-10-25", 180, 1, -3_600),
            // Half past two is left out: it is due at half past three, and a day before that half past two there was.
            ("2026-03-29", 150, 24, -86_400), ("2026-03-29", 150, 25, -90_000),
            // It comes twice: it is due at the first.
            ("2026-10-25", 150, 24, -86_400), ("2026-10-26", 150, 24, -90_000),
            ("2026-06-01", 0, 336, -336 * 3_600), ("2026-06-01", 0, 0, 0),
        ] as [(String, Int, Int64, Int64)]
    )
    func `days are those of the calendar, and hours beyond them those that pass`(
        day: String,
        minute: Int,
        hours: Int64,
        ahead: Int64
    ) {
        let duty = makeDuty(day, minute: minute, leadHours: hours)
        let engine = AssignmentEngine(duty: duty, events: DutyEvents(), zone: ListedZone.berlin)
        #expect(duty.remindAt(0, in: ListedZone.berlin) - engine.dueAt(0) == ahead)
    }

    @Test func `it is never later than what it is ahead of, and a day more of it is never later than a day less`() {
        for zone in [ListedZone.berlin, .newYork, .lordHowe] {
            for index in 0..<400 {
                for minute in [0, 90, 120, 150, 180, 1_439] {
                    var duty = makeDuty("2026-01-01", minute: minute, leadHours: 0)
                    let due = AssignmentEngine(duty: duty, events: DutyEvents(), zone: zone).dueAt(index)
                    var former = due
                    for hours in [0, 1, 23, 24, 25, 48, 335, 336] as [Int64] {
                        duty.leadSeconds = hours * 3_600
                        let instant = duty.remindAt(index, in: zone)
                        #expect(instant <= due)
                        #expect(abs(due - instant - hours * 3_600) <= 3_600, "clocks change by an hour at most")
                        if hours % 24 == 0 {
                            #expect(instant <= former)
                            former = instant
                        }
                    }
                }
            }
        }
    }
}
