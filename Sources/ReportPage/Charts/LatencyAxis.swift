import Verdict

/// The logarithmic axis of latency, from a tenth of a second to a day.
struct LatencyAxis {
    static let rowHeight = 4.0
    static var height: Double { rowHeight * Double(LatencyRows.count) }

    /// Where its upper end lies.
    let top: Double

    var bottom: Double { top + Self.height }

    /// Where a latency lies.
    func y(_ milliseconds: Int64) -> Double { bottom - LatencyRows.position(of: milliseconds) * Self.rowHeight }

    /// Where the upper end of a row of cells lies.
    func y(row: Int) -> Double { bottom - Double(row + 1) * Self.rowHeight }

    private static let ticks: [(milliseconds: Int64, label: String)] = [
        (100, "0.1 s"), (1_000, "1 s"), (10_000, "10 s"), (60_000, "1 m"), (600_000, "10 m"), (3_600_000, "1 h"),
        (21_600_000, "6 h"), (86_400_000, "24 h"),
    ]

    /// Grid lines and their labels.
    func drawn() -> Markup {
        Self.ticks.map { tick -> Markup in
            let y = y(tick.milliseconds)
            return """
                <path class="grid" d="M\(Coordinate(TimeAxis.left)) \(Coordinate(y))H\(Coordinate(TimeAxis.right))"/>\
                <text class="axis" x="\(Coordinate(TimeAxis.left - 8))" y="\(Coordinate(y + 4))" text-anchor="end">\
                \(tick.label)</text>
                """
        }.joined()
    }
}
