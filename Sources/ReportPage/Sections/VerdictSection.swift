import Verdict

/// The verdict, what it claims and how to see it again. Nothing stands above it.
struct VerdictSection {
    let data: ReportData

    private var summary: SummaryData { data.summary }

    var drawn: Markup {
        """
        <section id="verdict" aria-labelledby="verdict-h">
        <div class="banner \(summary.verdict.rawValue)"><p class="verdict \(summary.verdict.rawValue)">\
        \(VerdictWord(summary.verdict).text)</p>
        <h1 id="verdict-h">\(PageText.cut(summary.scenario)): \(summary.seeds.count == 1 ? "seed" : "seeds") \(FigureText.seeds(summary.seeds))</h1>
        <p>\(PageText.sentence(summary.description))</p>
        <p><strong>\(reason)</strong> \(PageText.sentence(summary.claim))</p>
        \(repetition)</div>
        \(tiles)\(facts)</section>

        """
    }

    private var reason: String {
        guard let reason = summary.exitReason else { return "Exit code \(summary.exitCode)." }
        return "Exit code \(summary.exitCode): \(reason)."
    }

    private var repetition: Markup {
        let what = summary.verdict == .fail ? "To repeat the worst seed:" : "To repeat one seed:"
        guard let command = summary.reproduction else {
            return "<p class=\"muted\">This older report does not hold the command that repeats it.</p>\n"
        }
        return "<p>\(what)</p><pre><code>\(command)</code></pre>\n"
    }

    private var tiles: Markup {
        let delivery = summary.delivery
        let figures: [(name: String, value: String)] = [
            ("expected notifications", "\(delivery.expected)"), ("missed", "\(delivery.missed)"),
            ("shown twice", "\(delivery.duplicates)"), ("unexpected", "\(delivery.unexpected)"),
            ("latency p50", Figures.duration(summary.latencySeconds.p50)),
            ("latency p95", Figures.duration(summary.latencySeconds.p95)),
            ("latency max", Figures.duration(summary.latencySeconds.max)),
            ("excess latency p95", Figures.duration(summary.excessLatencySeconds.p95)),
        ]
        let items = figures.map { "<li><b>\($0.value)</b>\($0.name)</li>" as Markup }
        return "<ul class=\"tiles\">\(items.joined())</ul>\n"
    }

    private var facts: Markup {
        let rows: [(name: String, value: String)] = [
            ("build", summary.build), ("digest", summary.digest), ("behaviour", summary.behaviour),
            ("simulated", FigureText.duration(milliseconds: Int64(summary.simulatedSeconds * 1_000))),
            ("events", "\(summary.events)"),
            ("drained in", summary.drainedSeconds.map { Figures.duration($0) } ?? "never drained"),
            ("traffic", traffic),
        ]
        return
            "<dl>\(rows.map { "<dt>\($0.name)</dt><dd>\(PageText.sentence($0.value))</dd>" as Markup }.joined())</dl>\n"
    }

    private var traffic: String {
        let requests = summary.requests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let pushes = summary.pushes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "requests: \(requests.joined(separator: ", ")); pushes: \(pushes.joined(separator: ", "))"
    }
}
