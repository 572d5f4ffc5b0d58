import Verdict

/// The notifications of the seed that is told in detail, a line each with tabs between its parts: to be read and searched as it stands,
/// and what the page's script filters and jumps by. One text instead of a table, whose cells would be more elements than a page may have.
struct NotificationList {
    /// One notification, or an activity that somebody was not told of.
    private struct Row {
        var at: Int64
        var activity: Int?
        var latency: Int64?
        var isAbnormal: Bool
        var parts: [String]
    }

    let timeline: RunTimeline

    /// The page's text of it has at most so many bytes; the slowest are kept.
    private static let limitBytes = 700_000
    /// Names are cut after so many characters, wherever the script compares them.
    static let nameLength = 60

    private static let head = [
        "#", "done", "kind", "by", "on", "for", "wrong", "took", "owner or cause", "done s", "took s", "visible s",
        "polled s", "held s", "told s", "pushed s",
    ]

    var drawn: Markup {
        let rows = kept
        guard !rows.isEmpty else { return "" }
        let left = inAll - rows.count
        let rest: Markup =
            left > 0 ? Section.note("The slowest \(rows.count) of \(inAll); the ledger has the others.") : ""
        return """
            <details id="notifications"><summary>Data: \(rows.count) notifications, one by one</summary>
            <p class="muted">In seconds: since the start for "done s", after the activity for the others; "-" where nothing is known.</p>
            \(rest)<pre class="list" role="region" tabindex="0" aria-label="Notifications, one by one">\(Self.line(Self.head))\(rows.map { Self.line($0.parts) }.joined())</pre>
            </details>

            """
    }

    /// Nothing but numbers and what older reports do not have.
    var isEmpty: Bool { kept.isEmpty }

    private var inAll: Int { timeline.displayed + marks.count }

    /// Marks of what no device displayed, or nobody was to be told.
    private var marks: [RunTimeline.Mark] {
        timeline.marks.filter { $0.person != nil && ($0.what == "missed" || $0.what == "unexpected") }
    }

    private var kept: [Row] {
        let rows = marks.map(row) + timeline.points.filter { $0.person != nil }.map(row)
        let ranked = rows.indices.sorted { first, second in
            let (one, other) = (rows[first], rows[second])
            guard one.isAbnormal == other.isAbnormal else { return one.isAbnormal }
            return (other.latency ?? 0, first) < (one.latency ?? 0, second)
        }
        var room = Self.limitBytes
        let kept = ranked.prefix { index in
            room -= Self.line(rows[index].parts).text.utf8.count
            return room >= 0
        }
        return kept.map { rows[$0] }.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    private func row(_ mark: RunTimeline.Mark) -> Row {
        Row(
            at: mark.at,
            activity: mark.activity,
            latency: nil,
            isAbnormal: true,
            parts: names(mark.activity, mark.at, mark.kind, mark.actor, mark.item, mark.person)
                + [mark.what, "-", PageText.cut(mark.cause ?? "-", to: Self.nameLength)]
                + [mark.at, nil, nil, nil, nil, nil, nil].map(Self.seconds)
        )
    }

    private func row(_ point: RunTimeline.Point) -> Row {
        Row(
            at: point.at,
            activity: point.activity,
            latency: point.latency,
            isAbnormal: point.abnormal != nil,
            parts: names(point.activity, point.at, point.kind, point.actor, point.item, point.person)
                + [point.abnormal ?? "-", FigureText.precise(milliseconds: point.latency)]
                + [PageText.cut(point.owner, to: Self.nameLength)]
                + [point.at, point.latency, point.visible, point.polled, point.held, point.told, point.pushed]
                .map(Self.seconds)
        )
    }

    private func names(
        _ activity: Int?,
        _ at: Int64,
        _ kind: String?,
        _ actor: String?,
        _ item: String?,
        _ person: String?
    ) -> [String] {
        [activity.map(String.init) ?? "-", FigureText.instant(milliseconds: at)]
            + [kind, actor.map { "@\($0)" }, item, person.map { "@\($0)" }].map {
                PageText.cut($0 ?? "-", to: Self.nameLength)
            }
    }

    private static func seconds(_ milliseconds: Int64?) -> String {
        milliseconds.map { FigureText.decimal(Double($0) / 1_000, 3) } ?? "-"
    }

    /// Tabs and ends of lines within a part are blanks, as everywhere on the page.
    private static func line(_ parts: [String]) -> Markup {
        parts.enumerated().map { $0.offset == 0 ? "\($0.element)" : "\t\($0.element)" as Markup }.joined() + "\n"
    }
}
