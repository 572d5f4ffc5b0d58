import Platform

/// Reads the times and dates clients send.
enum TimestampParser {
    /// `2024-01-02`, or `2024-01-02T03:04:05[.678](Z|±hh[:]mm)`; without a zone the time is UTC. Nil for anything else.
    static func parse(_ text: String) -> WallTime? {
        guard let date = parseDate(text) else { return nil }
        let bytes = Array(text.utf8)
        guard bytes.count > 10 else { return date.wallTime() }
        guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "), bytes.count >= 16 else { return nil }
        guard let hour = number(bytes, 11, 2), let minute = number(bytes, 14, 2), bytes[13] == UInt8(ascii: ":")
        else { return nil }
        var civil = date
        civil.hour = hour
        civil.minute = minute
        var index = 16
        if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
            guard let second = number(bytes, 17, 2) else { return nil }
            civil.second = second
            index = 19
            if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
                civil.microsecond = fraction(bytes, &index)
            }
        }
        guard civil.isValid, let offset = offset(bytes, index) else { return nil }
        return civil.wallTime(offsetSeconds: offset)
    }

    /// The first ten characters as a date; what follows is not looked at (GitLab facts §12.1).
    static func parseDate(_ text: String) -> CivilDate? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        guard let year = number(bytes, 0, 4), let month = number(bytes, 5, 2), let day = number(bytes, 8, 2) else {
            return nil
        }
        let date = CivilDate(year: year, month: month, day: day)
        return date.isValid ? date : nil
    }

    private static func fraction(_ bytes: [UInt8], _ index: inout Int) -> Int {
        index += 1
        var value = 0
        var scale = 100_000
        while index < bytes.count, let digit = number(bytes, index, 1) {
            value += digit * scale
            scale /= 10
            index += 1
        }
        return value
    }

    private static func offset(_ bytes: [UInt8], _ start: Int) -> Int? {
        guard start < bytes.count else { return 0 }
        let rest = bytes[start...].filter { $0 != UInt8(ascii: ":") }
        if rest == [UInt8(ascii: "Z")] || rest == [UInt8(ascii: "z")] { return 0 }
        guard rest.count == 5, rest[0] == UInt8(ascii: "+") || rest[0] == UInt8(ascii: "-"),
            let hours = number(rest, 1, 2), let minutes = number(rest, 3, 2), hours < 24, minutes < 60
        else { return nil }
        return (hours * 3_600 + minutes * 60) * (rest[0] == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int? {
        guard start + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[start..<start + count] {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }
}
