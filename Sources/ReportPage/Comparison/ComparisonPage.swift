package import Verdict

/// A comparison as one file that opens from disk: verdict first, then what it stands on. No script; of equal comparisons every byte is equal.
package enum ComparisonPage {
    /// What every page begins with, so that an older one is told from somebody's own file.
    package static let beginning = PlainPage.beginning("comparison")

    /// The page of a comparison.
    package static func text(_ comparison: ReportComparison) -> String {
        PlainPage(
            title: "\(ConclusionWord(comparison.conclusion).text) \(PageText.cut(comparison.scenario))",
            skip: ("figures", "Skip to the figures"),
            banner: ComparisonBanner(comparison: comparison).drawn,
            parts: [
                .init(id: "figures", title: "Figures", body: ComparedFigures(comparison: comparison).body),
                .init(id: "counts", title: "Counts", body: ComparedCounts(comparison: comparison).body),
                .init(id: "gates", title: "Requirements that changed side", body: gates(comparison)),
                .init(
                    id: "deliveries",
                    title: "Notifications that differ",
                    body: DifferingDeliveries(comparison: comparison).body
                ),
                .init(id: "again", title: "How it was compared", body: again(comparison)),
            ]
        )
        .text(beginning)
    }

    // MARK: requirements

    private static let gatesShown = 400

    private static func gates(_ comparison: ReportComparison) -> Markup {
        guard comparison.hasAllSeeds else {
            return Section.note("The reports do not have the same seeds, so their requirements were not compared.")
        }
        guard !comparison.gates.isEmpty else { return Section.note("Every requirement was judged alike in both.") }
        let table = Table(
            caption: "\(comparison.gates.count) requirements that were judged differently",
            columns: [.text("rule"), .text("A"), .text("B")],
            rows: comparison.gates.prefix(gatesShown).map { gate in
                [
                    "<code>\(PageText.sentence(gate.rule))</code>", VerdictWord(gate.first).markup,
                    VerdictWord(gate.second).markup,
                ]
            }
        )
        let left = comparison.gates.count - gatesShown
        return table.drawn + (left > 0 ? Section.note("And \(left) more.") : "")
    }

    // MARK: how

    private static func again(_ comparison: ReportComparison) -> Markup {
        let percent = FigureText.decimal(ReportComparison.confidenceOfEach * 100, 2)
        let paths = [comparison.first.path, comparison.second.path].map { PageText.sentence($0) }
        return """
            <pre><code>simctl compare \(paths[0]) \(paths[1])</code></pre>
            <p>Both sides ran the same worlds, seed by seed; a difference is that of B less A under one seed, so that less than zero is \
            better. All judged figures together hold at 95 %, each interval at \(percent) %. Percentiles of plain latency jump with how \
            long an outage lasts and are shown without a verdict.</p>

            """
    }
}

/// A conclusion with its sign and word, which say it without a colour.
struct ConclusionWord {
    let text: String
    /// The class of its colour.
    let name: String

    init(_ conclusion: ReportComparison.Conclusion) {
        switch conclusion {
        case .better: (text, name) = ("✓ BETTER", "pass")
        case .worse: (text, name) = ("✗ WORSE", "fail")
        case .noLongerProven: (text, name) = ("? NO LONGER PROVEN", "insufficient")
        case .noDifference: (text, name) = ("= NO DIFFERENCE SEEN", "same")
        case .tooFewSeeds: (text, name) = ("? TOO FEW SEEDS", "insufficient")
        }
    }
}
