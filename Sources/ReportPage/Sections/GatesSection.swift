import Verdict

/// Every requirement: what was seen, what is proven, how far from the limit, out of how many.
struct GatesSection {
    let summary: SummaryData

    /// More requirements than these are counted; failures come first.
    private static let shown = 400

    var drawn: Markup { Section(id: "gates", title: "Requirements", body: body).drawn }

    private var body: Markup {
        guard !summary.gates.isEmpty else {
            return Section.note("The scenario requires nothing, so nothing could be proven.") + crashes
        }
        let ordered = [Verdict.fail, .insufficient, .pass].flatMap { verdict in
            summary.gates.filter { $0.verdict == verdict }
        }
        let table = Table(
            caption: "\(summary.gates.count) requirements, failures first",
            columns: [
                .text("rule"), .text("verdict"), .number("observed"), .number("proven"), .number("margin"),
                .number("samples"), .text("note"),
            ],
            rows: ordered.prefix(Self.shown).map(row)
        )
        let left = ordered.count - Self.shown
        return table.drawn + (left > 0 ? Section.note("And \(left) more in summary.json.") : "") + crashes
    }

    private func row(_ gate: SummaryData.Gate) -> [Markup] {
        let rule = PageText.sentence(gate.rule)
        let anchor: String? =
            gate.metric.contains("atency") ? "latency" : gate.metric.hasPrefix("requests") ? "load" : nil
        let name: Markup = anchor.map { "<a href=\"#\($0)\"><code>\(rule)</code></a>" } ?? "<code>\(rule)</code>"
        return [
            name, VerdictWord(gate.verdict).markup, "\(PageText.cut(gate.observed))", "\(gate.bound ?? "")",
            "\(gate.margin ?? "")", "\(gate.samples)", "\(PageText.sentence(gate.note ?? ""))",
        ]
    }

    private static let crashesShown = 20
    private static let backtraceLines = 12

    private var crashes: Markup {
        guard !summary.crashes.isEmpty else { return "" }
        let items = summary.crashes.prefix(Self.crashesShown).map { crash -> Markup in
            let backtrace = crash.backtrace.split(separator: "\n").prefix(Self.backtraceLines)
                .map { "\(PageText.cut(String($0), to: 200))<br>" as Markup }
            return """
                <details><summary>seed \(crash.seed): \(PageText.sentence(crash.message))</summary>\
                <pre>\(backtrace.joined())</pre></details>

                """
        }
        let left = summary.crashes.count - Self.crashesShown
        return "<h3>The notifier crashed under \(summary.crashes.count) of \(summary.seeds.count) seeds</h3>\n"
            + items.joined() + (left > 0 ? Section.note("And \(left) more in summary.json.") : "")
    }
}
