import Verdict

/// What stands behind the verdict: paths that were taken, faults that were in force, what must never happen.
struct ProofSection {
    let summary: SummaryData

    private static let violationsShown = 40

    var drawn: Markup {
        Section(id: "probes", title: "Probes and coverage", body: probes).drawn
            + Section(id: "invariants", title: "Invariants", body: invariants).drawn
    }

    private var probes: Markup {
        let reached = summary.probes.count { $0.seeds > 0 }
        let faults = summary.faults.isEmpty ? "none" : summary.faults.joined(separator: ", ")
        let coverage: Markup = """
            <p>\(reached) of \(summary.probes.count) probes reached; kinds of fault in force: \(PageText.sentence(faults)); \
            \(summary.delivery.expected) notifications expected and \(summary.delivery.optional) optional.</p>

            """
        guard !summary.probes.isEmpty else { return coverage }
        return coverage
            + Table(
                caption: "Paths that the scenario requires",
                columns: [.text("probe"), .text("verdict"), .number("times"), .number("seeds")],
                rows: summary.probes.map { probe in
                    let word = VerdictWord(probe.seeds > 0 ? .pass : .insufficient).markup
                    return ["<code>\(PageText.cut(probe.probe))</code>", word, "\(probe.count)", "\(probe.seeds)"]
                }
            ).drawn
    }

    private var invariants: Markup {
        let all = summary.invariants
        let names = all.checked.map { "<code>\(PageText.cut($0))</code>" as Markup }
        let checked: Markup = """
            <p>\(VerdictWord(all.broken == 0 ? .pass : .fail).markup) \(all.broken) broken of \(all.checked.count) checked: \
            \(names.enumerated().map { $0.offset == 0 ? $0.element : ", " + $0.element }.joined())</p>

            """
        guard !all.violations.isEmpty else { return checked }
        let table = Table(
            caption: "What must never happen and did",
            columns: [.text("invariant"), .number("seed"), .number("at"), .text("evidence")],
            rows: all.violations.prefix(Self.violationsShown).map { violation in
                [
                    "<code>\(PageText.cut(violation.invariant))</code>", "\(violation.seed)",
                    "\(FigureText.instant(milliseconds: Int64(violation.atSeconds * 1_000)))",
                    "\(PageText.sentence(violation.detail))",
                ]
            }
        )
        let left = all.broken - min(all.violations.count, Self.violationsShown)
        return checked + table.drawn + (left > 0 ? Section.note("And \(left) more.") : "")
    }
}
