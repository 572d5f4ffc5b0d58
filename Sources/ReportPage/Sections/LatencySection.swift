import Platform
import Verdict

/// How long it took: over time, by percentile, and whose time it was.
struct LatencySection {
    let data: ReportData

    /// Percentiles need a few samples to be a curve.
    private static let samplesForCurve = 5

    var drawn: Markup { Section(id: "latency", title: "Latency", body: overTime + percentiles + owners).drawn }

    // MARK: over time

    private var overTime: Markup {
        guard let timeline = data.timeline else { return Section.note(TimelineSection.missing) }
        guard timeline.displayed > 0 else {
            return Section.note("Nothing was displayed, so there is no latency to show.")
        }
        let bounds = limits.filter { $0.isOfLatency && $0.percent == 100 }
        let chart = LatencyOverTime(timeline, limits: bounds)
        let dashes: Markup =
            bounds.isEmpty ? "" : "Long dashes: \(bounds.map(\.label).joined(separator: "; ")). "
        let seeds = data.summary.seeds.count > 1 ? "of seed \(timeline.seed), the one that is told in detail" : ""
        return """
            <h3>Over time</h3>
            <figure>\(chart.drawn())<figcaption>Every notification that was displayed \(seeds) stands where its activity was \
            done. \(legend(timeline)) Below: <b>✕</b> missed, <b>○</b> shown twice or unexpected. \(dashes)\(chart.finding)</figcaption></figure>
            \(NotificationList(timeline: timeline).drawn)\(columns(timeline))
            """
    }

    private func legend(_ timeline: RunTimeline) -> Markup {
        guard timeline.cells.isEmpty else {
            let classes = LatencyOverTime.classes.map(\.label).joined(separator: ", ")
            return
                "Cells are darker (in dark colours: lighter) for \(classes) notifications; solid line: median of a column; dashed line: 95th percentile; dots: the longest."
        }
        let keys = OwnerFamily.allCases.map { "\($0.key) \($0.label)" as Markup }
        return
            "Shape and colour say who owns most of the time: \(keys.enumerated().map { $0.offset == 0 ? $0.element : ", " + $0.element }.joined())."
    }

    private func columns(_ timeline: RunTimeline) -> Markup {
        let axis = TimeAxis(timeline: timeline)
        let busy = timeline.slots.indices.filter { timeline.slots[$0].displayed > 0 }
        let rows = busy.map { column -> [Markup] in
            let slot = timeline.slots[column]
            return [
                "\(FigureText.instant(milliseconds: axis.instant(column: column)))", "\(slot.displayed)",
                "\(Figures.duration(milliseconds: slot.p50))", "\(Figures.duration(milliseconds: slot.p95))",
                "\(Figures.duration(milliseconds: slot.longest))",
            ]
        }
        let width = FigureText.duration(milliseconds: timeline.columnMilliseconds)
        return Section.data(
            Table(
                caption: "latency in columns of \(width)",
                columns: [.text("from"), .number("displayed"), .number("p50"), .number("p95"), .number("max")],
                rows: rows,
                times: (LatencyOverTime.columns, busy)
            )
        )
    }

    // MARK: by percentile

    private var percentiles: Markup {
        guard data.latency.samples >= Self.samplesForCurve else {
            return Section.note(
                "\(data.latency.samples) notifications were displayed: too few for a curve of percentiles."
            )
        }
        let curve = PercentileCurve(latency: data.latency, excess: data.excess, limits: limits)
        let limits = self.limits
        let dashed: Markup =
            limits.isEmpty
            ? "No requirement is about a percentile of the whole run."
            : "Long dashes: \(limits.map(\.label).joined(separator: "; "))."
        return """
            <h3>By percentile</h3>
            <figure>\(curve.drawn())<figcaption>Solid: latency. Short dashes: excess latency, the part that nobody is excused \
            from. \(dashed) \(data.latency.samples) notifications of all seeds.</figcaption></figure>
            \(Section.data(curve.table))\(quantiles)
            """
    }

    private var quantiles: Markup {
        let rows = [("latency", data.summary.latencySeconds), ("excess latency", data.summary.excessLatencySeconds)]
        return Table(
            caption: "Percentiles; p99 from 299 samples on",
            columns: [
                .text("of"), .number("samples"), .number("p50"), .number("p90"), .number("p95"), .number("p99"),
                .number("max"),
            ],
            rows: rows.map { name, figures in
                ["\(name)", "\(figures.samples)"]
                    + [figures.p50, figures.p90, figures.p95, figures.p99, figures.max].map {
                        "\(Figures.duration($0))" as Markup
                    }
            }
        ).drawn
    }

    /// Requirements of the form `latency.p95 <= 2m` that are about everything.
    private var limits: [PercentileCurve.Limit] {
        data.summary.gates.compactMap { gate in
            let words = gate.rule.split(separator: " ").map(String.init)
            guard words.count >= 3, words[0] == gate.metric, words[1].hasPrefix("<"), !gate.rule.contains(","),
                let limit = DurationNotation.parse(words[2])
            else { return nil }
            let percents = ["p50": 50.0, "p90": 90, "p95": 95, "p99": 99, "max": 100]
            guard let name = gate.metric.split(separator: ".").last, let percent = percents[String(name)],
                gate.metric.lowercased().contains("latency")
            else { return nil }
            let milliseconds = limit.components.seconds * 1_000 + limit.components.attoseconds / 1_000_000_000_000_000
            return PercentileCurve.Limit(
                label: PageText.sentence(gate.rule),
                percent: percent,
                milliseconds: milliseconds,
                isOfLatency: gate.metric.hasPrefix("latency.")
            )
        }
    }

    // MARK: whose time

    private var owners: Markup {
        let all = parts(data.summary.owners.meanSeconds)
        let slowest = parts(data.summary.owners.slowestMeanSeconds)
        let bars = [OwnerBars.Bar(name: "all", parts: all), OwnerBars.Bar(name: "slowest 1 %", parts: slowest)]
            .filter { $0.total > 0 }
        guard !bars.isEmpty else { return Section.note("Nobody's time was spent: nothing was displayed.") }
        let families = OwnerFamily.allCases.map { family -> Markup in
            "<li data-family=\"\(family.rawValue)\" data-owners=\"\(family.owners.joined(separator: " "))\">\(family.key) \(family.label): \(family.owners.joined(separator: ", "))</li>"
        }
        return """
            <h3>Where the time went</h3>
            <figure>\(OwnerBars(bars: bars).drawn())<figcaption>Mean time of a notification by who owned it; each bar is as \
            long as its own total.</figcaption></figure>
            <ul class="plain" id="owners">\(families.joined())</ul>
            \(ownerTable(bars))
            """
    }

    private func parts(_ means: [String: Double]?) -> [(owner: String, seconds: Double)] {
        OwnerFamily.allCases.flatMap(\.owners).compactMap { owner in
            means?[owner].map { (owner, max(0, $0)) }
        }
    }

    private func ownerTable(_ bars: [OwnerBars.Bar]) -> Markup {
        let owners = OwnerFamily.allCases.flatMap(\.owners).filter { owner in
            bars.contains { $0.parts.contains { $0.owner == owner && $0.seconds > 0 } }
        }
        return Table(
            caption: "Mean time by owner",
            columns: [.text("owner")] + bars.map { .number($0.name) },
            rows: owners.map { owner in
                ["\(owner)"]
                    + bars.map { bar in
                        bar.parts.first { $0.owner == owner }.map { "\(OwnerBars.text($0.seconds))" } ?? "-"
                    }
            }
        ).drawn
    }
}
