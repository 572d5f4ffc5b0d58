import Platform
import Scenarios

/// A growth for people.
package enum GrowthText {
    /// The whole curve, or the sentences alone.
    package static func render(_ growth: Growth, isQuiet: Bool) -> String {
        let sentences = ([growth.sentence] + growth.explanation).flatMap {
            TerminalText.wrapped($0, width: TerminalSummary.width)
        }
        .map { $0 + "\n" }.joined()
        guard !isQuiet else { return TerminalText.plainLines(sentences) }
        let seeds = FigureText.seeds(Array(growth.seeds))
        let head = "\(growth.scenario)   seeds \(seeds)   until \(growth.rules.joined(separator: ", "))\n"
        let rows = TerminalText.aligned([titles(growth)] + growth.points.map { row(growth, $0) })
        return TerminalText.plainLines([head, rows, legend(growth), sentences].joined(separator: "\n"))
    }

    private static func titles(_ growth: Growth) -> [String] {
        (growth.isOfRate ? ["rate %"] : []) + [
            "people", "items", "activities", "p50 s", "p95 s", "max s", "peak hour", "429s", "waits", "shared",
            "slowest 1%", "",
            "",
        ]
    }

    private static func row(_ growth: Growth, _ point: GrowthPoint) -> [String] {
        let confirmation = growth.confirmation(of: point.size)
        let slowest = point.slowestOwner.map { "\($0.owner) \(FigureText.decimal($0.seconds, 0)) s" } ?? "-"
        return (growth.isOfRate ? ["\(point.size)"] : []) + [
            "\(point.people)", "\(point.items)", FigureText.decimal(point.activities, 0), seconds(point.p50),
            seconds(point.p95),
            seconds(point.longest), "\(point.peakHour)", "\(point.refused)", "\(point.budgetWaits)",
            "\(point.instanceWaits)", slowest,
            word(point.verdict), confirmation.map { "again: \(word($0))" } ?? "",
        ]
    }

    private static func legend(_ growth: Growth) -> String {
        let limit = growth.limit.map {
            "\($0.requests) in \(FigureText.duration(milliseconds: $0.period.wholeMilliseconds))"
        }
        return [
            " Excess latency; activities of a seed. Peak hour: the most requests for one person in an hour, of a",
            " budget of \(growth.budget); GitLab's limiter: \(limit ?? "off"). 429s: refused by it. Waits: polls that",
            " waited for the budget; shared: requests that waited a second or longer for gitlabRequestsPerSecond, which",
            " is for all people together. Again: under as many other seeds.", "",
        ].joined(separator: "\n")
    }

    private static func seconds(_ seconds: Double?) -> String { seconds.map { FigureText.decimal($0, 1) } ?? "-" }

    /// How a size stands to the requirements.
    package static func word(_ verdict: Verdict) -> String {
        switch verdict {
        case .pass: "holds"
        case .fail: "breaks"
        case .insufficient: "open"
        }
    }
}
