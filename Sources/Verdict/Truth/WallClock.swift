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

    private func sunday(_ number: Int, of month: Int, _ year: Int, hourUTC: Int) -> WallTime {
        let first = CivilDate(year: year, month: month, day: 1)
        let day = 1 + (7 - first.isoWeekday) + (number - 1) * 7
        return CivilDate(year: year, month: month, day: day).wallTime().advanced(by: .hours(hourUTC))
    }
}
