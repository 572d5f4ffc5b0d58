import Verdict

/// The picture of latency over time as a file of its own, to be shown where no page can be.
package enum ReportPicture {
    /// What every such file begins with.
    package static var beginning: String { Picture.beginning }

    /// SVG; nil for a report that has no timeline or displayed nothing.
    package static func text(_ data: ReportData) -> String? {
        guard let timeline = data.timeline, timeline.displayed > 0 else { return nil }
        var picture = LatencyOverTime(timeline).picture
        picture.title = "\(PageText.cut(data.summary.scenario)): how long each notification took, seed \(timeline.seed)"
        let keys = OwnerFamily.allCases.map { (shape: $0.shape(7, 7), name: "o-\($0.rawValue)", label: $0.label) }
        return picture.file(legend: timeline.cells.isEmpty ? keys : [])
    }
}
