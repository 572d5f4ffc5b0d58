import Platform

/// When people are reminded of what they have to have done by a day, and whether at all: once ahead of the day, a second time when it is over
/// and the item still open.
///
/// Both come at the same time of the person's day: with fifteen hours of lead time at nine in the morning of the day before, and of the day
/// after. That holds over a change of the clocks, since lead times are counted on the clock on the wall.
struct DueDatePolicy: Sendable {
    /// How long before the day begins the first reminder comes.
    let leadTime: Duration
    /// The person's.
    let zone: TimeZone

    /// What is overdue is told so late at most; a process that was down for longer says nothing of it.
    static let longestDelay: Duration = .days(1)
    /// How often it is looked whether GitLab can be read again, and at what is held for that.
    static let look = ReminderPolicy.look

    /// When a reminder is due, and from when on it is of no use any more.
    struct Slot: Equatable, Sendable {
        var step: DueStep
        var from: WallTime
        var until: WallTime
    }

    /// The reminders of a day, in the order in which they come.
    func slots(of day: DueDay) -> [Slot] {
        let end = zone.instant(of: day.clock(after: .days(1)))
        let ahead = zone.instant(of: day.clock(after: .zero - leadTime))
        let overdue = zone.instant(of: day.clock(after: .days(1) + timeOfDay))
        return [
            // Whoever learns within the lead time, or on the day itself, when it is due is told then.
            Slot(step: .ahead, from: ahead, until: end),
            Slot(step: .overdue, from: overdue, until: overdue.advanced(by: Self.longestDelay)),
        ]
    }

    /// The time of day at which reminders come, after midnight.
    private var timeOfDay: Duration {
        let day = Duration.days(1).wholeNanoseconds
        return .nanoseconds((day - leadTime.wholeNanoseconds % day) % day)
    }

    /// When the first of the reminders is due, or was, that are not told; nil when none is to come.
    func next(_ day: DueDay, told: Set<DueStep>, at now: WallTime) -> WallTime? {
        slots(of: day).first { !told.contains($0.step) && now < $0.until }?.from
    }

    /// What is known when a reminder is due.
    struct Circumstances: Equatable, Sendable {
        /// Whether the person wants to be reminded of due dates at all.
        var isWanted = true
        /// What fell due, or is to be told, while the person has muted the item.
        var muted: Set<DueStep> = []
        /// When the person's quiet hours end, if it is quiet.
        var quietUntil: WallTime?
        /// When it was to be told: when it fell due, or quiet hours ended.
        var dueAt: WallTime
        /// Since when it is held because GitLab could not be read.
        var heldSince: WallTime?
        /// When the oldest of the last looks at the person's items in GitLab began; nil while there was none since the process began, or
        /// none can be had.
        var readAt: WallTime?
    }

    /// What is to be done about one item. `skipped` are reminders that are left out for good.
    enum Decision: Equatable, Sendable {
        case wait(until: WallTime?)
        /// Everything due is put off to that instant.
        case postpone(until: WallTime)
        /// The same, because nobody knows whether it is still due then.
        case hold(until: WallTime)
        case send(DueStep, skipped: [DueStep])
        case skip([DueStep])
    }

    /// What is to be done about an item that is due on `day`, of which `told` was told or left out before.
    func decide(_ day: DueDay, told: Set<DueStep>, _ circumstances: Circumstances, at now: WallTime) -> Decision {
        let open = slots(of: day).filter { !told.contains($0.step) }
        let due = open.filter { $0.from <= now }
        guard !due.isEmpty else { return .wait(until: open.first?.from) }
        let steps = due.map(\.step)
        // Who wants them again later hears of what falls due then.
        guard circumstances.isWanted else { return .skip(steps) }
        let muted = steps.filter(circumstances.muted.contains)
        guard muted.isEmpty else { return .skip(muted) }
        // What is over needs no remembering, and is not over where it is so by a clock far ahead.
        guard let last = due.last(where: { now < $0.until }) else {
            return .wait(until: open.first { now < $0.until }?.from)
        }
        if let end = circumstances.quietUntil { return .postpone(until: end) }
        // A day that was moved or an item that was closed a moment ago must not be told: GitLab is looked at once more.
        let isCurrent = circumstances.readAt.map { (circumstances.heldSince ?? circumstances.dueAt) <= $0 } ?? false
        let end = (circumstances.heldSince ?? now).advanced(by: ReminderPolicy.patience)
        if !isCurrent, now < end { return .hold(until: min(end, now.advanced(by: Self.look))) }
        return .send(last.step, skipped: steps.filter { $0 != last.step })
    }
}
