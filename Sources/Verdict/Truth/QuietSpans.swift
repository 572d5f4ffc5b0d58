import Platform
import Scenarios

/// When it was quiet for one person, minute by minute.
struct QuietSpans {
    /// What quiet hours mean for something that could be read at an instant.
    enum Effect {
        case none
        /// It has to wait for that instant.
        case held(until: Duration)
        /// A poll before and a poll after the beginning were both in time, or the person changed their mind.
        case unclear
    }

    private struct Quiet {
        var span: Span
        var letsUrgentThrough: Bool
    }

    private var spans: [Quiet] = []
    /// From a request to change the quiet hours to its answer.
    private var changes: [Span] = []

    /// `choices` are the person's quiet hours in the order in which they were chosen; at `end` the run was over.
    init(_ choices: [(hours: QuietHours?, requestedAt: Duration, answeredAt: Duration)], start: WallTime, end: Duration)
    {
        for (index, choice) in choices.enumerated() {
            changes.append(Span(from: choice.requestedAt, until: choice.answeredAt))
            guard let hours = choice.hours else { continue }
            let until = index + 1 < choices.count ? choices[index + 1].requestedAt : end + .hours(48)
            add(hours, Span(from: choice.answeredAt, until: until), start)
        }
    }

    /// What happened could be read from `readable` on and had to be told by `deadline`.
    func effect(on readable: Duration, deadline: Duration, isUrgent: Bool) -> Effect {
        if changes.contains(where: { $0.from <= deadline && readable <= $0.until }) { return .unclear }
        for quiet in spans where !(isUrgent && quiet.letsUrgentThrough) {
            let span = quiet.span
            if span.from <= readable && readable < span.until {
                let last = span.until + (deadline - readable)
                let isChanged = changes.contains { $0.from <= last && readable <= $0.until }
                return isChanged ? .unclear : .held(until: span.until)
            }
            if readable < span.from && span.from <= deadline { return .unclear }
        }
        return .none
    }

    private mutating func add(_ hours: QuietHours, _ range: Span, _ start: WallTime) {
        let clock = WallClock(zone: hours.zone)
        var begin: Duration?
        var instant = range.from
        while instant < range.until {
            let isQuiet = hours.contains(minuteOfWeek: clock.minuteOfWeek(at: start.advanced(by: instant)))
            if isQuiet, begin == nil { begin = instant }
            if !isQuiet, let from = begin.take() { append(from, instant, hours) }
            instant = nextMinute(after: instant, start)
        }
        if let from = begin { append(from, range.until, hours) }
    }

    private mutating func append(_ from: Duration, _ until: Duration, _ hours: QuietHours) {
        spans.append(Quiet(span: Span(from: from, until: until), letsUrgentThrough: hours.letsUrgentThrough))
    }

    /// Clocks change, and quiet hours begin and end, at full minutes only.
    private func nextMinute(after instant: Duration, _ start: WallTime) -> Duration {
        let microseconds = start.advanced(by: instant).microseconds
        return instant + .microseconds(60_000_000 - microseconds % 60_000_000)
    }
}

extension QuietHours {
    fileprivate func contains(minuteOfWeek minute: Int) -> Bool {
        let (today, time) = (minute / 1_440 + 1, minute % 1_440)
        let yesterday = today == 1 ? 7 : today - 1
        if from < until { return weekdays.contains(today) && from <= time && time < until }
        return (weekdays.contains(today) && from <= time) || (weekdays.contains(yesterday) && time < until)
    }
}
