import Verdict

/// What shades the charts over time: faults in force, and the notifier's absence.
struct FaultBands {
    struct Band: Equatable {
        var name: String
        var kind: String
        var from: Int64
        var until: Int64
    }

    struct Lane: Equatable {
        var name: String
        var kind: String
        var spans: [Band]
    }

    /// One for each name in the order of their beginning; spans of one name are together.
    private(set) var lanes: [Lane] = []
    private let axis: TimeAxis

    /// Above a chart so many rows of names find room.
    private static let nameRows = 3
    static let nameRowHeight = 15.0
    static var headroom: Double { Double(nameRows) * nameRowHeight + 6 }
    private static let nameLength = 30

    init(_ timeline: RunTimeline) {
        axis = TimeAxis(timeline: timeline)
        let bands =
            timeline.faults.map { Band(name: $0.id, kind: $0.kind, from: $0.from, until: $0.until) }
            + timeline.downtimes.filter { $0.count == 2 }
            .map { Band(name: "notifier not running", kind: "downtime", from: $0[0], until: $0[1]) }
        for band in bands {
            if let lane = lanes.firstIndex(where: { $0.name == band.name && $0.kind == band.kind }) {
                lanes[lane].spans.append(band)
            } else {
                lanes.append(Lane(name: band.name, kind: band.kind, spans: [band]))
            }
        }
        let begins = lanes.map { lane in lane.spans.map(\.from).min() ?? 0 }
        lanes = lanes.indices.sorted { (begins[$0], $0) < (begins[$1], $1) }.map { lanes[$0] }
    }

    var isEmpty: Bool { lanes.isEmpty }

    /// Shaded areas between two heights, and above them the names that find room.
    func drawn(id: String, top: Double, bottom: Double) -> Markup {
        guard !lanes.isEmpty else { return "" }
        let areas = lanes.map { lane -> Markup in
            "<path class=\"band\" d=\"\(path(lane.spans, top: top, bottom: bottom))\"><title>\(title(lane))</title></path>"
        }
        let hatched = path(lanes.flatMap(\.spans), top: top, bottom: bottom)
        return pattern(id) + areas.joined() + "<path fill=\"url(#\(id)-h)\" d=\"\(hatched)\"/>" + names(top: top)
    }

    func pattern(_ id: String) -> Markup {
        """
        <defs><pattern id="\(id)-h" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
        <path class="hatch" d="M0 0V7"/></pattern></defs>
        """
    }

    func path(_ bands: [Band], top: Double, bottom: Double) -> Markup {
        bands.map { band -> Markup in
            let (x, width) = extent(band)
            return
                "M\(Coordinate(x)) \(Coordinate(top))h\(Coordinate(width))V\(Coordinate(bottom))h\(Coordinate(-width))z"
        }.joined()
    }

    /// At least two units wide, so that a short one can be seen.
    func extent(_ band: Band) -> (x: Double, width: Double) {
        let x = min(axis.x(band.from), TimeAxis.right - 2)
        return (x, max(2, axis.x(band.until) - x))
    }

    /// What it is and when it was in force, at first and how often.
    func title(_ lane: Lane) -> String {
        let name = "\(PageText.cut(lane.name)) (\(PageText.cut(lane.kind)))"
        guard let first = lane.spans.first else { return name }
        let from = FigureText.instant(milliseconds: first.from)
        let until = FigureText.instant(milliseconds: first.until)
        let more = lane.spans.count > 1 ? ", \(lane.spans.count) times in all" : ""
        return "\(name), \(from) to \(until)\(more)"
    }

    private func names(top: Double) -> Markup {
        var ends = [Double](repeating: 0, count: Self.nameRows)
        var markup: Markup = ""
        for lane in lanes {
            guard let first = lane.spans.first else { continue }
            let text = PageText.cut(lane.name, to: Self.nameLength)
            let x = min(extent(first).x, TimeAxis.right - text.roomInPicture)
            guard let row = ends.firstIndex(where: { $0 + 10 <= x }) else { continue }
            ends[row] = x + text.roomInPicture
            let y = top - 8 - Double(Self.nameRows - 1 - row) * Self.nameRowHeight
            markup += """
                <path class="edge" d="M\(Coordinate(extent(first).x)) \(Coordinate(y + 3))V\(Coordinate(top))"/>\
                <text x="\(Coordinate(x))" y="\(Coordinate(y))">\(text)</text>
                """
        }
        return markup
    }
}
