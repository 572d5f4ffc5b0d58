/// A piece of HTML. What is written in a literal stands as it is; what is interpolated into it is data and is escaped, unless it is markup
/// itself. So a name can become markup only where somebody writes `Markup(trusted:)`, which nobody does but this file.
struct Markup: ExpressibleByStringInterpolation, Sendable, Equatable {
    private(set) var text: String

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ data: String) { text += PageText.escaped(data) }
        mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }
        mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
        mutating func appendInterpolation(_ coordinate: Coordinate) { text += coordinate.text }
    }

    init() { text = "" }
    init(stringLiteral literal: String) { text = literal }
    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    var isEmpty: Bool { text.isEmpty }

    static func += (left: inout Markup, right: Markup) { left.text += right.text }
    static func + (left: Markup, right: Markup) -> Markup { "\(left)\(right)" }
}

extension Sequence<Markup> {
    /// One after the other.
    func joined() -> Markup { reduce(into: Markup()) { $0 += $1 } }
}

/// A length in the units of a picture, written with one decimal at most.
struct Coordinate {
    fileprivate var text: String

    init(_ value: Double) {
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        text = tenths % 10 == 0 ? "\(tenths / 10)" : "\(sign)\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
