package import Verdict

/// A growth as one file that opens from disk: where it breaks and what gave way, then the curves and every size. No script; of equal
/// growths every byte is equal.
package enum GrowthPage {
    /// What every page begins with, so that an older one is told from somebody's own file.
    package static let beginning = PlainPage.beginning("growth")

    /// The page of a growth.
    package static func text(_ growth: Growth) -> String {
        PlainPage(
            title: "Growth of \(PageText.cut(growth.scenario))",
            skip: ("sizes", "Skip to the sizes"),
            banner: banner(growth),
            parts: [
                .init(id: "latency", title: "Latency by size", body: figure(.latency(growth), of: growth)),
                .init(id: "load", title: "Requests by size", body: figure(.load(growth), of: growth)),
                .init(id: "sizes", title: "Sizes", body: GrowthSizes(growth: growth).body),
                .init(id: "reports", title: "Reports", body: reports(growth)),
            ]
        )
        .text(beginning)
    }

    /// Excess latency by size as a picture by itself, in SVG; nil where no size displayed anything.
    package static func picture(_ growth: Growth) -> String? {
        growth.points.contains { $0.p95 != nil } ? GrowthChart.latency(growth).file() : nil
    }

    private static func banner(_ growth: Growth) -> Markup {
        let (word, name) =
            switch growth.exitCode {
            case .met: growth.knee == nil ? ("✓ HOLDS", "pass") : ("✓ FOUND", "pass")
            case .insufficientEvidence: ("? NOT PROVEN", "insufficient")
            default: ("✗ BREAKS", "fail")
            }
        let explanation = growth.explanation.map { "<li>\(PageText.sentence($0))</li>" as Markup }
        return """
            <section id="verdict" aria-labelledby="verdict-h">
            <div class="banner \(name)"><p class="verdict \(name)">\(word)</p>
            <h1 id="verdict-h">\(PageText.cut(growth.scenario)): \(growth.points.count) sizes along \(growth.along), seeds \
            \(FigureText.seeds(Array(growth.seeds)))</h1>
            <p><strong>\(PageText.cut(growth.sentence, to: 1_000))</strong></p>
            <ul class="plain">\(explanation.joined())</ul>
            <p class="muted">Until \(PageText.sentence(growth.rules.joined(separator: ", "))). Exit code \(growth.exitCode.rawValue).</p>\
            </div></section>

            """
    }

    private static func figure(_ chart: GrowthChart, of growth: Growth) -> Markup {
        guard !growth.points.isEmpty else { return Section.note("No size was judged.") }
        return """
            <figure>\(chart.drawn)<figcaption>\(chart.finding) Diamond: the requirements hold; circle: not proven; cross: they break. \
            Shaded: between the two ends.</figcaption></figure>

            """
    }

    private static func reports(_ growth: Growth) -> Markup {
        let rows = growth.points.map { "<li>\($0.size): <code>\(PageText.sentence($0.report))</code></li>" as Markup }
        return "<ul class=\"plain\">\(rows.joined())</ul>\n"
    }
}

extension GrowthChart {
    /// Excess latency: half of all, 95 of 100, the longest.
    fileprivate static func latency(_ growth: Growth) -> GrowthChart {
        let ends = [growth.points.first, growth.points.last].compactMap { point in
            point?.p95.map { "\(FigureText.decimal($0, 1)) s with \(growth.text(point?.size ?? 0))" }
        }
        return GrowthChart(
            growth: growth,
            id: "growth-latency",
            title: "Excess latency by size",
            finding:
                "The 95th percentile is \(ends.joined(separator: " and ")). Solid: the median; dashed: the 95th percentile; "
                + "squares: the longest.",
            curves: [
                Curve(label: "p50", line: "p50") { $0.p50.map { $0 * 1_000 } },
                Curve(label: "p95", line: "p95") { $0.p95.map { $0 * 1_000 } },
                Curve(label: "max", line: nil) { $0.longest.map { $0 * 1_000 } },
            ],
            text: { FigureText.precise(milliseconds: Int64($0)) },
            upward: "excess latency, from zero"
        )
    }

    /// What the busiest hour of a person asks, with what it may.
    fileprivate static func load(_ growth: Growth) -> GrowthChart {
        let most = growth.points.map(\.peakHour).max() ?? 0
        var levels = [Level(label: "the budget (requestsPerHour), \(growth.budget)", value: Double(growth.budget))]
        if let limit = growth.limitPerHour, limit != growth.budget {
            levels.append(Level(label: "GitLab's limiter, \(limit)", value: Double(limit)))
        }
        return GrowthChart(
            growth: growth,
            id: "growth-load",
            title: "Requests for one person in the busiest hour, by size",
            finding: "At most \(most), of a budget of \(growth.budget).",
            curves: [Curve(label: "requests", line: "p50") { Double($0.peakHour) }],
            levels: levels,
            text: { FigureText.decimal($0, 0) },
            upward: "requests to GitLab, from zero"
        )
    }
}
