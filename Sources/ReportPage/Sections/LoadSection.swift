import Verdict

/// What the notifier asked of GitLab and of APNs, and what waited in its outbox.
struct LoadSection {
    let timeline: RunTimeline?

    /// The table of its columns.
    static let columns = "load-columns"

    var drawn: Markup { Section(id: "load", title: "Load", body: body).drawn }

    private var body: Markup {
        guard let timeline else { return Section.note(TimelineSection.missing) }
        return requests(timeline) + polls(timeline) + pushes(timeline) + queue(timeline) + table(timeline)
    }

    // MARK: requests

    private func requests(_ timeline: RunTimeline) -> Markup {
        let minutes = timeline.minutesOfColumn
        let refused = timeline.slots.indices.filter { timeline.slots[$0].refused > 0 }
        let refusals = timeline.slots.reduce(0) { $0 + $1.refused }
        let busiest = timeline.slots.map(\.busiestMinute).max() ?? 0
        let levels = levels(timeline)
        let chart = TrafficOverTime(
            timeline: timeline,
            id: "load-requests",
            title: "Requests to GitLab in a minute",
            finding: "\(busiest) in the busiest minute; \(refusals) were refused by GitLab's limiter.",
            bars: timeline.slots.map { Double($0.requests) / minutes },
            peaks: timeline.slots.map { Double($0.busiestMinute) },
            crosses: refused,
            levels: levels
        )
        let known = levels.map(\.label).joined(separator: "; ")
        return """
            <h3>Requests to GitLab in a minute</h3>
            <figure>\(chart.drawn())<figcaption>Bars: mean of a column; dots: its busiest minute (\(busiest) at most); \
            ✕: GitLab answered 429 (\(refusals) times). \(known.isEmpty ? "No budget or limit is known." : known + ". A limit within the picture is a line of long dashes.")\
            </figcaption></figure>

            """
    }

    private func levels(_ timeline: RunTimeline) -> [TrafficOverTime.Level] {
        let people = max(1, timeline.people)
        let who = people == 1 ? "one person" : "\(people) people"
        var levels: [TrafficOverTime.Level] = []
        if let budget = timeline.budgetPerHour {
            let value = Double(budget * people) / 60
            levels.append(
                .init(
                    label: "The notifier's own budget for \(who) is \(FigureText.decimal(value, 0)) a minute",
                    value: value
                )
            )
        }
        if let limit = timeline.limit, limit.seconds > 0 {
            let value = Double(limit.requests * people) * 60 / Double(limit.seconds)
            levels.append(
                .init(label: "GitLab's limit for \(who) is \(FigureText.decimal(value, 0)) a minute", value: value)
            )
        }
        return levels
    }

    // MARK: polls

    private func polls(_ timeline: RunTimeline) -> Markup {
        guard timeline.slots.contains(where: { $0.polls > 0 }) else { return Section.note("No poll was seen.") }
        let seconds = Double(timeline.columnMilliseconds) / 1_000 * Double(max(1, timeline.people))
        let pauses = timeline.slots.map { $0.polls > 0 ? seconds / Double($0.polls) : nil }
        let longest = pauses.compactMap { $0 }.max() ?? 0
        let chart = TrafficOverTime(
            timeline: timeline,
            id: "load-polls",
            title: "Seconds between two polls of a person",
            finding: "\(OwnerBars.text(longest)) on average in the column where polls were fewest.",
            bars: pauses
        )
        return """
            <h3>Seconds between two polls of a person</h3>
            <figure>\(chart.drawn())<figcaption>Mean of a column, over all who were registered at any time. No bar: no poll \
            began.</figcaption></figure>

            """
    }

    // MARK: pushes and outbox

    private func pushes(_ timeline: RunTimeline) -> Markup {
        let most = timeline.slots.map(\.pushes).max() ?? 0
        guard most > 0 else { return Section.note("Nothing was pushed.") }
        let width = FigureText.duration(milliseconds: timeline.columnMilliseconds)
        let chart = TrafficOverTime(
            timeline: timeline,
            id: "load-pushes",
            title: "Pushes to APNs",
            finding: "\(most) at most in \(width).",
            bars: timeline.slots.map { Double($0.pushes) }
        )
        return """
            <h3>Pushes to APNs</h3>
            <figure>\(chart.drawn())<figcaption>Pushes in a column of \(width).</figcaption></figure>

            """
    }

    private func queue(_ timeline: RunTimeline) -> Markup {
        let most = timeline.slots.map(\.queued).max() ?? 0
        guard most > 0 else { return Section.note("Nothing waited in the outbox.") }
        let chart = TrafficOverTime(
            timeline: timeline,
            id: "load-queue",
            title: "Notifications waiting in the outbox",
            finding: "\(most) at most at one instant.",
            bars: timeline.slots.map { Double($0.queued) }
        )
        return """
            <h3>Notifications waiting in the outbox</h3>
            <figure>\(chart.drawn())<figcaption>The most at one instant of a column, of notifications that APNs accepted sooner \
            or later; those that it never accepted are not in it.</figcaption></figure>

            """
    }

    private func table(_ timeline: RunTimeline) -> Markup {
        let axis = TimeAxis(timeline: timeline)
        let busy = timeline.slots.indices.filter { timeline.slots[$0] != RunTimeline.Slot() }
        let rows = busy.map { column -> [Markup] in
            let slot = timeline.slots[column]
            return [
                "\(FigureText.instant(milliseconds: axis.instant(column: column)))", "\(slot.requests)",
                "\(slot.busiestMinute)", "\(slot.refused)", "\(slot.polls)", "\(slot.pushes)", "\(slot.queued)",
            ]
        }
        return Section.data(
            Table(
                caption: "load in columns of \(FigureText.duration(milliseconds: timeline.columnMilliseconds))",
                columns: [
                    .text("from"), .number("requests"), .number("busiest minute"), .number("429"), .number("polls"),
                    .number("pushes"), .number("waiting"),
                ],
                rows: rows,
                times: (Self.columns, busy)
            )
        )
    }
}

extension RunTimeline {
    fileprivate var minutesOfColumn: Double { Double(columnMilliseconds) / 60_000 }
}
