import Platform
import Scenarios

/// When it was quiet for one person, minute by minute, by the notifier's clock: where that is wrong they are quiet at another time.
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
        /// By which choice it is quiet.
        var choice: Int
        /// Whether it would have gone on, had the person not chosen something else.
        var isCut: Bool
    }

    /// A change that took longer to be answered may have held at any time in between.
    private static let atOnce = Duration.seconds(10)

    private var spans: [Quiet] = []
    /// From a request to change the quiet hours to its answer, by choice.
    private var changes: [Span] = []
    private let choices: [QuietHours?]
    /// Choices that are dated after all that were answered before them: one that is not may never have held.
    private let inOrder: Set<Int>
    private let start: WallTime
    private let clock: NotifierClock
    private let shifts: [NotifierClock.Shift]

    /// What a person chose: when the request was sent and answered, and by when the device dated it.
    typealias Choice = (hours: QuietHours?, requestedAt: Duration, answeredAt: Duration, datedAt: Duration)

    /// `choices` are the person's quiet hours in the order in which they were chosen; at `end` the run was over.
    init(_ choices: [Choice], start: WallTime, end: Duration, clock: NotifierClock) {
        (self.start, self.clock) = (start, clock)
        shifts = clock.shifts
        self.choices = choices.map(\.hours)
        inOrder = Set(
            choices.indices.filter { index in choices[..<index].allSatisfy { $0.datedAt < choices[index].datedAt } }
        )
        changes = choices.indices.map { index in
            let choice = choices[index]
            let span = Span(from: choice.requestedAt, until: choice.answeredAt)
            // By a clock that was set back an earlier one may seem to be later, and stand.
            let isLast = choices[..<index].allSatisfy { earlier in
                let former = Span(from: earlier.requestedAt, until: earlier.answeredAt)
                return earlier.answeredAt <= .zero || !clock.mayDate(span, before: former)
            }
            guard isLast else { return Span(from: span.from, until: .seconds(Int64.max / 2)) }
            guard choice.answeredAt > end else { return span }
            // What was never answered holds or not until the next choice does.
            let settled = choices[index...].map(\.answeredAt).min() ?? choice.answeredAt
            return Span(from: choice.requestedAt, until: settled)
        }
        for (index, choice) in choices.enumerated() where choice.hours != nil {
            let next = index + 1 < choices.count ? choices[index + 1].requestedAt : nil
            add(index, Span(from: choice.answeredAt, until: next ?? end + .hours(48)), isFollowed: next != nil)
        }
    }

    /// What happened could be read from `readable` on and had to be told by `deadline`. Held is it until the hours that hold then end, or the
    /// person chooses others by which it is not quiet.
    func effect(on readable: Duration, deadline: Duration, isUrgent: Bool) -> Effect {
        switch place(from: readable, until: deadline, isUrgent: isUrgent) {
        case .outside: return .none
        case .inside(let quiet):
            let grace = deadline - readable
            let effect = release(of: quiet, within: grace)
            if case .held(let end) = effect, isDoubted(from: readable, until: end + grace) { return .unclear }
            return effect
        case .unclear: return .unclear
        }
    }

    /// Until when it is quiet, as is said between two instants, at which nobody knows what the person will choose; unclear where they have chosen
    /// something else before that.
    func said(from start: Duration, until end: Duration) -> Effect {
        switch place(from: start, until: end, isUrgent: false) {
        case .outside: .none
        case .inside(let quiet): quiet.isCut ? .unclear : .held(until: quiet.span.until)
        case .unclear: .unclear
        }
    }

    /// Whether it begins to be quiet between two instants.
    func begins(from start: Duration, until end: Duration) -> Bool {
        spans.contains { start < $0.span.from && $0.span.from <= end } || isDoubted(from: start, until: end)
    }

    /// Whether the notifier's clock was set so that by it another answer comes out between two instants than before, for what is no more urgent
    /// than that. Until all that waits has been looked at again either may hold.
    private func isDoubted(from begin: Duration, until end: Duration, isUrgent: Bool = false) -> Bool {
        let near = shifts.filter { $0.span.from <= end && begin <= $0.span.until }
        guard !near.isEmpty else { return false }
        let holding = choices.compactMap(\.self).filter { !(isUrgent && $0.letsUrgentThrough) }
        return near.contains { shift in
            holding.contains { hours in
                guard let former = shift.former, let present = shift.present else { return true }
                return differs(hours, former, present, from: shift.span.from, until: max(end, shift.span.until))
            }
        }
    }

    /// Whether at any time between two instants it is quiet by a clock that is so far ahead, and is not by one that is as far as the other.
    private func differs(
        _ hours: QuietHours,
        _ one: Duration,
        _ other: Duration,
        from begin: Duration,
        until end: Duration
    ) -> Bool {
        let wall = WallClock(zone: hours.zone)
        func isQuiet(_ instant: Duration) -> Bool {
            hours.contains(minuteOfWeek: wall.minuteOfWeek(at: start.advanced(by: instant)))
        }
        var instant = begin
        while instant <= end {
            if isQuiet(instant + one) != isQuiet(instant + other) { return true }
            instant += .minutes(1)
        }
        return false
    }

    private enum Place {
        case outside, unclear
        case inside(Quiet)
    }

    private func place(from start: Duration, until end: Duration, isUrgent: Bool) -> Place {
        if isChanging(from: start, until: end) || isDoubted(from: start, until: end, isUrgent: isUrgent) {
            return .unclear
        }
        for quiet in spans where !(isUrgent && quiet.letsUrgentThrough) {
            if quiet.span.from <= start && start < quiet.span.until { return .inside(quiet) }
            if start < quiet.span.from && quiet.span.from <= end { return .unclear }
        }
        return .outside
    }

    private func isChanging(from start: Duration, until end: Duration, except choice: Int? = nil) -> Bool {
        changes.indices.contains { $0 != choice && changes[$0].from <= end && start <= changes[$0].until }
    }

    /// When what waits is told that was held in `first`: other hours, urgent or not, go on holding it, or let it go at once.
    private func release(of first: Quiet, within grace: Duration) -> Effect {
        var quiet = first
        while quiet.isCut {
            let next = quiet.choice + 1
            let change = changes[next]
            // The former hours must not have ended before the new ones held, nor two changes have met on their way.
            guard inOrder.contains(next), change.until - change.from <= Self.atOnce,
                changes[quiet.choice].until <= change.from,
                let former = choices[quiet.choice], isQuiet(former, at: change.until)
            else { return .unclear }
            let following = spans.first {
                $0.choice == next && $0.span.from <= change.until && change.until < $0.span.until
            }
            guard let following else { return released(at: change.from, within: grace, by: next) }
            quiet = following
        }
        return released(at: quiet.span.until, within: grace)
    }

    /// Unclear where it may have been quiet again before it had to be told.
    private func released(at instant: Duration, within grace: Duration, by choice: Int? = nil) -> Effect {
        let end = instant + grace
        let isUnclear = begins(from: instant, until: end) || isChanging(from: instant, until: end, except: choice)
        return isUnclear ? .unclear : .held(until: instant)
    }

    private mutating func add(_ choice: Int, _ range: Span, isFollowed: Bool) {
        guard let hours = choices[choice] else { return }
        func append(_ from: Duration, _ until: Duration, isCut: Bool) {
            let span = Span(from: from, until: until)
            spans.append(
                Quiet(span: span, letsUrgentThrough: hours.letsUrgentThrough, choice: choice, isCut: isCut)
            )
        }
        var begin: Duration?
        var instant = range.from
        let wall = WallClock(zone: hours.zone)
        while instant < range.until {
            let isQuiet = hours.contains(minuteOfWeek: wall.minuteOfWeek(at: shown(at: instant)))
            if isQuiet, begin == nil { begin = instant }
            if !isQuiet, let from = begin.take() { append(from, instant, isCut: false) }
            instant = nextMinute(after: instant)
        }
        if let from = begin { append(from, range.until, isCut: isFollowed) }
    }

    private func isQuiet(_ hours: QuietHours, at instant: Duration) -> Bool {
        hours.contains(minuteOfWeek: WallClock(zone: hours.zone).minuteOfWeek(at: shown(at: instant)))
    }

    /// What the notifier's clock shows; in doubt what a right one does.
    private func shown(at instant: Duration) -> WallTime { start.advanced(by: instant + lead(at: instant)) }

    private func lead(at instant: Duration) -> Duration { clock.lead(at: instant) ?? .zero }

    /// Clocks change, and quiet hours begin and end, at full minutes only; a clock shows no part of a microsecond, which an answer may come at.
    private func nextMinute(after instant: Duration) -> Duration {
        let microseconds = shown(at: instant).microseconds
        let next = WallTime(microseconds: microseconds - microseconds % 60_000_000 + 60_000_000)
        return start.duration(to: next) - lead(at: instant)
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
