import Verdict

/// Every size that was tried, with its figures and how it stands to the requirements.
struct GrowthSizes {
    let growth: Growth

    var body: Markup {
        Table(
            caption:
                "Excess latency; activities of a seed; peak hour: the most requests for one person in an hour; waits: polls that "
                + "waited for the budget; shared: requests that waited for the budget of all people together",
            columns: columns,
            rows: growth.points.map(row)
        ).drawn
    }

    /// People and items tell the size, but for a rate.
    private var columns: [Table.Column] {
        (growth.isOfRate ? [.number("rate %")] : []) + [
            .number("people"), .number("items"), .number("activities"), .number("p50"), .number("p95"), .number("max"),
            .number("peak hour"), .number("429s"), .number("waits"), .number("shared"), .text("slowest hundredth"),
            .text("requirements"),
        ]
    }

    private func row(_ point: GrowthPoint) -> [Markup] {
        let slowest = point.slowestOwner.map { "\($0.owner) \(FigureText.decimal($0.seconds, 0)) s" } ?? "-"
        return (growth.isOfRate ? ["\(point.size)"] : []) + [
            "\(point.people)", "\(point.items)", "\(FigureText.decimal(point.activities, 0))",
            seconds(point.p50), seconds(point.p95), seconds(point.longest), "\(point.peakHour)", "\(point.refused)",
            "\(point.budgetWaits)", "\(point.instanceWaits)", "\(slowest)", standing(point),
        ]
    }

    private func standing(_ point: GrowthPoint) -> Markup {
        let again = growth.confirmation(of: point.size).map { "; again: \(GrowthText.word($0))" } ?? ""
        let failures = point.failures.prefix(3).map { ", \($0)" }.joined()
        let (sign, name) =
            switch point.verdict {
            case .pass: ("✓", "pass")
            case .insufficient: ("?", "insufficient")
            case .fail: ("✗", "fail")
            }
        return
            "<span class=\"word \(name)\">\(sign) \(GrowthText.word(point.verdict))</span>\(PageText.sentence(again + failures))"
    }

    private func seconds(_ seconds: Double?) -> Markup { "\(seconds.map { "\(FigureText.decimal($0, 1)) s" } ?? "-")" }
}
