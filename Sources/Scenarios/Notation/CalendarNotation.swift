package import Platform

/// Dates, zones and working hours as scenario files write them.
package enum CalendarNotation {
    /// The ISO weekdays' names, Monday first.
    package static let weekdayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// No story begins later: stories last a hundred years at most, and no clock of the programs in them may show a year of five digits.
    package static let latest = WallTime(secondsSinceEpoch: 7_258_118_400)

    /// An RFC 3339 instant such as `2026-03-02T08:00:00Z` or `2026-03-02T09:00:00+01:00`, in whole seconds.
    package static func wallTime(_ text: String) -> WallTime? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A else {
            return nil
        }
        guard bytes[16] == 0x3A else { return nil }
        let numbers = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].map { number(bytes[$0]) }
        let zone = String(decoding: bytes[19...], as: UTF8.self)
        guard let offset = zone == "Z" ? .zero : zoneOffset(zone) else { return nil }
        let fields = numbers.compactMap(\.self)
        guard fields.count == 6, fields[0] >= 1970 else { return nil }
        let date = CivilDate(
            year: fields[0],
            month: fields[1],
            day: fields[2],
            hour: fields[3],
            minute: fields[4],
            second: fields[5]
        )
        return date.isValid ? date.wallTime(offsetSeconds: Int(offset.components.seconds)) : nil
    }

    /// A day written `2026-03-30`, or `+2` for the second day after the one on which `start` lies in UTC; `-1` is the day before.
    static func day(_ text: String, from start: WallTime) -> CivilDate? {
        let bytes = Array(text.utf8)
        if let sign = bytes.first, sign == 0x2B || sign == 0x2D {
            guard (2...4).contains(bytes.count), let days = number(bytes[1...]) else { return nil }
            let shifted = CivilDate(start.advanced(by: .days(sign == 0x2D ? -days : days)))
            return CivilDate(year: shifted.year, month: shifted.month, day: shifted.day)
        }
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
        let numbers = [0..<4, 5..<7, 8..<10].compactMap { number(bytes[$0]) }
        guard numbers.count == 3, numbers[0] >= 1970 else { return nil }
        let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
        return date.isValid ? date : nil
    }

    /// The day as `day(_:from:)` reads it.
    package static func dayText(_ day: CivilDate) -> String {
        "\(day.year)-\(twoDigits(day.month))-\(twoDigits(day.day))"
    }

    /// How far a zone written `+02:00` or `-05:30` lies ahead of UTC; at most 14 hours.
    static func zoneOffset(_ text: String) -> Duration? {
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes[0] == 0x2B || bytes[0] == 0x2D, bytes[3] == 0x3A else { return nil }
        guard let hours = number(bytes[1..<3]), let minutes = number(bytes[4..<6]), minutes < 60 else { return nil }
        let total = hours * 60 + minutes
        guard total <= 14 * 60 else { return nil }
        return .minutes(bytes[0] == 0x2D ? -total : total)
    }

    /// The zone as `zoneOffset(_:)` reads it.
    static func zoneText(_ offset: Duration) -> String {
        let minutes = Int(offset.components.seconds / 60)
        let sign = minutes < 0 ? "-" : "+"
        return "\(sign)\(twoDigits(abs(minutes) / 60)):\(twoDigits(abs(minutes) % 60))"
    }

    /// Minutes since midnight of `09:00-17:30`; the end may be `24:00`.
    static func hours(_ text: String) -> (opens: Int, closes: Int)? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let opens = minuteOfDay(parts[0]), let closes = minuteOfDay(parts[1]) else {
            return nil
        }
        return (opens, closes)
    }

    /// ISO weekdays of `mon-fri`, `sat` or `mon,wed,fri`; a range may run past Sunday.
    static func weekdays(_ text: String) -> [Int]? {
        var days: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            let indices = ends.compactMap { weekdayNames.firstIndex(of: $0) }
            guard (1...2).contains(ends.count), indices.count == ends.count else { return nil }
            let width = (indices[indices.count - 1] - indices[0] + 7) % 7
            for step in 0...width { days.insert((indices[0] + step) % 7 + 1) }
        }
        return days.sorted()
    }

    /// A minute of the day as `hh:mm`.
    package static func timeText(_ minute: Int) -> String { "\(twoDigits(minute / 60)):\(twoDigits(minute % 60))" }

    /// Minutes since midnight of `09:30`, 0…1,439.
    static func minute(_ text: String) -> Int? { minuteOfDay(text[...]).flatMap { $0 < 1_440 ? $0 : nil } }

    private static func minuteOfDay(_ text: Substring) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == 0x3A else { return nil }
        guard let hour = number(bytes[0..<2]), let minute = number(bytes[3..<5]), minute < 60 else { return nil }
        return hour * 60 + minute <= 1_440 ? hour * 60 + minute : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        naturalNumber(String(decoding: bytes, as: UTF8.self)).map(Int.init)
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}
