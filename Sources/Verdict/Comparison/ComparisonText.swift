/// A comparison for people.
package enum ComparisonText {
    /// Deliveries of each kind that are named; the JSON has more.
    static let named = 10

    /// The whole comparison, or the sentence alone.
    package static func render(_ comparison: ReportComparison, isQuiet: Bool) -> String {
        let sentence = TerminalText.wrapped(comparison.sentence, width: TerminalSummary.width)
        guard !isQuiet else { return joined(sentence) }
        var blocks = [head(comparison), figures(comparison), counts(comparison)]
        blocks += [gates(comparison), deliveries(comparison), sentence]
        return blocks.filter { !$0.isEmpty }.map(joined).joined(separator: "\n")
    }

    private static func joined(_ lines: [String]) -> String {
        lines.map { TerminalText.trimmed(TerminalText.plain($0)) + "\n" }.joined()
    }

    // MARK: blocks

    private static func head(_ comparison: ReportComparison) -> [String] {
        let seeds = FigureText.seeds(comparison.seeds)
        let others = comparison.hasAllSeeds ? "" : ", others left out and gates not compared"
        let alike = comparison.identicalSeeds > 0 ? "; \(comparison.identicalSeeds) ran alike to the last event" : ""
        return [
            "\(comparison.scenario)   seeds \(seeds) in both\(others)\(alike)",
            " A  \(side(comparison.first, of: comparison))",
            " B  \(side(comparison.second, of: comparison))",
        ]
    }

    /// Settings that are the same on both sides are left out.
    private static func side(_ side: ReportComparison.Side, of comparison: ReportComparison) -> String {
        let settings = comparison.ownSettings(of: side).map { "   \($0)" }.joined()
        return "\(side.path)   build \(side.build)\(settings)"
    }

    private static func figures(_ comparison: ReportComparison) -> [String] {
        let percent = FigureText.decimal(ReportComparison.confidenceOfEach * 100, 2)
        var rows = [["", "A", "B", "B - A", "\(percent)% interval", ""]]
        rows += comparison.figures.map { row($0, verdict: $0.isWorse ? "worse" : $0.isBetter ? "better" : "") }
        rows += comparison.plain.map { row($0, verdict: "not judged") }
        let longest = comparison.longest
        let side = "longer in \(longest.more) of \(comparison.wholeSeeds), shorter in \(longest.fewer)"
        rows.append([
            "latency max", duration(comparison.longestOfAll.first), duration(comparison.longestOfAll.second), "",
            side, "not judged",
        ])
        return aligned(rows)
    }

    private static func row(_ figure: ComparedFigure, verdict: String) -> [String] {
        let kind = figure.kind
        let interval = figure.interval.map { "\(kind.signed($0.lower)) to \(kind.signed($0.upper))" } ?? "too few seeds"
        return [
            kind.title, figure.first.map(kind.text) ?? "-", figure.second.map(kind.text) ?? "-",
            figure.difference.map(kind.signed) ?? "-", interval, verdict,
        ]
    }

    private static func counts(_ comparison: ReportComparison) -> [String] {
        let all = comparison.expected + comparison.counts + [comparison.invariants, comparison.crashes]
        return aligned(
            all.map { count in
                let differ = count.more + count.fewer > 0
                return [
                    count.title, "\(count.first)", "\(count.second)",
                    differ ? "more under \(count.more) seeds, less under \(count.fewer)" : "",
                ]
            }
        )
    }

    private static func gates(_ comparison: ReportComparison) -> [String] {
        guard !comparison.gates.isEmpty else { return [] }
        let rows = comparison.gates.map { [$0.rule, "\($0.first.label) -> \($0.second.label)"] }
        return ["gates that changed side"] + aligned(rows)
    }

    private static func deliveries(_ comparison: ReportComparison) -> [String] {
        let all = comparison.deliveries
        let seconds = DeliveryDifferences.noticedMilliseconds / 1_000
        var head =
            "notifications  \(all.pairs) expected in both: \(all.lost.count) lost, \(all.won.count) won, "
            + "\(all.slower.count) slower by more than \(seconds) s, \(all.faster.count) faster"
        if all.expectedByOne > 0 { head += "; \(all.expectedByOne) expected in one alone" }
        if all.leftOut > 0 { head += "; \(all.leftOut) not listed in the reports" }
        var rows = lines("lost", all.lost) {
            "after \(duration($0.first)) in A\($0.cause.map { ", \($0) in B" } ?? "")"
        }
        rows += lines("won", all.won) { "after \(duration($0.second)) in B\($0.cause.map { ", \($0) in A" } ?? "")" }
        rows += lines("slower", all.slower) { "excess \(duration($0.first)) -> \(duration($0.second))" }
        rows += lines("faster", all.faster) { "excess \(duration($0.first)) -> \(duration($0.second))" }
        return [head] + rows
    }

    private static func lines(
        _ title: String,
        _ kind: DeliveryDifferences.Kind,
        _ tell: (DeliveryDifferences.Difference) -> String
    ) -> [String] {
        let rows = kind.kept.prefix(named).map { difference in
            let place = difference.place
            return [
                title, "seed \(place.seed)", "activity \(place.activity)", TerminalText.cut(place.person, to: 24),
                tell(difference),
            ]
        }
        let more = kind.count > rows.count ? [" \(title)  \(kind.count - rows.count) more"] : []
        return aligned(rows) + more
    }

    // MARK: text

    private static func duration(_ milliseconds: Int64?) -> String {
        milliseconds.map { FigureText.precise(milliseconds: $0) } ?? "-"
    }

    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            " " + zip(row, widths).map { TerminalText.padded($0, to: $1) }.joined(separator: "  ")
        }
    }
}
