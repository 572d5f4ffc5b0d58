import JSON
import Scenarios

/// One measure with its goal.
struct Figure: Equatable {
    enum Kind: String {
        /// A proportion: it means the same on every machine.
        case ratio
        /// A measured value: it depends on the machine.
        case value
    }

    enum Goal: Equatable {
        case atLeast(Double)
        case atMost(Double)
    }

    /// Stable, with dots.
    var name: String
    var value: Double
    var kind: Kind
    var unit: String
    var goal: Goal
    /// How it was measured, in a few words.
    var method: String

    var isMet: Bool {
        switch goal {
        case .atLeast(let bound): value >= bound
        case .atMost(let bound): value <= bound
        }
    }

    var json: JSONValue {
        .object([
            JSONMember("goal", .number(FigureNumber.plain(bound))),
            JSONMember("goalIs", .string(isLowerBound ? "at least" : "at most")),
            JSONMember("kind", .string(kind.rawValue)),
            JSONMember("met", .bool(isMet)),
            JSONMember("method", .string(method)),
            JSONMember("name", .string(name)),
            JSONMember("unit", .string(unit)),
            JSONMember("value", .number(FigureNumber.plain(value))),
        ])
    }

    /// The columns of the table for people.
    var columns: [String] {
        [
            isMet ? "met" : "MISSED", name, FigureNumber.grouped(value), unit,
            "\(isLowerBound ? ">=" : "<=") \(FigureNumber.grouped(bound))", method,
        ]
    }

    private var bound: Double {
        switch goal {
        case .atLeast(let bound), .atMost(let bound): bound
        }
    }

    private var isLowerBound: Bool {
        if case .atLeast = goal { return true }
        return false
    }
}

/// Numbers as figures show them: four significant digits or all before the point, whichever is more.
enum FigureNumber {
    /// For programs: no separators, no exponent.
    static func plain(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let decimals = value.magnitude >= 1_000 ? 0 : value.magnitude >= 100 ? 1 : value.magnitude >= 10 ? 2 : 3
        let factor = [1.0, 10, 100, 1_000][decimals]
        let scaled = Int64((value.magnitude * factor).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(scaled)" }
        let fraction = String(scaled % Int64(factor))
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(sign)\(scaled / Int64(factor)).\(zeros)\(fraction)"
    }

    /// For people: thousands apart.
    static func grouped(_ value: Double) -> String {
        let parts = plain(value).split(separator: ".", maxSplits: 1)
        var digits = ""
        for (index, digit) in (parts.first ?? "").reversed().enumerated() {
            if index > 0 && index.isMultiple(of: 3) && digit != "-" { digits.append(",") }
            digits.append(digit)
        }
        let whole = String(digits.reversed())
        return parts.count == 2 ? "\(whole).\(parts[1])" : whole
    }
}
