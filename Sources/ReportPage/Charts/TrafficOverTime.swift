import Verdict

/// A count over the time of the run, as bars from zero: requests, pushes, the queue, the pause between polls.
struct TrafficOverTime {
    /// A horizontal line to hold the bars against.
    struct Level {
        var label: String
        var value: Double
    }

    let timeline: RunTimeline
    let id: String
    let title: String
    let finding: String
    /// One for each column; nil where there is nothing to draw.
    let bars: [Double?]
    /// Drawn as dots above the bars: the highest within each column.
    var peaks: [Double] = []
    /// Columns with a cross above them.
    var crosses: [Int] = []
    var levels: [Level] = []

    private static let height = 110.0

    func drawn() -> Markup {
        let bands = FaultBands(timeline)
        let top = 34.0
        let bottom = top + Self.height
        var body = TimeAxis(timeline: timeline).drawn(top: top, bottom: bottom) + grid(bottom: bottom)
        if !bands.isEmpty { body += shade(bands, top: top, bottom: bottom) }
        body += column(bottom: bottom) + dots(bottom: bottom) + wrong(top: top) + lines(bottom: bottom)
        return Picture(
            id: id,
            title: title,
            finding: finding,
            height: bottom + 26,
            attributes: TimeAxis(timeline: timeline).columns(of: LoadSection.columns),
            body: body
        ).drawn
    }

    private func shade(_ bands: FaultBands, top: Double, bottom: Double) -> Markup {
        let hatched = bands.path(bands.lanes.flatMap(\.spans), top: top, bottom: bottom)
        return bands.pattern(id)
            + "<path class=\"band\" d=\"\(hatched)\"/><path fill=\"url(#\(id)-h)\" d=\"\(hatched)\"/>"
    }

    /// A round number that everything lies below; levels count while they leave the bars a third of the room.
    private var ceiling: Double {
        let highest = max(1, bars.compactMap { $0 }.max() ?? 1, peaks.max() ?? 1)
        let levels = levels.map(\.value).filter { $0 <= highest * 3 }
        let needed = max(highest, levels.max() ?? 0)
        var power = 1.0
        while power * 10 < needed { power *= 10 }
        return power * ([1.0, 2, 3, 5, 10].first { $0 * power >= needed } ?? 10)
    }

    private func y(_ value: Double, _ bottom: Double) -> Double { bottom - Self.height * min(1, value / ceiling) }

    private func grid(bottom: Double) -> Markup {
        [0, 0.5, 1].map { share -> Markup in
            let value = ceiling * share
            let label = FigureText.decimal(value, value == value.rounded() ? 0 : 1)
            let y = bottom - Self.height * share
            return """
                <path class="grid" d="M\(Coordinate(TimeAxis.left)) \(Coordinate(y))H\(Coordinate(TimeAxis.right))"/>\
                <text class="axis" x="\(Coordinate(TimeAxis.left - 8))" y="\(Coordinate(y + 4))" text-anchor="end">\(label)</text>
                """
        }.joined()
    }

    /// What is more than nothing is at least two units high.
    private func column(bottom: Double) -> Markup {
        let path = bars.enumerated().compactMap { column, value -> Markup? in
            guard let value, value > 0 else { return nil }
            let height = max(2, bottom - y(value, bottom))
            return
                "M\(Coordinate(TimeAxis.x(column: column))) \(Coordinate(bottom))v\(Coordinate(-height))h3.4v\(Coordinate(height))z"
        }
        return "<path class=\"bar\" d=\"\(path.joined())\"/>"
    }

    private func dots(bottom: Double) -> Markup {
        let path = peaks.enumerated().compactMap { column, value -> Markup? in
            guard value > 0 else { return nil }
            return "M\(Coordinate(TimeAxis.x(column: column) + 0.2)) \(Coordinate(y(value, bottom) - 1.5))h3v3h-3z"
        }
        guard !path.isEmpty else { return "" }
        return "<path class=\"dot\" d=\"\(path.joined())\"/>"
    }

    private func wrong(top: Double) -> Markup {
        guard !crosses.isEmpty else { return "" }
        let path = crosses.map { column -> Markup in
            "M\(Coordinate(TimeAxis.x(column: column) - 2)) \(Coordinate(top - 10))l8 8m0-8l-8 8"
        }
        return "<path class=\"wrong\" d=\"\(path.joined())\"/>"
    }

    private func lines(bottom: Double) -> Markup {
        levels.filter { $0.value <= ceiling }.enumerated().map { index, level -> Markup in
            let y = Coordinate(y(level.value, bottom))
            return """
                <path class="limit" d="M\(Coordinate(TimeAxis.left)) \(y)H\(Coordinate(TimeAxis.right))"><title>\(level.label)\
                </title></path>
                """
        }.joined()
    }
}
