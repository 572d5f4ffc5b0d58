import Verdict

/// The axis that all charts over time share, so that they can be laid one above the other.
struct TimeAxis {
    /// The width of every picture, in its own units; the left end of the axis; the width of a column.
    static let width = 1_040
    static let left = 84.0
    static let columnWidth = 4.0
    static var right: Double { left + columnWidth * Double(RunTimeline.columns) }

    let timeline: RunTimeline

    /// Where an instant lies.
    func x(_ milliseconds: Int64) -> Double {
        let share = Double(milliseconds) / (Double(timeline.columnMilliseconds) * Double(RunTimeline.columns))
        return Self.left + min(1, max(0, share)) * (Self.right - Self.left)
    }

    /// Where a column begins.
    static func x(column: Int) -> Double { left + Double(column) * columnWidth }

    /// When a column begins.
    func instant(column: Int) -> Int64 { Int64(column) * timeline.columnMilliseconds }

    private static let steps: [Int64] = [
        60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600,
        2_592_000, 7_776_000, 31_536_000,
    ]

    /// Eight at most.
    private var ticks: [Int64] {
        let seconds = timeline.lengthMilliseconds / 1_000
        let step = Self.steps.first { seconds / $0 <= 8 } ?? max(1, seconds / 8)
        return stride(from: 0, through: seconds, by: Int64.Stride(step)).map { $0 * 1_000 }
    }

    /// What the page's script has to know of a picture over time to tell which column the pointer is in; the table of that name has a row
    /// for each.
    func columns(of table: String) -> Markup {
        " data-columns=\"\(table)\" data-left=\"\(Coordinate(Self.left))\""
    }

    /// Grid lines between two heights and the labels below.
    func drawn(top: Double, bottom: Double) -> Markup {
        ticks.map { tick -> Markup in
            let x = Coordinate(x(tick))
            return """
                <path class="grid" d="M\(x) \(Coordinate(top))V\(Coordinate(bottom))"/>\
                <text class="axis" x="\(x)" y="\(Coordinate(bottom + 16))" text-anchor="\(tick == 0 ? "start" : "middle")">\
                \(FigureText.instant(milliseconds: tick))</text>
                """
        }.joined()
    }
}
