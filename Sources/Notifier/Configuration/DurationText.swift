import Platform

/// Durations as people write them: whole numbers with units from the largest to the smallest, such as `90s`, `1h30m`, `250ms`.
enum DurationText {
    private static let units: [(suffix: String, nanoseconds: Int64)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
        ("ms", 1_000_000),
    ]

    /// Reads `text`; nil when it has no unit, a unit twice or out of order, or is beyond some hundred years.
    static func parse(_ text: String) -> Duration? {
        var rest = text.utf8[...]
        var total: Int64 = 0
        var smallest = -1
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            let suffix = rest.prefix { !(0x30...0x39).contains($0) }
            rest = rest.dropFirst(suffix.count)
            guard let number = Int64(String(Substring(digits))),
                let unit = units.firstIndex(where: { $0.suffix == String(Substring(suffix)) }), unit > smallest
            else { return nil }
            smallest = unit
            let (part, tooLarge) = number.multipliedReportingOverflow(by: units[unit].nanoseconds)
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !tooLarge, !overflow else { return nil }
            total = sum
        }
        return .nanoseconds(total)
    }

    /// Writes `duration` in the same form; parts finer than a millisecond are dropped.
    static func text(_ duration: Duration) -> String {
        var rest = duration.wholeMilliseconds * 1_000_000
        var text = ""
        for unit in units where rest >= unit.nanoseconds {
            text += "\(rest / unit.nanoseconds)\(unit.suffix)"
            rest %= unit.nanoseconds
        }
        return text.isEmpty ? "0s" : text
    }
}
