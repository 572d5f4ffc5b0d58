/// Durations and offsets as files write them: whole numbers with units, the largest unit first, as in `1h30m`.
package enum DurationNotation {
    /// Why a text is no duration.
    package enum Failure: Error, Equatable { case noUnit, unknownUnit(String), malformed, tooLong }

    /// Longer durations are refused: a hundred years.
    static let maximum = Duration.days(36_525)

    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// Nil unless `text` is a duration without a sign.
    package static func parse(_ text: String) -> Duration? { try? read(text).get() }

    /// Nil unless `text` is a duration with or without a sign.
    package static func parseSigned(_ text: String) -> Duration? {
        guard let first = text.first, first == "-" || first == "+" else { return parse(text) }
        return parse(String(text.dropFirst())).map { first == "-" ? .zero - $0 : $0 }
    }

    /// The duration in whole milliseconds, finer parts dropped, so that it reads back; `0s` for none.
    package static func text(_ duration: Duration) -> String {
        var rest = duration.wholeMilliseconds
        var text = rest < 0 ? "-" : ""
        rest = abs(rest)
        guard rest > 0 else { return "0s" }
        for unit in units where rest >= unit.milliseconds {
            text += "\(rest / unit.milliseconds)\(unit.name)"
            rest %= unit.milliseconds
        }
        return text
    }

    /// The duration in `text`, or why it is none.
    package static func read(_ text: String) -> Result<Duration, Failure> {
        var rest = Substring(text)
        var total: Int64 = 0
        var lastUnit = -1
        guard !rest.isEmpty else { return .failure(.malformed) }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard (1...9).contains(digits.utf8.count), let count = Int64(digits) else { return .failure(.malformed) }
            let name = rest.prefix { $0.isLetter }
            guard !name.isEmpty else { return .failure(rest.isEmpty ? .noUnit : .malformed) }
            rest = rest.dropFirst(name.count)
            guard let unit = units.firstIndex(where: { $0.name == name }) else {
                return .failure(.unknownUnit(String(name)))
            }
            guard unit > lastUnit else { return .failure(.malformed) }
            lastUnit = unit
            total += count * units[unit].milliseconds
        }
        guard total <= maximum.wholeMilliseconds else { return .failure(.tooLong) }
        return .success(.milliseconds(total))
    }
}
