import Platform

/// Reads the timestamps GitLab writes (GitLab facts §1): ISO 8601 with `Z` or an offset, with any number of fractional
/// digits or none, with `T` or a space between date and time.
enum ISO8601 {
    /// The instant that `text` names, or nil when it names none. Digits finer than a microsecond are dropped.
    static func wallTime(_ text: String) -> WallTime? {
        var text = text
        return text.withUTF8 { bytes in
            var cursor = Cursor(bytes: bytes)
            return cursor.timestamp()
        }
    }

    /// `time` in UTC, to the millisecond, such as `2026-11-21T07:30:00.000Z`: so GitLab takes it, and so our own API says it.
    static func text(_ time: WallTime) -> String { time.utcText(.milliseconds) }

    private struct Cursor {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0

        /// From the year 0 to the year 9999, in UTC.
        private static let years =
            WallTime(secondsSinceEpoch: -62_167_219_200)...WallTime(secondsSinceEpoch: 253_402_300_799)

        var isAtEnd: Bool { position == bytes.count }

        mutating func date() -> CivilDate? {
            guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
                let day = number(digits: 2)
            else { return nil }
            return CivilDate(year: year, month: month, day: day)
        }

        mutating func timestamp() -> WallTime? {
            guard var date = date(), take("T") || take("t") || take(" "),
                let hour = number(digits: 2), take(":"), let minute = number(digits: 2)
            else { return nil }
            (date.hour, date.minute) = (hour, minute)
            if take(":") {
                guard let second = number(digits: 2) else { return nil }
                // A leap second is shown as 60 and counts as the last second of its minute.
                date.second = min(second, 59)
                if take(".") || take(",") {
                    guard let microsecond = fraction() else { return nil }
                    date.microsecond = microsecond
                }
            }
            guard let offset = offset(), isAtEnd, date.isValid else { return nil }
            let time = date.wallTime(offsetSeconds: offset)
            // No offset leads out of the years that a timestamp can name.
            return Self.years.contains(time) ? time : nil
        }

        /// Seconds ahead of UTC: `Z`, `UTC`, `+02:00`, `+0200`, `+02`, or nothing, which means UTC.
        private mutating func offset() -> Int? {
            if isAtEnd || take("Z") || take("z") { return 0 }
            _ = take(" ")
            if take("U") { return take("T") && take("C") ? 0 : nil }
            let sign: Int
            if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
            guard let hours = number(digits: 2) else { return nil }
            if isAtEnd { return sign * hours * 3_600 }
            _ = take(":")
            guard let minutes = number(digits: 2), minutes < 60 else { return nil }
            return sign * (hours * 3_600 + minutes * 60)
        }

        private mutating func fraction() -> Int? {
            var value = 0
            var digits = 0
            while position < bytes.count, let digit = digit(at: position) {
                if digits < 6 { value = value * 10 + digit }
                digits += 1
                position += 1
            }
            guard digits > 0 else { return nil }
            for _ in digits..<max(digits, 6) { value *= 10 }
            return value
        }

        private mutating func number(digits: Int) -> Int? {
            guard position + digits <= bytes.count else { return nil }
            var value = 0
            for _ in 0..<digits {
                guard let digit = digit(at: position) else { return nil }
                value = value * 10 + digit
                position += 1
            }
            return value
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        private func digit(at position: Int) -> Int? {
            let byte = bytes[position]
            return byte >= 0x30 && byte <= 0x39 ? Int(byte - 0x30) : nil
        }
    }
}
