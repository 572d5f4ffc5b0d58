import Verdict

/// How long it took, over the time of the run: each notification as a shape, or, where there are too many, cells of time and latency;
/// over them the median and the 95th percentile of each column, the longest of each, and what was abnormal.
struct LatencyOverTime {
    let timeline: RunTimeline
    /// Requirements that bound the longest latency of the whole run.
    let limits: [PercentileCurve.Limit]
    private let axis: LatencyAxis
    private let bands: FaultBands

    private static let id = "latency-time"
    /// The table of its columns.
    static let columns = "latency-columns"

    init(_ timeline: RunTimeline, limits: [PercentileCurve.Limit] = []) {
        self.timeline = timeline
        self.limits = limits
        bands = FaultBands(timeline)
        axis = LatencyAxis(top: bands.isEmpty ? 12 : FaultBands.headroom + 8)
    }

    func drawn() -> Markup { picture.drawn }

    var picture: Picture {
        let marks = markRow
        let bottom = axis.bottom + 32
        let body =
            TimeAxis(timeline: timeline).drawn(top: axis.top, bottom: bottom) + axis.drawn()
            + bands.drawn(id: Self.id, top: axis.top, bottom: bottom)
            + "<g class=\"whole\">\(timeline.cells.isEmpty ? points : cells)\(lines)\(longest)</g>" + marks + limitLines
            + axisTitle
        return Picture(
            id: Self.id,
            title: "Latency over time, seed \(timeline.seed)",
            finding: finding,
            height: bottom + 44,
            attributes: attributes,
            body: body
        )
    }

    /// Where the script finds a notification in the picture.
    private var attributes: Markup {
        let span = timeline.columnMilliseconds * Int64(RunTimeline.columns)
        let width = TimeAxis.right - TimeAxis.left
        return TimeAxis(timeline: timeline).columns(of: Self.columns) + """

             data-seed="\(timeline.seed)" data-span="\(span)" data-width="\(Coordinate(width))" \
            data-bottom="\(Coordinate(axis.bottom))" data-row="\(Coordinate(LatencyAxis.rowHeight))" data-rows="\(LatencyRows.count)"
            """

    }

    private var limitLines: Markup {
        limits.map { limit -> Markup in
            let y = Coordinate(axis.y(limit.milliseconds))
            return """
                <path class="limit" d="M\(Coordinate(TimeAxis.left)) \(y)H\(Coordinate(TimeAxis.right))"><title>\(limit.label)</title></path>
                """
        }.joined()
    }

    private var axisTitle: Markup {
        let y = Coordinate(axis.bottom + 68)
        return """
            <text class="axis" x="\(Coordinate(TimeAxis.left))" y="\(y)">\
            time since the start (hours:minutes:seconds); upward: time from the activity to its first display, logarithmic</text>
            """
    }

    /// A sentence for those who do not see it.
    var finding: String {
        let slowest = timeline.slots.enumerated().max { ($0.element.longest ?? -1) < ($1.element.longest ?? -1) }
        guard let slowest, let longest = slowest.element.longest else { return "Nothing was displayed." }
        let at = FigureText.instant(milliseconds: TimeAxis(timeline: timeline).instant(column: slowest.offset))
        return "\(timeline.displayed) notifications were displayed; the slowest took "
            + "\(FigureText.duration(milliseconds: longest)), of an activity at about \(at)."
    }

    // MARK: notifications

    private var points: Markup {
        OwnerFamily.allCases.map { family -> Markup in
            let own = timeline.points.filter { OwnerFamily(owner: $0.owner) == family }
            guard !own.isEmpty else { return "" }
            let path = own.map { family.shape(TimeAxis(timeline: timeline).x($0.at), axis.y($0.latency)) }.joined()
            return
                "<path class=\"o-\(family.rawValue)\" d=\"\(path)\"><title>\(own.count) mostly \(family.label)</title></path>"
        }.joined()
    }

    /// From which count on a cell belongs to a class, and what the legend calls it.
    static let classes: [(from: Int, label: String)] = [
        (1, "1"), (2, "2–3"), (4, "4–9"), (10, "10–31"), (32, "32–99"), (100, "100 and more"),
    ]

    private var cells: Markup {
        Self.classes.indices.map { index -> Markup in
            let upper = index + 1 < Self.classes.count ? Self.classes[index + 1].from : Int.max
            let own = timeline.cells.filter { $0.count >= Self.classes[index].from && $0.count < upper }
            guard !own.isEmpty else { return "" }
            let path = own.map { cell -> Markup in
                "M\(Coordinate(TimeAxis.x(column: cell.column))) \(Coordinate(axis.y(row: cell.row)))h4v4h-4z"
            }.joined()
            return "<path class=\"c\(index + 1)\" d=\"\(path)\"/>"
        }.joined()
    }

    // MARK: percentiles of a column

    /// Fewer notifications than these in a column have no percentile worth a line.
    private static let samplesForLine = 3

    /// With few notifications the shapes say all; lines between single ones would say more than is known.
    var hasLines: Bool { !timeline.cells.isEmpty }

    private var lines: Markup {
        guard hasLines else { return "" }
        return line(\.p50, "p50", "median of each column") + line(\.p95, "p95", "95th percentile of each column")
    }

    private func line(_ figure: KeyPath<RunTimeline.Slot, Int64?>, _ name: String, _ what: String) -> Markup {
        var path: Markup = ""
        var isOpen = false
        for (column, slot) in timeline.slots.enumerated() {
            guard slot.displayed >= Self.samplesForLine, let value = slot[keyPath: figure] else {
                isOpen = false
                continue
            }
            path += """
                \(isOpen ? "L" : "M")\(Coordinate(TimeAxis.x(column: column))) \(Coordinate(axis.y(value)))h4
                """
            isOpen = true
        }
        return "<path class=\"\(name)\" d=\"\(path)\"><title>\(what)</title></path>"
    }

    private var longest: Markup {
        guard hasLines else { return "" }
        let dots = timeline.slots.enumerated().compactMap { column, slot -> Markup? in
            slot.longest.map {
                "M\(Coordinate(TimeAxis.x(column: column) + 0.5)) \(Coordinate(axis.y($0) - 1.5))h3v3h-3z"
            }
        }
        return "<path class=\"dot\" d=\"\(dots.joined())\"><title>the longest of each column</title></path>"
    }

    // MARK: what went wrong

    /// A row below the axis: a cross for a miss, a ring for what was shown twice or to nobody's benefit.
    private var markRow: Markup {
        let time = TimeAxis(timeline: timeline)
        let y = axis.bottom + 20
        let crosses = timeline.marks.filter { $0.what == "missed" }.map { mark -> Markup in
            "M\(Coordinate(time.x(mark.at) - 4)) \(Coordinate(y - 4))l8 8m0-8l-8 8"
        }
        let rings = timeline.marks.filter { $0.what == "duplicate" || $0.what == "unexpected" }.map { mark -> Markup in
            "M\(Coordinate(time.x(mark.at) - 4)) \(Coordinate(y))a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"
        }
        var row: Markup = ""
        if !crosses.isEmpty {
            row += "<path class=\"wrong\" d=\"\(crosses.joined())\"><title>\(crosses.count) missed</title></path>"
        }
        if !rings.isEmpty {
            row +=
                "<path class=\"wrong\" d=\"\(rings.joined())\"><title>\(rings.count) shown twice or unexpected</title></path>"
        }
        return """
            <text class="axis" x="\(Coordinate(TimeAxis.left - 8))" y="\(Coordinate(y + 4))" text-anchor="end">wrong</text>\
            <g class="whole">\(row)</g>
            """
    }
}
