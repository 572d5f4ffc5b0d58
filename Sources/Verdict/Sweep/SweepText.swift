/// A sweep for people.
package enum SweepText {
    /// The whole table, or the sentence alone.
    package static func render(_ sweep: Sweep, isQuiet: Bool) -> String {
        let sentence = TerminalText.wrapped(sweep.sentence, width: TerminalSummary.width).map { $0 + "\n" }.joined()
        guard !isQuiet else { return TerminalText.plainLines(sentence) }
        let head = "\(sweep.scenario)   seeds \(FigureText.seeds(sweep.seeds))   \(sweep.points.count) settings\n"
        let rows = TerminalText.aligned([titles(sweep)] + sweep.points.indices.map { row(sweep, $0) })
        return TerminalText.plainLines([head, rows, legend(sweep), sentence].joined(separator: "\n"))
    }

    private static func titles(_ sweep: Sweep) -> [String] {
        ["#"] + sweep.keys + ["p50 s", "p95 s", "max s", "requests", "front"] + (sweep.wants.isEmpty ? [] : ["want"])
            + [""]
    }

    private static func row(_ sweep: Sweep, _ index: Int) -> [String] {
        let point = sweep.points[index]
        let figures = SweepFigure.compared.map { figure in
            text(point.latency(figure, confidence: Sweep.confidence)) { FigureText.decimal($0 / 1_000, 1) }
        }
        let requests = text(point.requests(confidence: Sweep.confidence)) { FigureText.decimal($0, 0) }
        let marks = sweep.fronts.map { sign($0.marks[index]) }.joined(separator: " ")
        let want = sweep.wants.isEmpty ? [] : [word(sweep.standings[index])]
        let failures = point.isFeasible ? "" : "fails: " + point.failures.prefix(3).joined(separator: ", ")
        return ["\(index + 1)"] + point.settings.map { TerminalText.cut($0, to: 40) } + figures
            + [requests, marks] + want + [failures]
    }

    private static func legend(_ sweep: Sweep) -> String {
        let percent = FigureText.decimal(Sweep.confidence * 100, 0)
        return [
            " Excess latency and requests of a seed to GitLab; in brackets where they lie, about \(percent)% each.",
            " Front: less latency against fewer requests, by p50, p95 and max: * on it, ?N perhaps dominated by N,",
            " <N dominated by N, x fails a requirement.", "",
        ].joined(separator: "\n")
    }

    private static func sign(_ mark: ParetoFront.Mark) -> String {
        switch mark {
        case .onFront: "*"
        case .perhaps(let other): "?\(other + 1)"
        case .dominated(let other): "<\(other + 1)"
        case .infeasible: "x"
        }
    }

    private static func word(_ standing: Sweep.Standing) -> String {
        switch standing {
        case .kept: "kept"
        case .unproven: "unproven"
        case .broken: "broken"
        }
    }

    private static func text(_ estimate: SweepPoint.Estimate?, _ tell: (Double) -> String) -> String {
        guard let estimate else { return "-" }
        guard let interval = estimate.interval else { return tell(estimate.value) }
        return "\(tell(estimate.value)) (\(tell(interval.lower))-\(tell(interval.upper)))"
    }
}
