/// The latency table of the terminal: quantiles by kind of activity and where the slowest hundredth spent its time.
struct LatencyTable {
    private let rows: [LatencyFigures]

    init(_ report: RunReport) { rows = LatencyFigures.rows(report.results) }

    var lines: [String] {
        guard let all = rows.first else { return ["latency      nothing was displayed"] }
        var lines = [line("latency", ["p50", "p90", "p99", "max"], "where the slowest 1% went")]
        lines += rows.map { line(" \($0.name)", Self.quantiles($0.latency), Self.parts($0)) }
        lines.append(line(" excess", Self.quantiles(all.excess), "outages, limits and downtimes taken out"))
        if all.latency.count < LatencyJudge.samplesForP99 {
            lines.append(" p99: insufficient, \(all.latency.count) of \(LatencyJudge.samplesForP99) samples")
        }
        return lines
    }

    private func line(_ name: String, _ cells: [String], _ last: String) -> String {
        let start = TerminalText.padded(name, to: 12) + cells.map { TerminalText.padded($0, to: 7) }.joined()
        return TerminalText.trimmed(start + last)
    }

    private static func quantiles(_ samples: LatencySamples) -> [String] {
        [samples.percentile(50), samples.percentile(90), LatencyFigures.p99(samples), samples.maximum]
            .map { $0.map { FigureText.duration(milliseconds: $0) } ?? "-" }
    }

    /// As many owners as fit, the largest first.
    private static func parts(_ figures: LatencyFigures) -> String {
        var text = ""
        for part in figures.slowestParts {
            let next = "\(part.owner.label) \(FigureText.duration(milliseconds: part.nanoseconds / 1_000_000))"
            let longer = text.isEmpty ? next : "\(text) | \(next)"
            guard longer.count <= TerminalSummary.width - 40 else { break }
            text = longer
        }
        return text
    }
}
