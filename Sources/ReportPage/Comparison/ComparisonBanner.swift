import Verdict

/// What follows for B, and what A and B are. Nothing stands above it.
struct ComparisonBanner {
    let comparison: ReportComparison

    /// More settings of a side than these are counted.
    private static let settingsShown = 12

    var drawn: Markup {
        let word = ConclusionWord(comparison.conclusion)
        return """
            <section id="verdict" aria-labelledby="verdict-h">
            <div class="banner \(word.name)"><p class="verdict \(word.name)">\(word.text)</p>
            <h1 id="verdict-h">\(PageText.cut(comparison.scenario)): B held against A, \(seeds)</h1>
            \(sentence)\(lists)<p class="muted">Exit code \(comparison.exitCode.rawValue).</p></div>
            <dl>\(side("A, what was", comparison.first))\(side("B, what is asked about", comparison.second))</dl>
            \(identical)</section>

            """
    }

    private var seeds: Markup {
        "\(comparison.seeds.count == 1 ? "seed" : "seeds") \(FigureText.seeds(comparison.seeds))"
    }

    /// Lists say the same as the sentence where there are any.
    private var sentence: Markup {
        switch comparison.conclusion {
        case .better, .worse, .noLongerProven: ""
        case .noDifference, .tooFewSeeds: "<p><strong>\(Self.capital(comparison.sentence)).</strong></p>\n"
        }
    }

    private var lists: Markup {
        list("Worse in B", comparison.worse) + list("No longer proven in B", comparison.noLongerProven)
            + list("Better in B", comparison.better)
    }

    private func list(_ title: String, _ findings: [String]) -> Markup {
        guard !findings.isEmpty else { return "" }
        let items = findings.prefix(Self.settingsShown).map { "<li>\(PageText.sentence($0))</li>" as Markup }
        let left = findings.count - Self.settingsShown
        let more: Markup = left > 0 ? "<li>and \(left) more</li>" : ""
        return "<p><strong>\(title)</strong></p>\n<ul class=\"plain\">\(items.joined())\(more)</ul>\n"
    }

    private func side(_ title: String, _ side: ReportComparison.Side) -> Markup {
        let own = comparison.ownSettings(of: side)
        let settings = own.prefix(Self.settingsShown).map { ", <code>\(PageText.sentence($0))</code>" as Markup }
        let left = own.count - Self.settingsShown
        return """
            <dt>\(title)</dt><dd><code>\(PageText.sentence(side.path))</code>, build \(PageText.cut(side.build))\(settings.joined())\
            \(left > 0 ? " and \(left) more settings" as Markup : "")</dd>
            """
    }

    private var identical: Markup {
        guard comparison.identicalSeeds > 0 else { return "" }
        return Section.note(
            "\(comparison.identicalSeeds) of \(comparison.wholeSeeds) seeds ran alike to the last event."
        )
    }

    private static func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
