import Configuration
import JSON
import Platform

/// Draws values of the notifier's settings around their defaults: what is far away makes news late by the operator's will.
enum SettingDraw {
    /// Where the default outlasts every drawn world, what it is about comes only with less.
    private static let shorter = ["tokenLifetime": ["1m", "10m", "1h"]]

    static func value(of key: ConfigurationKeyDescription, random: inout RandomStream) -> JSONValue {
        if let lengths = shorter[key.name] { return .string(random.pick(lengths) ?? key.plainStandard) }
        return switch key.value {
        case .duration(let range): .string(duration(key.plainStandard, range, &random))
        case .durations(let range, _):
            .strings([duration("10s", range, &random), duration("2m", range, &random)])
        case .number(let range): .integer(Int64(number(Int(key.standard) ?? range.lowerBound, range, &random)))
        case .flag: .bool(random.chance(1, in: 2))
        case .choice(let names): .string(random.pick(names) ?? key.plainStandard)
        case .origin: .string(key.plainStandard)
        case .text: .string(words(key.plainStandard, &random))
        }
    }

    private static func duration(_ standard: String, _ range: ClosedRange<Duration>, _ random: inout RandomStream)
        -> String
    {
        let usual = DurationNotation.parse(standard) ?? range.lowerBound
        let drawn = random.pick([usual / 4, usual / 2, usual, usual * 2]) ?? usual
        return DurationNotation.text(
            min(max(.milliseconds(drawn.wholeMilliseconds), range.lowerBound), range.upperBound)
        )
    }

    /// Also the least that is allowed, where numbers are small: a page of one row, one request at a time.
    private static func number(_ usual: Int, _ range: ClosedRange<Int>, _ random: inout RandomStream) -> Int {
        let least = range.upperBound <= 1_000 ? range.lowerBound : usual / 2
        let drawn = random.pick([least, usual / 2, usual, usual * 2]) ?? usual
        return min(max(drawn, range.lowerBound), range.upperBound)
    }

    private static func words(_ standard: String, _ random: inout RandomStream) -> String {
        let words = standard.split(separator: " ")
        let kept = words.filter { _ in random.chance(2, in: 3) }
        return (kept.isEmpty ? words : kept).joined(separator: " ")
    }
}

extension ConfigurationKeyDescription {
    /// The default without the quotes of JSON.
    fileprivate var plainStandard: String { String(standard.filter { $0 != "\"" }) }
}
