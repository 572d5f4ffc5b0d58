/// A day of the Gregorian calendar, wherever it is.
public struct CivilDay: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    public var number: Int

    /// A day by its number.
    ///
    /// - Parameter number: days since 1970-01-01.
    public init(number: Int) {
        self.number = number
    }

    /// A day as it is written, `2026-03-29`, in the years 1970 to 9999. Nil for any other text and for days that no month has.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
        func value(_ range: Range<Int>) -> Int? {
            var sum = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                sum = sum * 10 + Int(byte - 0x30)
            }
            return sum
        }
        guard let year = value(0..<4), let month = value(5..<7), let day = value(8..<10), year >= 1970,
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        number = Self.number(year, month, day)
        // A day that the month does not have became one of the next.
        guard description == String(text) else { return nil }
    }

    /// Monday is 1, Sunday is 7.
    public var weekday: Int { ((number + 3) % 7 + 7) % 7 + 1 }

    /// By their place in the calendar.
    public static func < (one: CivilDay, other: CivilDay) -> Bool { one.number < other.number }

    /// Years are counted from March, so that the leap day is the last of one.
    private static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month > 2 ? year : year - 1
        let months = (month + 9) % 12
        let leaps = years / 4 - years / 100 + years / 400
        return years * 365 + leaps + (months * 153 + 2) / 5 + day - 1 - 719_468
    }
}

extension CivilDay: CustomStringConvertible {
    /// `2026-03-29`. Of days before 1970 it is not asked.
    public var description: String {
        var years = (number + 719_468) / 366
        // The first of March of the next year is not behind the day.
        while Self.number(years + 1, 3, 1) <= number { years += 1 }
        let ahead = number - Self.number(years, 3, 1)
        let months = (ahead * 5 + 2) / 153
        let day = ahead - (months * 153 + 2) / 5 + 1
        let month = (months + 2) % 12 + 1
        func padded(_ value: Int, _ digits: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
        }
        return "\(padded(month <= 2 ? years + 1 : years, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension CivilDay: Codable {
    /// From its text.
    ///
    /// - Throws: `DecodingError` for a text that is no day.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = CivilDay(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a day such as 2026-03-29")
        }
        self = day
    }

    /// As its text.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
