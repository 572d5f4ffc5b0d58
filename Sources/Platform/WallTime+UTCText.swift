extension WallTime {
    /// How fine a written instant is.
    package enum TextPrecision: Sendable {
        case seconds
        case milliseconds
    }

    /// The instant in UTC as RFC 3339 writes it, such as `2026-11-21T07:30:00Z` or `2026-11-21T07:30:00.000Z`; what is finer is cut off.
    package func utcText(_ precision: TextPrecision) -> String {
        let date = CivilDate(self)
        let day = "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))"
        let clock = "\(Self.padded(date.hour, 2)):\(Self.padded(date.minute, 2)):\(Self.padded(date.second, 2))"
        switch precision {
        case .seconds: return "\(day)T\(clock)Z"
        case .milliseconds: return "\(day)T\(clock).\(Self.padded(date.microsecond / 1_000, 3))Z"
        }
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
    }
}
