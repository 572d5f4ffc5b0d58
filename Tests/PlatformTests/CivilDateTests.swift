import Platform
import Testing

@Suite struct CivilDateTests {
    @Test(arguments: [
        (0, CivilDate(year: 1970, month: 1, day: 1), 4),
        (951_782_400, CivilDate(year: 2000, month: 2, day: 29), 2),
        (1_772_434_800, CivilDate(year: 2026, month: 3, day: 2, hour: 7), 1),
        (-1, CivilDate(year: 1969, month: 12, day: 31, hour: 23, minute: 59, second: 59), 3),
        (4_102_444_799, CivilDate(year: 2099, month: 12, day: 31, hour: 23, minute: 59, second: 59), 4),
    ])
    func `known instants have their known dates and weekdays`(seconds: Int64, date: CivilDate, weekday: Int) {
        let time = WallTime(secondsSinceEpoch: seconds)
        #expect(CivilDate(time) == date)
        #expect(date.wallTime() == time)
        #expect(date.isoWeekday == weekday)
    }

    @Test func `every day of four centuries goes there and back`() {
        for day in stride(from: Int64(-73_000), to: 73_000, by: 1) {
            let time = WallTime(secondsSinceEpoch: day * 86_400 + 12_345)
            let date = CivilDate(time)
            #expect(date.isValid && date.wallTime() == time)
        }
    }

    @Test func `an offset shifts the clock and not the instant`() {
        let time = WallTime(secondsSinceEpoch: 1_772_434_800)
        let date = CivilDate(time, offsetSeconds: 5 * 3_600 + 1_800)
        #expect(date == CivilDate(year: 2026, month: 3, day: 2, hour: 12, minute: 30))
        #expect(date.wallTime(offsetSeconds: 5 * 3_600 + 1_800) == time)
    }

    @Test(arguments: [
        CivilDate(year: 2026, month: 2, day: 29), CivilDate(year: 2026, month: 13, day: 1),
        CivilDate(year: 2026, month: 1, day: 0), CivilDate(year: 2026, month: 1, day: 1, hour: 24),
        CivilDate(year: 1900, month: 2, day: 29),
    ])
    func `a day that is not in the calendar is invalid`(date: CivilDate) {
        #expect(!date.isValid)
    }
}
