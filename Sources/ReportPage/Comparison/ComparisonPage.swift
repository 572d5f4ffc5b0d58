package import Verdict

/// A comparison as one file that opens from disk: verdict first, then what it stands on. No script; of equal comparisons every byte is equal.
package enum ComparisonPage {
    /// What every page begins with, so that an older one is told from somebody's own file.
    package static let beginning = "<!DOCTYPE html>\n<html lang=\"en\" data-page=\"comparison\">\n<head>"

    /// The page of a comparison.
    package static func text(_ comparison: ReportComparison) -> String {
        let word = ConclusionWord(comparison.conclusion).text
        let page: Markup = """
            \(Markup(stringLiteral: beginning))
            <meta charset="utf-8">
            \(PageHead(title: "\(word) \(PageText.cut(comparison.scenario))", hasScript: false).drawn)\
            </head>
            <body>
            <a class="skip" href="#figures">Skip to the figures</a>
            <main>
            \(ComparisonBanner(comparison: comparison).drawn)\(navigation)\(sections(comparison))</main>
            </body>
            </html>

            """
        return page.text
    }

    private static let titles: [(id: String, title: String)] = [
        ("figures", "Figures"), ("counts", "Counts"), ("gates", "Requirements that changed side"),
        ("deliveries", "Notifications that differ"), ("again", "How it was compared"),
    ]

    private static var navigation: Markup {
        let links = titles.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" as Markup }
        return "<nav aria-label=\"Sections\"><ul>\(links.joined())</ul></nav>\n"
    }

    private static func sections(_ comparison: ReportComparison) -> Markup {
        let bodies = [
            ComparedFigures(comparison: comparison).body, ComparedCounts(comparison: comparison).body,
            gates(comparison), DifferingDeliveries(comparison: comparison).body, again(comparison),
        ]
        return zip(titles, bodies).map { Section(id: $0.id, title: $0.title, body: $1).drawn }.joined()
    }

    // MARK: requirements

    private static let gatesShown = 400

    private static func gates(_ comparison: ReportComparison) -> Markup {
        guard comparison.hasAllSeeds else {
            return Section.note("The reports have not the same seeds, so that their requirements were not compared.")
        }
        guard !comparison.gates.isEmpty else { return Section.note("Every requirement was judged alike in both.") }
        let table = Table(
            caption: "\(comparison.gates.count) requirements that were judged otherwise",
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
        case .noDifference: (text, name) = ("= NO DIFFERENCE SEEN", "same")
        case .tooFewSeeds: (text, name) = ("? TOO FEW SEEDS", "insufficient")
        }
    }
}
