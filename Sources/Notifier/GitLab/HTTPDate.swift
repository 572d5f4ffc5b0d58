import Platform

/// Reads the dates of HTTP header fields, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The instant that `text` names, or nil when it is not the format above or of a year with which nobody can reckon.
    static func wallTime(_ text: String) -> WallTime? {
        let parts = fields(text[...], by: UInt8(ascii: " "))
        guard parts.count == 6, parts[5] == "GMT", let day = number(parts[1], digits: 2),
            let year = number(parts[3], digits: 4), let month = months.firstIndex(where: { parts[2] == $0 })
        else { return nil }
        let clock = fields(parts[4], by: UInt8(ascii: ":")).map { number($0, digits: 2) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2] else { return nil }
        let date = CivilDate(
            year: year,
            month: month + 1,
            day: day,
            hour: hour,
            minute: minute,
            second: min(second, 59)
        )
        guard date.isValid else { return nil }
        let time = date.wallTime()
        return ReadableYears.span.contains(time) ? time : nil
    }

    private static func fields(_ text: Substring, by separator: UInt8) -> [Substring] {
        text.utf8.split(separator: separator).map { Substring($0) }
    }

    /// Exactly so many digits: of what is longer not even the calendar can be computed.
    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
