import Platform

extension [UInt8] {
    mutating func appendDecimal(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = count
        repeat {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }

    /// `value` with leading zeros up to `width` digits; more digits than that are cut.
    mutating func appendDecimal(_ value: Int, width: Int) {
        let start = count
        var rest = value.magnitude
        for _ in 0..<width {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        self[start...].reverse()
    }

    /// `2016-06-17T07:52:35.225Z`, or with `+02:00` behind it; milliseconds are truncated (GitLab facts §1).
    mutating func appendTimestamp(_ time: WallTime, offsetSeconds: Int) {
        let date = CivilDate(time, offsetSeconds: offsetSeconds)
        appendDate(date)
        append(UInt8(ascii: "T"))
        appendDecimal(date.hour, width: 2)
        append(UInt8(ascii: ":"))
        appendDecimal(date.minute, width: 2)
        append(UInt8(ascii: ":"))
        appendDecimal(date.second, width: 2)
        append(UInt8(ascii: "."))
        appendDecimal(date.microsecond / 1_000, width: 3)
        guard offsetSeconds != 0 else { return append(UInt8(ascii: "Z")) }
        append(offsetSeconds < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        appendDecimal(abs(offsetSeconds) / 3_600, width: 2)
        append(UInt8(ascii: ":"))
        appendDecimal(abs(offsetSeconds) / 60 % 60, width: 2)
    }

    /// `2016-06-17`.
    mutating func appendDate(_ date: CivilDate) {
        appendDecimal(date.year, width: 4)
        append(UInt8(ascii: "-"))
        appendDecimal(date.month, width: 2)
        append(UInt8(ascii: "-"))
        appendDecimal(date.day, width: 2)
    }
}

extension CivilDate {
    /// `2016-06-17`.
    var dateText: String {
        var bytes: [UInt8] = []
        bytes.appendDate(self)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `Fri, 17 Jun 2016 07:52:35 GMT` (RFC 9110 §5.6.7); only for a date in UTC.
    var httpText: String {
        let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var bytes = Array((weekdays[isoWeekday - 1] + ", ").utf8)
        bytes.appendDecimal(day, width: 2)
        bytes.append(contentsOf: (" " + months[month - 1] + " ").utf8)
        bytes.appendDecimal(year, width: 4)
        for (separator, value) in [(" ", hour), (":", minute), (":", second)] {
            bytes.append(contentsOf: separator.utf8)
            bytes.appendDecimal(value, width: 2)
        }
        bytes.append(contentsOf: " GMT".utf8)
        return String(decoding: bytes, as: UTF8.self)
    }
}
