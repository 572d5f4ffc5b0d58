import Verdict

/// Each figure on both sides, the difference with its interval, and the differences seed by seed.
struct ComparedFigures {
    let comparison: ReportComparison

    var body: Markup {
        let strips = comparison.figures.filter { !$0.differences.values.isEmpty }.map { figure -> Markup in
            let strip = DifferenceStrip(figure: figure)
            return """
                <h3>\(figure.kind.title): \(verdict(figure))</h3>
                <figure>\(strip.drawn)<figcaption>\(strip.caption)</figcaption></figure>

                """
        }
        return table + strips.joined()
    }

    private var table: Markup {
        let percent = FigureText.decimal(ReportComparison.confidenceOfEach * 100, 2)
        let longest = comparison.longest
        return Table(
            caption: "Less is better; latency to the display of all seeds together, requests of a seed on average",
            columns: [
                .text("figure"), .number("A"), .number("B"), .number("B − A"), .number("\(percent) % interval"),
                .text("verdict"),
            ],
            rows: comparison.figures.map { row($0, verdict($0)) }
                + comparison.plain.map { row($0, "<span class=\"muted\">not judged</span>") }
                + [
                    [
                        "latency max", text(comparison.longestOfAll.first), text(comparison.longestOfAll.second), "",
                        "", "longer in \(longest.more) of \(comparison.wholeSeeds) seeds, shorter in \(longest.fewer)",
                    ]
                ]
        ).drawn
    }

    private func row(_ figure: ComparedFigure, _ verdict: Markup) -> [Markup] {
        let kind = figure.kind
        let interval = figure.interval.map { "\(kind.signed($0.lower)) to \(kind.signed($0.upper))" } ?? "too few seeds"
        return [
            "\(kind.title)", "\(figure.first.map(kind.text) ?? "-")", "\(figure.second.map(kind.text) ?? "-")",
            "\(figure.difference.map(kind.signed) ?? "-")", "\(interval)", verdict,
        ]
    }

    private func verdict(_ figure: ComparedFigure) -> Markup {
        if figure.isWorse { return "<span class=\"word fail\">✗ worse</span>" }
        if figure.isBetter { return "<span class=\"word pass\">✓ better</span>" }
        guard figure.interval != nil else { return "<span class=\"word insufficient\">? too few seeds</span>" }
        let size = figure.detectable.flatMap {
            $0 > 0 ? ", and more than \(figure.kind.text($0)) would have shown" : nil
        }
        return "no difference seen\(size ?? "")"
    }

    private func text(_ milliseconds: Int64?) -> Markup { "\(Figures.duration(milliseconds: milliseconds))" }
}
