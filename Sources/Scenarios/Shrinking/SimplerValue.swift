import JSON
import Platform

/// What could stand in place of a duration or a number and be easier to read.
enum SimplerValue {
    /// Smaller ones, the simplest first; none for what is simple.
    static func candidates(for value: JSONValue) -> [JSONValue] {
        switch value {
        case .number(let text): Int64(text).map(numbers)?.map(JSONValue.integer) ?? []
        case .string(let text):
            DurationNotation.parse(text).map(durations)?.map { .string(DurationNotation.text($0)) } ?? []
        case .null, .bool, .array, .object: []
        }
    }

    private static func numbers(below value: Int64) -> [Int64] {
        value > 1 ? [1, value / 2].filter { $0 < value } : []
    }

    /// Whole hours, ten minutes, minutes or seconds below it, and for whole hours one less.
    private static func durations(below value: Duration) -> [Duration] {
        let seconds = value.components.seconds
        let units: [Int64] = [3_600, 600, 60, 10, 1]
        var simpler = units.map { Duration.seconds(seconds / $0 * $0) }.filter { $0 > .zero && $0 < value }
        if value > .hours(1), seconds % 3_600 == 0 {
            simpler += [.seconds(seconds / 7_200 * 3_600), value - .hours(1)]
        }
        return simpler.filter { $0 > .zero }
    }
}
