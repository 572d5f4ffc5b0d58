package import Platform
package import Scenarios

extension QuietHours.Zone {
    /// How far its clocks are ahead of UTC, by the laws of the zone.
    package func offsetSeconds(at time: WallTime) -> Int { WallClock(zone: self).offsetMinutes(at: time) * 60 }
}

/// What clocks on the wall show, by the laws of each zone and not by anybody's time zone database.
struct WallClock {
    let zone: QuietHours.Zone

    /// Minutes since Monday's midnight, 0…10,079.
    func minuteOfWeek(at time: WallTime) -> Int {
        let date = CivilDate(time, offsetSeconds: offsetMinutes(at: time) * 60)
        return (date.isoWeekday - 1) * 1_440 + date.hour * 60 + date.minute
    }

    func offsetMinutes(at time: WallTime) -> Int {
        let year = CivilDate(time).year
        switch zone {
        case .utc: return 0
        case .kolkata: return 330
        case .london: return isEuropeanSummer(time, year) ? 60 : 0
        case .berlin: return isEuropeanSummer(time, year) ? 120 : 60
        case .newYork:
            // From the second Sunday in March to the first in November, at two by the clock of before.
            let start = sunday(2, of: 3, year, hourUTC: 7)
            let end = sunday(1, of: 11, year, hourUTC: 6)
            return start <= time && time < end ? -240 : -300
        case .sydney:
            // From the first Sunday in October to the first in April, at two by standard time, which is Saturday in UTC.
            let end = sunday(1, of: 4, year, hourUTC: -8)
            let start = sunday(1, of: 10, year, hourUTC: -8)
            return end <= time && time < start ? 600 : 660
        case .lordHowe:
            // The same days, at two by the clock of before; half an hour.
            let end = sunday(1, of: 4, year, hourUTC: -9)
            let start = sunday(1, of: 10, year, hourUTC: -9).advanced(by: .minutes(30))
            return end <= time && time < start ? 630 : 660
        case .chatham:
            // With New Zealand, from the last Sunday in September to the first in April, when it is two in the afternoon of Saturday in UTC.
            let end = sunday(1, of: 4, year, hourUTC: -10)
            let start = last(7, of: 9, days: 30, year, hourUTC: -10)
            return end <= time && time < start ? 765 : 825
        case .cairo:
            // From the first minute of April's last Friday to the last one of October's last Thursday.
            let start = last(5, of: 4, days: 30, year, hourUTC: -2)
            let end = last(4, of: 10, days: 31, year, hourUTC: 21)
            return start <= time && time < end ? 180 : 120
        case .casablanca: return isRamadanOfClocks(time) ? 0 : 60
        case .kiritimati: return 840
        case .nuuk: return isEuropeanSummer(time, year) ? -60 : -120
        case .troll: return isEuropeanSummer(time, year) ? 120 : 0
        }
    }

    /// From the last Sunday in March to the last in October, at one in the morning UTC all over Europe.
    private func isEuropeanSummer(_ time: WallTime, _ year: Int) -> Bool {
        lastSunday(of: 3, year) <= time && time < lastSunday(of: 10, year)
    }

    private func lastSunday(of month: Int, _ year: Int) -> WallTime {
        let last = CivilDate(year: year, month: month, day: 31)
        return CivilDate(year: year, month: month, day: 31 - last.isoWeekday % 7, hour: 1).wallTime()
    }

    /// The last of a weekday in a month of so many days.
    private func last(_ weekday: Int, of month: Int, days: Int, _ year: Int, hourUTC: Int) -> WallTime {
        let back = (CivilDate(year: year, month: month, day: days).isoWeekday - weekday + 7) % 7
        return CivilDate(year: year, month: month, day: days - back).wallTime().advanced(by: .hours(hourUTC))
    }

    /// Morocco's clocks go back on the Sunday before Ramadan and forth on one after it, at two in the morning UTC.
    private func isRamadanOfClocks(_ time: WallTime) -> Bool {
        Self.ramadans.contains { first, last in
            let (start, end) = (first.wallTime(), last.wallTime())
            return start <= time && time < end
        }
    }

    /// As announced; before and after, clocks stay as they are.
    private static let ramadans = [
        (CivilDate(year: 2024, month: 3, day: 10, hour: 2), CivilDate(year: 2024, month: 4, day: 14, hour: 2)),
        (CivilDate(year: 2025, month: 2, day: 23, hour: 2), CivilDate(year: 2025, month: 4, day: 6, hour: 2)),
        (CivilDate(year: 2026, month: 2, day: 15, hour: 2), CivilDate(year: 2026, month: 3, day: 22, hour: 2)),
        (CivilDate(year: 2027, month: 2, day: 7, hour: 2), CivilDate(year: 2027, month: 3, day: 14, hour: 2)),
        (CivilDate(year: 2028, month: 1, day: 23, hour: 2), CivilDate(year: 2028, month: 3, day: 5, hour: 2)),
    ]

    private func sunday(_ number: Int, of month: Int, _ year: Int, hourUTC: Int) -> WallTime {
        let first = CivilDate(year: year, month: month, day: 1)
        let day = 1 + (7 - first.isoWeekday) + (number - 1) * 7
        return CivilDate(year: year, month: month, day: day).wallTime().advanced(by: .hours(hourUTC))
    }
}
