import Verdict

/// Every setting with what it costs and brings, and how it stands to the others.
struct SweptSettings {
    let sweep: Sweep

    var body: Markup {
        let percent = FigureText.decimal(Sweep.confidence * 100, 0)
        return Table(
            caption:
                "Excess latency and requests of a seed to GitLab; in brackets where they lie, about \(percent) % each",
            columns: columns,
            rows: sweep.points.indices.map(row)
        ).drawn
    }

    private var columns: [Table.Column] {
        let settings = sweep.keys.map { Table.Column.text("notifier.\($0)") }
        let figures = SweepFigure.compared.map { Table.Column.number($0.name) }
        let wanted = sweep.wants.isEmpty ? [] : [Table.Column.text("wanted")]
        return [.number("#")] + settings + figures + [.number("requests"), .text("front")] + wanted + [.text("fails")]
    }

    private func row(_ index: Int) -> [Markup] {
        let point = sweep.points[index]
        let settings = point.settings.map { "<code>\(PageText.cut($0))</code>" as Markup }
        let figures = SweepFigure.compared.map { figure in
            text(point.latency(figure, confidence: Sweep.confidence)) { FigureText.precise(milliseconds: Int64($0)) }
        }
        let requests = text(point.requests(confidence: Sweep.confidence)) { FigureText.decimal($0, 0) }
        let fronts = zip(SweepFigure.compared, sweep.fronts).map { figure, front in
            "\(figure.name): \(Self.word(front.marks[index]))"
        }
        let recommended: Markup =
            index == sweep.recommended ? "<br><span class=\"word pass\">✓ recommended</span>" : ""
        let front: Markup = "\(fronts.joined(separator: "; "))\(recommended)"
        let wanted = sweep.wants.isEmpty ? [] : [standing(sweep.standings[index])]
        let failures: Markup = "\(PageText.sentence(point.failures.prefix(3).joined(separator: ", ")))"
        let number: Markup = "\(index + 1)"
        return [number] + settings + figures + [requests, front] + wanted + [failures]
    }

    private func standing(_ standing: Sweep.Standing) -> Markup {
        switch standing {
        case .kept: "<span class=\"word pass\">✓ kept</span>"
        case .unproven: "<span class=\"word insufficient\">? unproven</span>"
        case .broken: "<span class=\"word fail\">✗ broken</span>"
        }
    }

    private static func word(_ mark: ParetoFront.Mark) -> String {
        switch mark {
        case .onFront: "on it"
        case .perhaps(let other): "perhaps dominated by \(other + 1)"
        case .dominated(let other): "dominated by \(other + 1)"
        case .infeasible: "out of the question"
        }
    }

    private func text(_ estimate: SweepPoint.Estimate?, _ tell: (Double) -> String) -> Markup {
        guard let estimate else { return "-" }
        guard let interval = estimate.interval else { return "\(tell(estimate.value))" }
        return "\(tell(estimate.value)) (\(tell(interval.lower))–\(tell(interval.upper)))"
    }
}
