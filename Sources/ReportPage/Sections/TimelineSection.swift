import Verdict

/// The run over its time: faults, deliveries, what went wrong.
struct TimelineSection {
    let timeline: RunTimeline?

    /// Rows of the table of faults.
    private static let faultsShown = 120

    /// What an older report has instead of pictures over time.
    static let missing =
        "This report has no timeline.json, as those of older programs: nothing can be drawn over time. "
        + "The command above makes a new report."

    var drawn: Markup { Section(id: "timeline", title: "Timeline", body: body).drawn }

    private var body: Markup {
        guard let timeline else { return Section.note(Self.missing) }
        let lanes = RunLanes(timeline)
        return """
            <figure>\(lanes.drawn())<figcaption>Hatched: a fault was in force. The strip is darker where more notifications \
            were displayed (\(legend)); a cross marks an activity that went wrong for somebody.</figcaption></figure>
            \(faults(timeline))
            """
    }

    private var legend: String { LatencyOverTime.classes.map(\.label).joined(separator: ", ") + " in a column" }

    private func faults(_ timeline: RunTimeline) -> Markup {
        let lanes = FaultBands(timeline).lanes
        guard !lanes.isEmpty else { return Section.note("No fault was in force, and the notifier ran all the time.") }
        let table = Table(
            caption: "Faults of seed \(timeline.seed)",
            columns: [.text("fault"), .text("kind"), .number("from"), .number("until"), .number("times")],
            rows: lanes.prefix(Self.faultsShown).map { lane in
                let from = lane.spans.map(\.from).min() ?? 0
                let until = lane.spans.map(\.until).max() ?? 0
                return [
                    "<bdi>\(PageText.cut(lane.name))</bdi>", "\(PageText.cut(lane.kind))",
                    "\(FigureText.instant(milliseconds: from))", "\(FigureText.instant(milliseconds: until))",
                    "\(lane.spans.count)",
                ]
            }
        )
        let listed = lanes.prefix(Self.faultsShown).reduce(0) { $0 + $1.spans.count }
        let left = timeline.faultsInAll + timeline.downtimesInAll - listed
        return Section.data(table) + (left > 0 ? Section.note("\(left) more spans are in trace.jsonl.") : "")
    }
}
