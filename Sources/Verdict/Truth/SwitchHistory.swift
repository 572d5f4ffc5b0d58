/// A choice that is on or off over time, known to the length of the requests that changed it.
struct SwitchHistory {
    /// One change, confirmed by the notifier.
    struct Change {
        var isOn: Bool
        var requestedAt: Duration
        var answeredAt: Duration
        /// When it ends by itself; nil when it stays.
        var until: Duration?
        /// Until then it may go on, where a wrong clock says when it ends; nil when `until` is certain.
        var latest: Duration?
        /// Whether the clock that dated it was ahead, so that it may count as made later than it was.
        var isAhead = false
    }

    /// How the choice stood while something was to be decided.
    enum Standing {
        case off, on, unclear
    }

    /// Certainly on.
    private var certain: [Span] = []
    /// Perhaps on.
    private var possible: [Span] = []

    /// - Parameter changes: in the order in which they were made.
    init(_ changes: [Change]) {
        for (index, change) in changes.enumerated() where change.isOn {
            let later = changes[(index + 1)...]
            let next = later.first
            let end = change.until ?? .seconds(Int64.max / 2)
            certain.append(Span(from: change.answeredAt, until: min(end, next?.requestedAt ?? end)))
            // What came between the two may have ended nothing, or never have been heard of.
            let offs = later.filter { !$0.isOn && $0.requestedAt >= change.answeredAt }.map(\.answeredAt)
            let latest = change.latest ?? end
            let last = min(next?.answeredAt ?? latest, offs.min() ?? latest)
            possible.append(Span(from: change.requestedAt, until: min(latest, last)))
        }
    }

    /// How it stood from `start` to `end`, and whether it changed afterwards, before `last`.
    func standing(from start: Duration, until end: Duration, last: Duration) -> Standing {
        if certain.contains(where: { $0.from <= start && end <= $0.until }) { return .on }
        return possible.contains { $0.from <= last && start <= $0.until } ? .unclear : .off
    }
    /// How it stood when something was to be decided twice, for the second time from `start` to `end`.
    func standing(from readable: Duration, until deadline: Duration, thenFrom start: Duration, until end: Duration)
        -> Standing
    {
        let standings = [
            standing(from: readable, until: deadline, last: deadline), standing(from: start, until: end, last: end),
        ]
        if standings.contains(.on) { return .on }
        return standings.contains(.unclear) ? .unclear : .off
    }
}

extension [SwitchHistory.Change] {
    /// The same, where a choice that may seem to be made before an earlier one need not hold, though it was answered: the notifier dates what
    /// arrives no later than its own clock shows.
    func doubted(by clock: NotifierClock) -> [SwitchHistory.Change] {
        indices.map { index in
            var change = self[index]
            // What holds from the beginning has no date.
            let earlier = self[..<index].filter { $0.answeredAt > .zero }.map(\.span)
            let isLast = earlier.allSatisfy { !clock.mayDate(change.span, before: $0) }
            if !isLast { change.answeredAt = .seconds(Int64.max / 2) }
            return change
        }
    }
}

extension SwitchHistory.Change {
    /// In which the notifier heard of it.
    fileprivate var span: Span { Span(from: requestedAt, until: answeredAt) }
}
