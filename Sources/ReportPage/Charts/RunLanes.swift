import Verdict

/// The run at a glance: a lane for each fault, how much was delivered when, and what went wrong.
struct RunLanes {
    let timeline: RunTimeline
    private let bands: FaultBands
    private let axis: TimeAxis

    private static let id = "run"
    private static let laneHeight = 24.0
    /// More faults than these share the last lane.
    private static let lanesShown = 14
    private static let top = 8.0

    init(_ timeline: RunTimeline) {
        self.timeline = timeline
        bands = FaultBands(timeline)
        axis = TimeAxis(timeline: timeline)
    }

    /// Names of faults that have no lane of their own.
    var sharing: [String] { bands.lanes.dropFirst(Self.lanesShown).map(\.name) }

    private var lanes: [FaultBands.Lane] {
        let shown = Array(bands.lanes.prefix(Self.lanesShown))
        guard !sharing.isEmpty else { return shown }
        let rest = bands.lanes.dropFirst(Self.lanesShown).flatMap(\.spans)
        return shown + [FaultBands.Lane(name: "\(sharing.count) more faults", kind: "see the table", spans: rest)]
    }

    func drawn() -> Markup {
        let lanes = lanes
        let heat = Self.top + Double(lanes.count) * Self.laneHeight + 8
        let wrong = heat + 34
        let bottom = wrong + 20
        var body = axis.drawn(top: Self.top, bottom: bottom)
        if !bands.isEmpty { body += bands.pattern(Self.id) }
        for (index, lane) in lanes.enumerated() {
            body += drawn(lane, top: Self.top + Double(index) * Self.laneHeight)
        }
        body += strip(top: heat) + ticks(y: wrong + 6) + label("delivered", heat + 18) + label("wrong", wrong + 10)
        return Picture(
            id: Self.id,
            title: "The run over its time, seed \(timeline.seed)",
            finding: finding,
            height: bottom + 26,
            attributes: axis.columns(of: LatencyOverTime.columns),
            body: body
        ).drawn
    }

    private var finding: String {
        let faults = bands.lanes.count == 1 ? "1 fault" : "\(bands.lanes.count) faults"
        return "\(faults), \(timeline.displayed) notifications displayed, \(timeline.marksInAll) abnormal, within "
            + "\(FigureText.duration(milliseconds: timeline.lengthMilliseconds))."
    }

    private func label(_ text: String, _ y: Double) -> Markup {
        """
        <text class="axis" x="\(Coordinate(TimeAxis.left - 8))" y="\(Coordinate(y))" text-anchor="end">\(text)</text>
        """
    }

    /// The name stands where the band leaves room for it: to its right, else to its left, else upon it.
    private func drawn(_ lane: FaultBands.Lane, top: Double) -> Markup {
        let path = bands.path(lane.spans, top: top + 3, bottom: top + Self.laneHeight - 3)
        let name = PageText.cut("\(lane.name) (\(lane.kind))", to: 60)
        let begin = lane.spans.map { bands.extent($0).x }.min() ?? 0
        let end = lane.spans.map { bands.extent($0).x + bands.extent($0).width }.max() ?? 0
        let x =
            end + 8 + name.roomInPicture <= TimeAxis.right
            ? end + 8 : begin - 8 - name.roomInPicture >= TimeAxis.left ? begin - 8 : TimeAxis.left + 6
        let anchor = x == begin - 8 ? "end" : "start"
        return """
            <path class="band" d="\(path)"><title>\(bands.title(lane))</title></path>\
            <path fill="url(#\(Self.id)-h)" d="\(path)"/>\
            <text x="\(Coordinate(x))" y="\(Coordinate(top + Self.laneHeight / 2 + 4))" text-anchor="\(anchor)">\(name)</text>
            """
    }

    /// Darker where more was delivered.
    private func strip(top: Double) -> Markup {
        let classes = LatencyOverTime.classes
        return classes.indices.map { index -> Markup in
            let upper = index + 1 < classes.count ? classes[index + 1].from : Int.max
            let own = timeline.slots.indices.filter {
                timeline.slots[$0].displayed >= classes[index].from && timeline.slots[$0].displayed < upper
            }
            guard !own.isEmpty else { return "" }
            let path = own.map { "M\(Coordinate(TimeAxis.x(column: $0))) \(Coordinate(top))h4v26h-4z" as Markup }
                .joined()
            return "<path class=\"c\(index + 1)\" d=\"\(path)\"><title>\(classes[index].label) displayed</title></path>"
        }.joined()
    }

    private func ticks(y: Double) -> Markup {
        let path = timeline.marks.map { mark -> Markup in
            "M\(Coordinate(axis.x(mark.at) - 4)) \(Coordinate(y - 4))l8 8m0-8l-8 8"
        }
        guard !path.isEmpty else { return "" }
        return "<path class=\"wrong\" d=\"\(path.joined())\"><title>\(timeline.marksInAll) abnormal</title></path>"
    }
}
