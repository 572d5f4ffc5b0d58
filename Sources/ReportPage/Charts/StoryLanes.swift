import Verdict

/// One activity for one person as a waterfall: a bar for the time each step took to come, in the colour of who owns it, over the faults that
/// were in force; pushes and devices in rows of their own.
struct StoryLanes {
    let line: LedgerLine
    /// Unique in the page.
    let id: String
    /// Of its seed, where they are known.
    var faults: [RunTimeline.Fault] = []

    private struct Step {
        var at: Int64
        var lane: String
        var what: String
        var family = OwnerFamily.push
    }

    private static let rowHeight = 20.0
    private static let left = 190.0
    private static let right = 640.0
    /// Pushes and events on devices beyond these are left out of the picture.
    private static let eventsShown = 12

    func drawn() -> Markup {
        let steps = steps
        let end = max(line.atNanoseconds + 1, steps.map(\.at).max() ?? 0)
        let rows = steps.enumerated().map { row, step -> Markup in
            let before = row == 0 ? line.atNanoseconds : steps[row - 1].at
            return drawn(step, from: before, row: row, end: end)
        }
        return Picture(
            id: id,
            title: "Activity \(line.activity ?? 0) for @\(PageText.cut(line.person)), step by step",
            finding: steps.map { "\($0.lane): \($0.what)" }.joined(separator: "; "),
            height: Double(steps.count) * Self.rowHeight + 12,
            body: shade(end: end, height: Double(steps.count) * Self.rowHeight + 8) + rows.joined()
        ).drawn
    }

    /// How many pushes and events have no row.
    var leftOut: Int {
        max(0, line.attempts.count - Self.eventsShown) + max(0, line.deviceEvents.count - Self.eventsShown)
    }

    private var steps: [Step] {
        var steps = untilTold
        for attempt in line.attempts.prefix(Self.eventsShown) {
            let answer = attempt.reason.map { "\(attempt.status) \($0)" } ?? "\(attempt.status)"
            let lost = attempt.answerLost == true ? ", answer lost" : ""
            let what = "pushed to \(attempt.device ?? "an unknown device"): \(answer)\(lost)"
            steps.append(Step(at: attempt.atNanoseconds, lane: "APNs", what: what, family: .notifier))
        }
        for event in line.deviceEvents.prefix(Self.eventsShown) {
            let cause = event.cause.map { ": \($0)" } ?? ""
            steps.append(Step(at: event.atNanoseconds, lane: event.device, what: event.event + cause))
        }
        if let caughtUp = line.caughtUpNanoseconds { steps.append(Step(at: caughtUp, lane: "feed", what: "caught up")) }
        return steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    private var untilTold: [Step] {
        var steps: [Step] = []
        func add(_ at: Int64?, _ lane: String, _ what: String, _ family: OwnerFamily) {
            if let at { steps.append(Step(at: at, lane: lane, what: what, family: family)) }
        }
        add(line.atNanoseconds, "GitLab", "done", .gitlab)
        add(line.readableNanoseconds, "GitLab", "visible", .gitlab)
        if let pollable = line.pollableNanoseconds, pollable > max(line.readableNanoseconds ?? 0, line.atNanoseconds) {
            add(pollable, "GitLab", "could be polled", .gitlab)
        }
        add(line.goneNanoseconds, "GitLab", "gone again", .gitlab)
        add(line.polledNanoseconds, "notifier", "polled", .notifier)
        add(line.heldNanoseconds, "notifier", "put by for quiet hours", .notifier)
        // Older reports do not say when it was polled.
        let told = line.polledNanoseconds == nil ? "polled and told" : "told"
        add(line.enqueuedNanoseconds, "outbox", told, line.heldNanoseconds == nil ? .notifier : .quiet)
        return steps
    }

    /// Where faults were in force; what they are called stands beside the picture.
    private func shade(end: Int64, height: Double) -> Markup {
        let areas = faults.compactMap { fault -> Markup? in
            let (from, until) = (fault.from * 1_000_000, fault.until * 1_000_000)
            guard until > line.atNanoseconds, from < end else { return nil }
            let (left, right) = (x(from, end), x(until, end))
            return """
                <rect class="band" x="\(Coordinate(left))" y="4" width="\(Coordinate(max(2, right - left)))" \
                height="\(Coordinate(height))"><title>\(PageText.cut(fault.id))</title></rect>
                """
        }
        return areas.prefix(Self.eventsShown).joined()
    }

    private func drawn(_ step: Step, from: Int64, row: Int, end: Int64) -> Markup {
        let y = 6 + Double(row) * Self.rowHeight
        let text = Coordinate(y + 14)
        let x = x(step.at, end)
        let begin = min(x, self.x(max(line.atNanoseconds, from), end))
        let clock = FigureText.instant(milliseconds: step.at / 1_000_000)
        let after = FigureText.precise(milliseconds: (step.at - line.atNanoseconds) / 1_000_000)
        let sign = step.at >= line.atNanoseconds ? "+" : ""
        return """
            <text x="0" y="\(text)">\(PageText.cut(step.lane, to: 24))</text>\
            <rect class="o-\(step.family.rawValue)" x="\(Coordinate(begin))" y="\(Coordinate(y + 4))" width="\(Coordinate(x - begin))" height="12"/>\
            <path class="dot" d="M\(Coordinate(x - 1)) \(Coordinate(y + 2))h3v16h-3z"/>\
            <text class="axis" x="\(Coordinate(Self.right + 10))" y="\(text)">\
            \(clock) \(sign)\(after) \(PageText.cut(step.what, to: 32))</text>
            """
    }

    private func x(_ at: Int64, _ end: Int64) -> Double {
        let share = Double(at - line.atNanoseconds) / Double(max(1, end - line.atNanoseconds))
        return Self.left + (Self.right - Self.left) * min(1, max(0, share))
    }
}
