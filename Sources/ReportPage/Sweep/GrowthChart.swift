import Glibc
import Verdict

/// Figures of a growth by the size of the world, up to the knee and beyond. Sizes double, so that each doubling has the same room.
struct GrowthChart {
    /// A figure of each size.
    struct Curve {
        var label: String
        /// The class of its line; nil for squares without one.
        var line: String?
        /// Nil where the size has no such figure.
        var value: (GrowthPoint) -> Double?
    }

    /// A value that the curves are held against.
    struct Level {
        var label: String
        var value: Double
    }

    let growth: Growth
    let id: String
    let title: String
    let finding: String
    let curves: [Curve]
    var levels: [Level] = []
    /// What is written at a value of the upright axis.
    let text: (Double) -> String
    /// What the upright axis counts.
    let upward: String

    private static let width = 900
    private static let left = 90.0
    private static let right = 880.0
    private static let top = 16.0
    private static let bottom = 300.0

    var drawn: Markup { picture.drawn }

    var picture: Picture {
        let axis = upwardAxis
        return Picture(
            id: id,
            title: title,
            finding: finding,
            height: 346,
            width: Self.width,
            body: knee + grid(axis) + sizes + levels.map { drawn($0, axis) }.joined()
                + curves.map { drawn($0, axis) }.joined()
        )
    }

    /// As a file of its own, with a legend of the curves in it.
    func file() -> String {
        var picture = picture
        picture.title = "\(PageText.cut(growth.scenario)): \(title)"
        return picture.file(
            legend: curves.map { curve in
                (shape: curve.line == nil ? "M4 4h6v6h-6z" : "M0 7h14", name: curve.line ?? "dot", label: curve.label)
            }
        )
    }

    // MARK: axes

    /// Levels count while they leave the curves a third of the room.
    private var upwardAxis: LinearAxis {
        let highest = growth.points.flatMap { point in curves.compactMap { $0.value(point) } }.max() ?? 1
        let near = levels.map(\.value).filter { $0 <= highest * 3 }.max() ?? 0
        return LinearAxis(highest: max(highest, near), from: Self.bottom, to: Self.top)
    }

    private func x(_ size: Int) -> Double {
        let all = growth.points.map(\.size)
        guard let first = all.first, let last = all.last, last > first else { return (Self.left + Self.right) / 2 }
        let share = log(Double(size) / Double(first)) / log(Double(last) / Double(first))
        return Self.left + 24 + (Self.right - Self.left - 48) * share
    }

    private func grid(_ axis: LinearAxis) -> Markup {
        [0, 0.25, 0.5, 0.75, 1].map { share -> Markup in
            let y = axis(axis.end * share)
            return """
                <path class="grid" d="M\(Coordinate(Self.left)) \(Coordinate(y))H\(Coordinate(Self.right))"/>\
                <text class="axis" x="\(Coordinate(Self.left - 8))" y="\(Coordinate(y + 4))" text-anchor="end">\(text(axis.end * share))</text>
                """
        }.joined() + """
            <text class="axis" x="\(Coordinate(Self.left))" y="\(Coordinate(Self.bottom + 38))">\(growth.unit); each doubling has the \
            same room. Upward: \(upward)</text>
            """
    }

    /// The sizes that were tried, the ends of the search before those that find room beside them.
    private var sizes: Markup {
        let ends = growth.knee.map { [$0.breaks, $0.holds] } ?? []
        var taken: [Double] = []
        var labels: Markup = ""
        for size in ends + growth.points.map(\.size) {
            let x = x(size)
            guard !taken.contains(where: { abs($0 - x) < "\(size)".roomInPicture + 14 }) else { continue }
            taken.append(x)
            labels += """
                <path class="grid" d="M\(Coordinate(x)) \(Coordinate(Self.top))V\(Coordinate(Self.bottom))"/>\
                <text class="axis" x="\(Coordinate(x))" y="\(Coordinate(Self.bottom + 18))" text-anchor="middle">\(size)</text>
                """
        }
        return labels
    }

    /// Between what holds and what breaks.
    private var knee: Markup {
        guard let knee = growth.knee else { return "" }
        let (from, to) = (x(knee.holds), x(knee.breaks))
        return """
            <rect class="band" x="\(Coordinate(from))" y="\(Coordinate(Self.top))" width="\(Coordinate(to - from))" \
            height="\(Coordinate(Self.bottom - Self.top))"><title>holds with \(growth.text(knee.holds)), breaks with \
            \(growth.text(knee.breaks))</title></rect>
            """
    }

    // MARK: figures

    private func drawn(_ level: Level, _ axis: LinearAxis) -> Markup {
        guard level.value <= axis.end else { return "" }
        let y = axis(level.value)
        return """
            <path class="limit" d="M\(Coordinate(Self.left)) \(Coordinate(y))H\(Coordinate(Self.right))"><title>\(level.label)</title></path>\
            <text x="\(Coordinate(Self.left + 6))" y="\(Coordinate(y - 5))">\(level.label)</text>
            """
    }

    private func drawn(_ curve: Curve, _ axis: LinearAxis) -> Markup {
        let places = growth.points.compactMap { point in
            curve.value(point).map { (point: point, x: x(point.size), y: axis($0), value: $0) }
        }
        var line: Markup = ""
        if let name = curve.line, places.count > 1 {
            let path = places.enumerated().map { index, place -> Markup in
                "\(index == 0 ? "M" : "L")\(Coordinate(place.x)) \(Coordinate(place.y))"
            }
            line = "<path class=\"\(name)\" d=\"\(path.joined())\"/>"
        }
        return line
            + places.map { place -> Markup in
                let (shape, name) = curve.line == nil ? ("m-3-3h6v6h-6z", "dot") : Self.mark(place.point.verdict)
                return """
                    <path class="\(name)" d="M\(Coordinate(place.x)) \(Coordinate(place.y))\(Markup(stringLiteral: shape))"><title>\
                    \(growth.text(place.point.size)): \(curve.label) \(text(place.value)), \(GrowthText.word(place.point.verdict))</title></path>
                    """
            }.joined()
    }

    private static func mark(_ verdict: Verdict) -> (shape: String, name: String) {
        switch verdict {
        case .pass: ("m0-6l6 6-6 6-6-6z", "s-pass")
        case .insufficient: ("m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z", "s-insufficient")
        case .fail: ("m-5-5l10 10m0-10l-10 10", "wrong")
        }
    }
}
