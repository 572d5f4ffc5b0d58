package import Verdict

/// A sweep as one file that opens from disk: what it recommends first, then every setting and the front. No script; of equal sweeps every byte
/// is equal.
package enum SweepPage {
    /// What every page begins with, so that an older one is told from somebody's own file.
    package static let beginning = PlainPage.beginning("sweep")

    /// The page of a sweep.
    package static func text(_ sweep: Sweep) -> String {
        PlainPage(
            title: "Sweep of \(PageText.cut(sweep.scenario))",
            skip: ("settings", "Skip to the settings"),
            banner: banner(sweep),
            parts: [
                .init(id: "front", title: "Latency against requests", body: front(sweep)),
                .init(id: "settings", title: "Settings", body: SweptSettings(sweep: sweep).body),
                .init(id: "reports", title: "Reports", body: reports(sweep)),
            ]
        )
        .text(beginning)
    }

    /// The front of the 95th percentile as a picture by itself, in SVG; nil where no setting displayed anything.
    package static func picture(_ sweep: Sweep) -> String? {
        guard let figure = SweepFigure.compared.firstIndex(where: { $0.name.contains("p95") }) else { return nil }
        let chart = FrontChart(sweep: sweep, figure: figure)
        return chart.isEmpty ? nil : chart.file()
    }

    private static func banner(_ sweep: Sweep) -> Markup {
        let (word, name) =
            switch sweep.exitCode {
            case .met where sweep.recommended != nil: ("✓ RECOMMENDED", "pass")
            case .met: ("= COMPARED", "same")
            case .insufficientEvidence: ("? NOT PROVEN", "insufficient")
            default: ("✗ NONE", "fail")
            }
        return """
            <section id="verdict" aria-labelledby="verdict-h">
            <div class="banner \(name)"><p class="verdict \(name)">\(word)</p>
            <h1 id="verdict-h">\(PageText.cut(sweep.scenario)): \(sweep.points.count) settings, seeds \(FigureText.seeds(sweep.seeds))</h1>
            <p><strong>\(PageText.cut(sweep.sentence, to: 1_000))</strong></p>
            <p class="muted">Exit code \(sweep.exitCode.rawValue).</p></div></section>

            """
    }

    private static func front(_ sweep: Sweep) -> Markup {
        let charts = SweepFigure.compared.indices.compactMap { figure -> Markup? in
            let chart = FrontChart(sweep: sweep, figure: figure)
            guard !chart.isEmpty else { return nil }
            return """
                <h3>\(SweepFigure.compared[figure].name)</h3>
                <figure>\(chart.drawn)<figcaption>\(chart.finding) The number is that of the setting in the table; bars: where it lies, about \
                95 % each. Diamond: on the front; circle: perhaps dominated; small square: dominated; cross: fails a requirement.</figcaption></figure>

                """
        }
        return charts.isEmpty ? Section.note("No setting displayed anything.") : charts.joined()
    }

    private static func reports(_ sweep: Sweep) -> Markup {
        let rows = sweep.points.indices.map { index -> Markup in
            "<li>\(index + 1): <code>\(PageText.sentence(sweep.points[index].path))</code></li>"
        }
        return "<ul class=\"plain\">\(rows.joined())</ul>\n"
    }
}
