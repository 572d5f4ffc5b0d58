import Platform
import Testing

@testable import Scenarios
@testable import Verdict

struct WallClockTests {
    @Test func `clocks change as they did`() throws {
        let berlin = WallClock(zone: .berlin)
        let change = CivilDate(year: 2026, month: 3, day: 29, hour: 1).wallTime()
        #expect(berlin.offsetMinutes(at: change.advanced(by: .milliseconds(-1))) == 60)
        #expect(berlin.offsetMinutes(at: change) == 120)
        let newYork = CivilDate(year: 2026, month: 11, day: 1, hour: 6).wallTime()
        #expect(WallClock(zone: .newYork).offsetMinutes(at: newYork.advanced(by: .milliseconds(-1))) == -240)
        #expect(WallClock(zone: .newYork).offsetMinutes(at: newYork) == -300)
    }

    @Test(arguments: [
        (QuietHours.Zone.lordHowe, "2026-04-04T15:00:00Z", 660, 630), (.lordHowe, "2026-10-03T15:30:00Z", 630, 660),
        (.cairo, "2026-04-23T22:00:00Z", 120, 180), (.cairo, "2026-10-29T21:00:00Z", 180, 120),
        (.casablanca, "2026-02-15T02:00:00Z", 60, 0), (.casablanca, "2026-03-22T02:00:00Z", 0, 60),
        (.chatham, "2026-04-04T14:00:00Z", 825, 765), (.chatham, "2026-09-26T14:00:00Z", 765, 825),
        (.nuuk, "2026-10-25T01:00:00Z", -60, -120), (.troll, "2026-03-29T01:00:00Z", 0, 120),
        (.kiritimati, "2026-03-29T01:00:00Z", 840, 840),
    ])
    func `zones with rules of their own change as they do`(
        zone: QuietHours.Zone,
        instant: String,
        before: Int,
        after: Int
    ) throws {
        let change = try #require(CalendarNotation.wallTime(instant))
        #expect(WallClock(zone: zone).offsetMinutes(at: change.advanced(by: .milliseconds(-1))) == before)
        #expect(WallClock(zone: zone).offsetMinutes(at: change) == after)
    }

    @Test func `drawn worlds begin around what clocks show when they are changed`() throws {
        for occasion in DrawnCalendar.occasions {
            let instant = try #require(CalendarNotation.wallTime(occasion.instant))
            for zone in occasion.zones {
                let before = WallClock(zone: zone).offsetMinutes(at: instant.advanced(by: .milliseconds(-1)))
                let shown = CivilDate(instant, offsetSeconds: before * 60)
                #expect(shown.hour * 60 + shown.minute == occasion.minute % 1_440)
            }
        }
    }
}
