import Glibc
import Verdict

/// Latency by percentile, on an axis that gives each nine of the percentile the same room: so the tail can be seen.
struct PercentileCurve {
    /// A requirement: at least so many hundredths must not be longer.
    struct Limit: Equatable {
        var label: String
        var percent: Double
        var milliseconds: Int64
        /// Of plain latency; else of the excess.
        var isOfLatency = true
    }

    let latency: PooledHistogram
    let excess: PooledHistogram
    let limits: [Limit]

    private static let id = "latency-percentiles"
    /// The table of its columns.
    private static let columns = "percentile-columns"
    private static let top = 14.0
    private let axis = LatencyAxis(top: PercentileCurve.top)

    /// Powers of ten that the axis spans: as many as there are samples for, two at least.
    private var decades: Double { max(2, min(6, log10(Double(max(1, latency.samples))).rounded(.up))) }

    private func x(_ inverse: Double) -> Double {
        TimeAxis.left + (TimeAxis.right - TimeAxis.left) * min(1, max(0, log10(max(1, inverse)) / decades))
    }

    private func x(percent: Double) -> Double { x(percent >= 100 ? .infinity : 100 / (100 - percent)) }

    func drawn() -> Markup {
        let body =
            ticks + axis.drawn() + thinEnd + curve(excess, "p95", "excess latency") + curve(latency, "p50", "latency")
            + limits.map(drawn).joined() + axisTitle
        return Picture(
            id: Self.id,
            title: "Latency by percentile",
            finding: finding,
            height: axis.bottom + 42,
            attributes: " data-columns=\"\(Self.columns)\" data-left=\"\(Coordinate(TimeAxis.left))\"",
            body: body
        ).drawn
    }

    /// What the curves say, column by column, for the pointer and for those who read tables.
    var table: Table {
        let inverses = (0..<RunTimeline.columns).map { column in
            pow(10, decades * (Double(column) + 0.5) / Double(RunTimeline.columns))
        }
        let shares = inverses.map { 1 - 1 / $0 }
        let levels = [latency, excess].map { $0.levels(shares: shares) }
        return Table(
            caption: "latency by percentile",
            columns: [.text("percentile"), .number("latency"), .number("excess latency")],
            rows: inverses.indices.map { column in
                let digits = Int(log10(inverses[column])) + 1
                return ["\(FigureText.decimal(100 * shares[column], digits))"]
                    + levels.map { "\(Figures.duration(milliseconds: $0[column]))" as Markup }
            },
            times: (Self.columns, Array(inverses.indices))
        )
    }

    private var axisTitle: Markup {
        """
        <text class="axis" x="\(Coordinate(TimeAxis.left))" y="\(Coordinate(axis.bottom + 34))">\
        share of notifications that took no longer (%); each further nine has the same room</text>
        """
    }

    private var finding: String {
        let p50 = latency.quantile(hundredths: 50).map { FigureText.duration(milliseconds: $0) } ?? "-"
        let p95 = latency.quantile(hundredths: 95).map { FigureText.duration(milliseconds: $0) } ?? "-"
        let longest = latency.longest.map { FigureText.duration(milliseconds: $0) } ?? "-"
        let excess = excess.quantile(hundredths: 95).map { FigureText.duration(milliseconds: $0) } ?? "-"
        return "Of \(latency.samples) notifications half took \(p50) at most, 95% \(p95), all \(longest). "
            + "Of the excess latency 95% is \(excess) at most."
    }

    private var ticks: Markup {
        [0, 50, 90, 95, 99, 99.9, 99.99, 99.999].map { percent -> Markup in
            guard percent == 0 || log10(100 / (100 - percent)) <= decades else { return "" }
            let x = Coordinate(x(percent: percent))
            let label = percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
            return """
                <path class="grid" d="M\(x) \(Coordinate(axis.top))V\(Coordinate(axis.bottom))"/>\
                <text class="axis" x="\(x)" y="\(Coordinate(axis.bottom + 16))" text-anchor="middle">\(label)</text>
                """
        }.joined()
    }

    /// Where fewer than five samples lie beyond.
    private var thinEnd: Markup {
        guard latency.samples > 5 else { return "" }
        let x = x(Double(latency.samples) / 5)
        let label: Markup = """
            <text class="axis" x="\(Coordinate(TimeAxis.right - 6))" y="\(Coordinate(axis.bottom - 8))" text-anchor="end">\
            fewer than 5 samples</text>
            """
        return """
            <rect class="thin" x="\(Coordinate(x))" y="\(Coordinate(axis.top))" width="\(Coordinate(TimeAxis.right - x))" \
            height="\(Coordinate(axis.bottom - axis.top))"/>\(label)
            """
    }

    /// Steps: a level holds for the share of samples that have it. What moves less than half a unit is left out.
    private func curve(_ histogram: PooledHistogram, _ name: String, _ what: String) -> Markup {
        let samples = Double(histogram.samples)
        guard samples > 0 else { return "" }
        var path: Markup = ""
        var last = (x: -1.0, y: -1.0)
        for step in histogram.cumulative {
            let end = step.samples == histogram.samples ? x(samples) : x(samples / (samples - Double(step.samples)))
            let y = axis.y(step.bound)
            if path.isEmpty {
                path = "M\(Coordinate(TimeAxis.left)) \(Coordinate(y))H\(Coordinate(end))"
                last = (end, y)
            } else if end - last.x >= 0.5 || last.y - y >= 0.5 || step.samples == histogram.samples {
                path += "V\(Coordinate(y))H\(Coordinate(end))"
                last = (end, y)
            }
        }
        return "<path class=\"\(name)\" d=\"\(path)\"><title>\(what)</title></path>"
    }

    /// A dashed step up to the percentile of the requirement.
    private func drawn(_ limit: Limit) -> Markup {
        let y = axis.y(limit.milliseconds)
        let end = x(percent: limit.percent)
        return """
            <path class="limit" d="M\(Coordinate(TimeAxis.left)) \(Coordinate(y))H\(Coordinate(end))v-10">\
            <title>\(limit.label)</title></path>
            """
    }
}
