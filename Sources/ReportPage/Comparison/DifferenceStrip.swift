import Verdict

/// The differences of one figure: a dot for each seed, a bar for the interval, a line at zero.
struct DifferenceStrip {
    let figure: ComparedFigure

    private static let width = 720
    private static let left = 20.0
    private static let right = 700.0
    private static let dots = 42.0
    private static let rows = 4
    private static let bar = 86.0
    /// Of more seeds than these each so many-th is drawn.
    private static let dotsShown = 500

    private var id: String { "difference-" + figure.kind.rawValue.replacing(".", with: "-") }
    private var values: [Double] { figure.differences.values }

    /// Symmetric about zero, so that the sides can be held against each other.
    private var reach: Double {
        let ends = values.map(abs) + [figure.interval?.lower, figure.interval?.upper].compactMap { $0.map(abs) }
        return max(ends.max() ?? 0, figure.kind.isDuration ? 10 : 1) * 1.05
    }

    private func x(_ value: Double) -> Double {
        Self.left + (Self.right - Self.left) * (value + reach) / (2 * reach)
    }

    var drawn: Markup {
        Picture(
            id: id,
            title: "\(figure.kind.title), B less A, seed by seed",
            finding: finding,
            height: 128,
            width: Self.width,
            isSmall: true,
            body: frame + seeds + interval
        ).drawn
    }

    var caption: Markup {
        let step = stride == 1 ? "" : "; every \(stride)th of \(values.count) is drawn"
        return """
            Dots: the difference under each seed\(step). Bar: where the difference of all of them lies\
            \(figure.interval == nil ? ", which so few seeds do not tell" : "").
            """
    }

    private var finding: String {
        let less = values.count { $0 < 0 }
        let more = values.count { $0 > 0 }
        let kind = figure.kind
        let interval = figure.interval.map { ", between \(kind.signed($0.lower)) and \(kind.signed($0.upper))" } ?? ""
        return "Less in B under \(less) seeds, more under \(more); "
            + "all together \(figure.difference.map(kind.signed) ?? "unknown")\(interval)."
    }

    private var stride: Int { (values.count + Self.dotsShown - 1) / Self.dotsShown }

    private var frame: Markup {
        let zero = Coordinate(x(0))
        return """
            <path class="frame" d="M\(zero) 24V104"/>\
            <text class="axis" x="\(Coordinate(Self.left))" y="14">← better in B</text>\
            <text class="axis" x="\(Coordinate(Self.right))" y="14" text-anchor="end">worse in B →</text>\
            <text class="axis" x="\(Coordinate(Self.left))" y="122">\(figure.kind.signed(-reach))</text>\
            <text class="axis" x="\(zero)" y="122" text-anchor="middle">no difference</text>\
            <text class="axis" x="\(Coordinate(Self.right))" y="122" text-anchor="end">\(figure.kind.signed(reach))</text>
            """
    }

    /// In four rows by turns, so that equal ones can be told from one.
    private var seeds: Markup {
        let path = Swift.stride(from: 0, to: values.count, by: max(1, stride)).map { index -> Markup in
            let y = Self.dots + Double(index % Self.rows) * 9 - 9
            return "M\(Coordinate(x(values[index]) - 3)) \(Coordinate(y))a3 3 0 1 0 6 0a3 3 0 1 0-6 0z"
        }
        return "<path class=\"seeds\" d=\"\(path.joined())\"><title>\(values.count) seeds</title></path>"
    }

    private var interval: Markup {
        guard let interval = figure.interval else { return "" }
        let (from, until) = (x(interval.lower), x(interval.upper))
        let name = figure.isWorse ? "s-fail" : figure.isBetter ? "s-pass" : "dot"
        let middle = figure.difference.map(x) ?? (from + until) / 2
        return """
            <rect class="\(name)" x="\(Coordinate(from))" y="\(Coordinate(Self.bar - 4))" width="\(Coordinate(max(2, until - from)))" \
            height="8"/><path class="\(name)" d="M\(Coordinate(middle)) \(Coordinate(Self.bar))m0-11l8 11-8 11-8-11z"/>
            """
    }
}
