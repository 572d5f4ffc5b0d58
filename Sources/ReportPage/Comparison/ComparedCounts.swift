import Verdict

/// How often something happened on both sides that should not, and of how many.
struct ComparedCounts {
    let comparison: ReportComparison

    var body: Markup {
        let all = comparison.expected + comparison.counts + [comparison.invariants, comparison.crashes]
        return Table(
            caption: "Over \(comparison.wholeSeeds) seeds; crashes over \(comparison.seeds.count)",
            columns: [
                .text("count"), .number("A"), .number("B"), .number("seeds with more in B"),
                .number("seeds with less in B"), .text("such as"),
            ],
            rows: all.map { count in
                let examples = count.examples.isEmpty ? "" : "seeds \(FigureText.seeds(count.examples))"
                return [
                    "\(count.title)", "\(count.first)", "\(count.second)", "\(count.more)", "\(count.fewer)",
                    "\(examples)",
                ]
            }
        ).drawn
    }
}

/// Notifications that only one side delivered, or one much later than the other.
struct DifferingDeliveries {
    let comparison: ReportComparison

    private var all: DeliveryDifferences { comparison.deliveries }

    var body: Markup {
        summary
            + kind("Lost: delivered in A, missed in B", all.lost, of: "B") { difference in
                ["known after \(text(difference.first))", "missed\(cause(difference))"]
            }
            + kind("Won: missed in A, delivered in B", all.won, of: "A") { difference in
                ["missed\(cause(difference))", "known after \(text(difference.second))"]
            } + kind("Slower in B, by their excess latency", all.slower, of: "B", tell: excess)
            + kind("Faster in B, by their excess latency", all.faster, of: "A", tell: excess)
    }

    private var summary: Markup {
        let seconds = DeliveryDifferences.noticedMilliseconds / 1_000
        let alone: Markup = all.expectedByOne > 0 ? " \(all.expectedByOne) were expected on one side alone." : ""
        let left: Markup = all.leftOut > 0 ? " \(all.leftOut) are not listed in the reports." : ""
        return """
            <p>Of \(all.pairs) notifications expected on both sides \(all.lost.count) were lost, \(all.won.count) won, \
            \(all.slower.count) slower by more than \(seconds) s and \(all.faster.count) faster.\(alone)\(left)</p>

            """
    }

    private func kind(
        _ title: String,
        _ kind: DeliveryDifferences.Kind,
        of side: String,
        tell: (DeliveryDifferences.Difference) -> [Markup]
    ) -> Markup {
        guard !kind.kept.isEmpty else { return "" }
        let path = side == "A" ? comparison.first.path : comparison.second.path
        let table = Table(
            caption: title,
            columns: [.text("activity"), .number("seed"), .text("person"), .number("A"), .number("B")],
            rows: kind.kept.map { difference in
                [
                    "#\(difference.place.activity)", "\(difference.place.seed)",
                    "<bdi>@\(PageText.cut(difference.place.person))</bdi>",
                ] + tell(difference)
            }
        )
        let left = kind.count - kind.kept.count
        let first = kind.kept[0].place
        return """
            <h3>\(title): \(kind.count)</h3>
            \(table.drawn)\(left > 0 ? Section.note("And \(left) more.") : "")\
            <p class="muted">The story of the first: <code>simctl explain \(PageText.sentence(path)) \(first.activity) --seed \
            \(first.seed)</code></p>

            """
    }

    private func excess(_ difference: DeliveryDifferences.Difference) -> [Markup] {
        ["\(text(difference.first))", "\(text(difference.second))"]
    }

    private func cause(_ difference: DeliveryDifferences.Difference) -> String {
        difference.cause.map { ", \(PageText.cut($0))" } ?? ""
    }

    private func text(_ milliseconds: Int64?) -> String { Figures.duration(milliseconds: milliseconds) }
}
