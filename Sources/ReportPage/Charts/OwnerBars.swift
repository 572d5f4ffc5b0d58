import Verdict

/// Where the time went: a bar for all notifications and one for the slowest hundredth, each cut by owner.
struct OwnerBars {
    struct Bar {
        var name: String
        /// Mean seconds by owner, in the order in which they come along.
        var parts: [(owner: String, seconds: Double)]
        var total: Double { parts.reduce(0) { $0 + $1.seconds } }
    }

    let bars: [Bar]

    private static let left = 130.0
    private static let right = 1_004.0
    private static let barHeight = 34.0

    func drawn() -> Markup {
        let body = bars.enumerated().map { index, bar in drawn(bar, top: 10 + Double(index) * 52) }.joined()
        return Picture(
            id: "latency-owners",
            title: "Where the time went",
            finding: finding,
            height: 16 + Double(bars.count) * 52,
            body: body
        ).drawn
    }

    private var finding: String {
        bars.map { bar in
            let largest = bar.parts.max { $0.seconds < $1.seconds }
            return "\(bar.name): \(OwnerBars.text(bar.total)) on average, most of it \(largest?.owner ?? "nobody's")."
        }.joined(separator: " ")
    }

    private func drawn(_ bar: Bar, top: Double) -> Markup {
        let middle = Coordinate(top + Self.barHeight / 2 + 4)
        var markup: Markup = """
            <text x="\(Coordinate(Self.left - 10))" y="\(middle)" text-anchor="end">\(bar.name)</text>
            """
        var x = Self.left
        for part in bar.parts where part.seconds > 0 {
            let width = (Self.right - Self.left) * part.seconds / bar.total
            markup += segment(part, x: x, width: width, top: top)
            x += width
        }
        return markup
    }

    private func segment(_ part: (owner: String, seconds: Double), x: Double, width: Double, top: Double) -> Markup {
        let label = "\(part.owner) \(Self.text(part.seconds))"
        var markup: Markup = """
            <rect class="o-\(OwnerFamily(owner: part.owner).rawValue)" x="\(Coordinate(x))" y="\(Coordinate(top))" \
            width="\(Coordinate(max(2, width - 2)))" height="\(Coordinate(Self.barHeight))"><title>\(label)</title></rect>
            """
        guard width > label.roomInPicture + 12 else { return markup }
        markup += """
            <text class="on" x="\(Coordinate(x + 6))" y="\(Coordinate(top + Self.barHeight / 2 + 4))">\(label)</text>
            """
        return markup
    }

    static func text(_ seconds: Double) -> String {
        FigureText.duration(milliseconds: Int64((seconds * 1_000).rounded()))
    }
}
