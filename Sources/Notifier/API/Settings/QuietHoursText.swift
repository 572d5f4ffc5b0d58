import Platform

/// A window of quiet hours as the API writes it: `{"days": ["mon", "tue"], "from": "22:00", "until": "07:00"}`.
struct QuietHoursText: Codable, Hashable {
    /// The days on which it begins; every day without it.
    var days: [String]?
    var from: String
    /// On the next day when it is not later than `from`; `24:00` for midnight.
    var until: String

    static let dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    static let mostEntries = 50

    /// The windows that the texts mean, sorted.
    ///
    /// - Throws: `APIError.invalidField` for what is no time or day, for two that begin at the same minute, and for windows that
    ///   leave no time to tell anything.
    static func windows(_ texts: [QuietHoursText]) throws(APIError) -> [QuietHours.Window] {
        guard texts.count <= mostEntries else {
            throw .invalidField("quietHours", expected: "at most \(mostEntries) entries long")
        }
        var windows: [QuietHours.Window] = []
        for text in texts { windows += try text.windows() }
        windows.sort()
        let begin = windows.map(\.minutes.lowerBound)
        guard Set(begin).count == begin.count else {
            throw .invalidField("quietHours", expected: "windows of which no two begin at the same minute")
        }
        guard !QuietHours(zone: .utc, windows: windows).isAlways else {
            throw .invalidField("quietHours", expected: "windows that leave some time of the week to tell you anything")
        }
        return windows
    }

    /// One text for all days with the same times.
    static func texts(_ windows: [QuietHours.Window]) -> [QuietHoursText] {
        var texts: [QuietHoursText] = []
        for window in windows {
            let (from, until) = (text(window.from), text(window.until))
            let day = dayNames[window.weekday - 1]
            if let index = texts.firstIndex(where: { $0.from == from && $0.until == until }) {
                texts[index].days?.append(day)
            } else {
                texts.append(QuietHoursText(days: [day], from: from, until: until))
            }
        }
        return texts
    }

    private func windows() throws(APIError) -> [QuietHours.Window] {
        guard let from = Self.minute(from), from < QuietHours.Window.day else {
            throw .invalidField("from", expected: "a time of day such as \"22:00\"")
        }
        guard let until = Self.minute(until), until > 0, until != from else {
            throw .invalidField(
                "until",
                expected: "a time of day such as \"07:00\", later than midnight and not \"from\""
            )
        }
        var windows: [QuietHours.Window] = []
        for day in days ?? Self.dayNames {
            guard let index = Self.dayNames.firstIndex(of: day) else {
                throw .invalidField(
                    "days",
                    expected: "of \"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\""
                )
            }
            windows.append(QuietHours.Window(weekday: index + 1, from: from, until: until))
        }
        return windows
    }

    /// Minutes after midnight of `hh:mm`, up to `24:00`.
    static func minute(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 0x30 }
        guard digits.allSatisfy((0...9).contains) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard minute < 60, hour * 60 + minute <= QuietHours.Window.day else { return nil }
        return hour * 60 + minute
    }

    static func text(_ minute: Int) -> String {
        let parts = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : String($0) }
        return parts.joined(separator: ":")
    }
}
