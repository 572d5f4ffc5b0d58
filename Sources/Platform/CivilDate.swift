/// A calendar date and time of day in some offset from UTC, by the proleptic Gregorian calendar.
///
/// Arithmetic only: it knows no time zone database and no locale, so it gives the same answer on every machine.
package struct CivilDate: Hashable, Sendable {
    package var year: Int
    /// 1…12.
    package var month: Int
    /// 1…31.
    package var day: Int
    /// 0…23.
    package var hour: Int
    /// 0…59.
    package var minute: Int
    /// 0…59.
    package var second: Int
    /// 0…999,999.
    package var microsecond: Int

    package init(
        year: Int,
        month: Int,
        day: Int,
        hour: Int = 0,
        minute: Int = 0,
        second: Int = 0,
        microsecond: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }

    /// What a clock that runs `offsetSeconds` ahead of UTC shows at `time`.
    package init(_ time: WallTime, offsetSeconds: Int = 0) {
        let shifted = WallTime(microseconds: time.microseconds + Int64(offsetSeconds) * 1_000_000)
        let seconds = shifted.secondsSinceEpoch
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let secondOfDay = Int(seconds - days * 86_400)
        (year, month, day) = Self.date(fromDays: Int(days))
        hour = secondOfDay / 3_600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
        microsecond = Int(shifted.microseconds - seconds * 1_000_000)
    }

    /// The instant at which a clock `offsetSeconds` ahead of UTC shows this date and time.
    package func wallTime(offsetSeconds: Int = 0) -> WallTime {
        let days = Int64(Self.days(year: year, month: month, day: day))
        let seconds = days * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offsetSeconds)
        return WallTime(microseconds: seconds * 1_000_000 + Int64(microsecond))
    }

    /// True when every field is in its range and the day exists in its month.
    package var isValid: Bool {
        (1...12).contains(month) && (1...Self.daysInMonth(month, year: year)).contains(day)
            && (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
            && (0...999_999).contains(microsecond)
    }

    /// Monday is 1, Sunday is 7.
    package var isoWeekday: Int {
        let days = Self.days(year: year, month: month, day: day)
        return ((days + 3) % 7 + 7) % 7 + 1
    }

    private static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01, counting years from March so that a leap day ends its year.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func date(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch + (monthFromMarch < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
