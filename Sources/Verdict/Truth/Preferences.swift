import Platform
import Scenarios

/// What each person wanted to be notified of, over time, from their own choices alone.
struct Preferences {
    /// What the choices mean for one activity.
    enum Effect {
        case none
        case silenced(Standing.Exclusion)
        /// The person changed a choice about it before a poll was due.
        case unclear
    }

    private struct DenyKey: Hashable {
        var person: Username
        var actor: Username
    }

    private var mutes: [PersonItem: SwitchHistory] = [:]
    private var dismissals: [PersonItem: SwitchHistory] = [:]
    private var autoWatch: [Username: SwitchHistory] = [:]
    /// When they wanted no reminders.
    private var silentReminders: [Username: SwitchHistory] = [:]
    /// When they wanted none of due dates, and of turns ahead of time.
    private var silentDueReminders: [Username: SwitchHistory] = [:]
    private var denials: [DenyKey: SwitchHistory] = [:]
    private var quiet: [Username: QuietSpans] = [:]
    private var programMutes: [Username: SwitchHistory] = [:]
    private let dutyMutes: DutyMutes

    /// - Parameters:
    ///   - record: the run.
    ///   - clock: by which mutes end, it is quiet, and what people choose is dated.
    init(_ record: RunRecord, clock: NotifierClock) {
        var mutes: [PersonItem: [SwitchHistory.Change]] = [:]
        var dismissals: [PersonItem: [SwitchHistory.Change]] = [:]
        var programMutes: [Username: [SwitchHistory.Change]] = [:]
        var quiet: [Username: [QuietSpans.Choice]] = [:]
        let isOrderly = !record.faults.contains { [.clock, .database].contains($0.kind.place) }
        for entry in record.preferences {
            func change(_ isOn: Bool, until: Duration? = nil) -> SwitchHistory.Change {
                let end = until.map { clock.end(of: $0, from: entry.requestedAt) }
                return SwitchHistory.Change(
                    isOn: isOn,
                    requestedAt: entry.requestedAt,
                    answeredAt: entry.answeredAt,
                    until: end?.from,
                    latest: end?.until,
                    isAhead: entry.datedAt > entry.requestedAt
                )
            }
            let person = entry.person
            switch entry.choice {
            case .muted(let item, let until):
                mutes[PersonItem(person: person, item: item), default: []].append(change(true, until: until))
            case .unmuted(let item): mutes[PersonItem(person: person, item: item), default: []].append(change(false))
            case .dismissed(let item):
                dismissals[PersonItem(person: person, item: item), default: []].append(change(true))
                mutes[PersonItem(person: person, item: item)]?.end(with: entry, isOrderly: isOrderly)
            case .undismissed(let item):
                dismissals[PersonItem(person: person, item: item), default: []].append(change(false))
            case .unwatched(let item):
                mutes[PersonItem(person: person, item: item)]?.end(with: entry, isOrderly: isOrderly)
            // What is asked is told all the same; only how often depends on them.
            case .read, .settled, .postponed, .signalSettled, .dutyMuted, .dutyUnmuted: continue
            case .reminders, .dueReminders, .dueLead, .kinds, .denied, .allowed, .autoWatch: continue
            case .programMuted(let until): programMutes[person, default: []].append(change(true, until: until))
            // Whoever comes after the one that was shut out is muted by nobody.
            case .programUnmuted, .programRevoked: programMutes[person, default: []].append(change(false))
            case .quietHours: continue
            }
        }
        for entry in record.orderedPreferences {
            guard case .quietHours(let hours) = entry.choice else { continue }
            quiet[entry.person, default: []].append((hours, entry.requestedAt, entry.answeredAt, entry.datedAt))
        }
        // Who watches an item dismisses it no longer.
        for watch in record.watches where dismissals[PersonItem(person: watch.person, item: watch.item)] != nil {
            dismissals[PersonItem(person: watch.person, item: watch.item)]?.append(
                SwitchHistory.Change(isOn: false, requestedAt: watch.requestedAt, answeredAt: watch.activeFrom)
            )
        }
        self.dismissals = dismissals.mapValues { changes in
            SwitchHistory(changes.sorted { $0.requestedAt < $1.requestedAt })
        }
        (denials, autoWatch) = Self.switches(record, clock)
        (silentReminders, silentDueReminders) = Self.silentReminders(record, clock)
        for activity in record.activities {
            guard let item = activity.item, let successor = activity.successor else { continue }
            for person in Set(mutes.keys.map(\.person)) {
                guard let changes = mutes[PersonItem(person: person, item: item)] else { continue }
                let moved = changes.compactMap { $0.after(moveAt: activity.at) }
                mutes[PersonItem(person: person, item: successor), default: []].insert(contentsOf: moved, at: 0)
            }
        }
        self.mutes = mutes.mapValues { SwitchHistory($0.doubted(by: clock)) }
        self.programMutes = programMutes.mapValues(SwitchHistory.init)
        dutyMutes = DutyMutes(record)
        let start = record.resolved.scenario.start
        self.quiet = quiet.mapValues { QuietSpans($0, start: start, end: record.simulated, clock: clock) }
    }

    /// When people wanted to hear nothing of somebody, and when tags made them watch.
    private static func switches(
        _ record: RunRecord,
        _ clock: NotifierClock
    ) -> (denials: [DenyKey: SwitchHistory], autoWatch: [Username: SwitchHistory]) {
        var denials: [DenyKey: [SwitchHistory.Change]] = [:]
        var autoWatch: [Username: [SwitchHistory.Change]] = [:]
        for entry in record.orderedPreferences {
            func change(_ isOn: Bool) -> SwitchHistory.Change {
                SwitchHistory.Change(isOn: isOn, requestedAt: entry.requestedAt, answeredAt: entry.answeredAt)
            }
            let person = entry.person
            switch entry.choice {
            case .denied(let actor): denials[DenyKey(person: person, actor: actor), default: []].append(change(true))
            case .allowed(let actor): denials[DenyKey(person: person, actor: actor), default: []].append(change(false))
            case .autoWatch(let isOn): autoWatch[person, default: []].append(change(isOn))
            default: continue
            }
        }
        func histories<Key: Hashable>(_ changes: [Key: [SwitchHistory.Change]]) -> [Key: SwitchHistory] {
            changes.mapValues { SwitchHistory($0.doubted(by: clock)) }
        }
        return (histories(denials), histories(autoWatch))
    }

    /// When people wanted to be told nothing again, and nothing of what is due; what switches all reminders switches those, too.
    private static func silentReminders(
        _ record: RunRecord,
        _ clock: NotifierClock
    ) -> (all: [Username: SwitchHistory], due: [Username: SwitchHistory]) {
        var all: [Username: [SwitchHistory.Change]] = [:]
        var due: [Username: [SwitchHistory.Change]] = [:]
        for entry in record.orderedPreferences {
            func change(_ isOn: Bool) -> SwitchHistory.Change {
                SwitchHistory.Change(isOn: !isOn, requestedAt: entry.requestedAt, answeredAt: entry.answeredAt)
            }
            switch entry.choice {
            case .reminders(let isOn):
                all[entry.person, default: []].append(change(isOn))
                due[entry.person, default: []].append(change(isOn))
            case .dueReminders(let isOn): due[entry.person, default: []].append(change(isOn))
            default: continue
            }
        }
        func histories(_ changes: [Username: [SwitchHistory.Change]]) -> [Username: SwitchHistory] {
            changes.mapValues { SwitchHistory($0.doubted(by: clock)) }
        }
        return (histories(all), histories(due))
    }

    /// Whether the person's quiet hours keep it back.
    func hold(
        _ activity: ActivityRecord,
        for person: Username,
        readable: Duration,
        deadline: Duration
    ) -> QuietSpans.Effect {
        quiet[person]?.effect(on: readable, deadline: deadline, isUrgent: Self.isUrgent(activity, person)) ?? .none
    }

    /// Whether the person's quiet hours keep back what is due at `instant`, when it may be told at any time until `deadline`.
    func hold(of person: Username, at instant: Duration, deadline: Duration) -> QuietSpans.Effect {
        quiet[person]?.effect(on: instant, deadline: deadline, isUrgent: false) ?? .none
    }

    /// Whether what was kept back until `heldUntil` may have to wait once more, as it is quiet again before `last`, by which it had to be told.
    func waitsAgain(_ person: Username, from heldUntil: Duration?, until last: Duration) -> Bool {
        heldUntil.flatMap { quiet[person]?.begins(from: $0, until: last) } ?? false
    }

    /// Until when it is quiet, as the person's screens say that were read between two instants.
    func saidToBeQuiet(_ person: Username, from start: Duration, until end: Duration) -> QuietSpans.Effect {
        quiet[person]?.said(from: start, until: end) ?? .none
    }

    /// Whether the person wanted no reminders: certainly when that held all the time from `start` to `end`.
    func areRemindersOff(for person: Username, from start: Duration, until end: Duration) -> SwitchHistory.Standing {
        silentReminders[person]?.standing(from: start, until: end, last: end) ?? .off
    }

    /// The same of reminders of due dates, and of turns before they are due.
    func areDueRemindersOff(for person: Username, from start: Duration, until end: Duration) -> SwitchHistory.Standing {
        silentDueReminders[person]?.standing(from: start, until: end, last: end) ?? .off
    }

    /// Whether the person had muted or dismissed the item: certainly when that held all the time from `start` to `end`.
    func isSilent(_ item: ItemReference, for person: Username, from start: Duration, until end: Duration)
        -> SwitchHistory.Standing
    {
        let key = PersonItem(person: person, item: item)
        let standings = [mutes[key], dismissals[key]].map { $0?.standing(from: start, until: end, last: end) ?? .off }
        if standings.contains(.on) { return .on }
        return standings.contains(.unclear) ? .unclear : .off
    }

    /// Whether the person wanted to hear nothing of somebody: certainly when that held all the time from `start` to `end`.
    func isDenied(_ actor: Username, by person: Username, from start: Duration, until end: Duration)
        -> SwitchHistory.Standing
    {
        denials[DenyKey(person: person, actor: actor)]?.standing(from: start, until: end, last: end) ?? .off
    }

    /// Whether items on which the person is tagged may have been watched at any time.
    func wasAutoWatchEverOn(for person: Username) -> Bool { autoWatch[person] != nil }

    /// Whether the person had silenced it: certainly when the choice held all the time from `readable` to `deadline`. What quiet hours kept
    /// back until `heldUntil` is asked again then. By `last` it had to be told, quiet hours included.
    func silence(
        _ activity: ActivityRecord,
        for person: Username,
        readable: Duration,
        deadline: Duration,
        heldUntil: Duration? = nil,
        last: Duration
    ) -> Effect {
        let mute = activity.item.flatMap { mutes[PersonItem(person: person, item: $0)] }
        // Nobody ends a pipeline or makes a conflict, whoever GitLab names.
        let isNobodys = [.pipelineFinished, .unmergeable].contains(activity.kind)
        let denial = isNobodys ? nil : denials[DenyKey(person: person, actor: activity.actor)]
        var isUnclear = waitsAgain(person, from: heldUntil, until: last)
        let dismissal = activity.item.flatMap { dismissals[PersonItem(person: person, item: $0)] }
        let choices = [(denial, Standing.Exclusion.actorDenied), (dismissal, .dismissed), (mute, .muted)]
        for (history, exclusion) in choices {
            let standing =
                if let heldUntil {
                    history?.standing(from: readable, until: deadline, thenFrom: heldUntil, until: last)
                } else {
                    history?.standing(from: readable, until: deadline, last: last)
                }
            switch standing ?? .off {
            case .on: return .silenced(exclusion)
            case .unclear: isUnclear = true
            case .off: continue
            }
        }
        return isUnclear ? .unclear : .none
    }

    /// Whether the person had muted their program when it was heard, between `start` and `end`; what quiet hours kept back until `heldUntil` is
    /// asked again then, and had to be told by `last`.
    func isProgramMuted(
        _ person: Username,
        from start: Duration,
        until end: Duration,
        heldUntil: Duration?,
        last: Duration
    )
        -> SwitchHistory.Standing
    {
        guard let history = programMutes[person] else { return .off }
        guard let heldUntil else { return history.standing(from: start, until: end, last: end) }
        return history.standing(from: start, until: end, thenFrom: heldUntil, until: last)
    }

    /// Whether the person had muted the duty of that name: certainly when that held all the time from `start` to `end`.
    func isMuted(duty: String, by person: Username, from start: Duration, until end: Duration) -> SwitchHistory.Standing
    {
        dutyMutes.standing(of: duty, for: person, from: start, until: end)
    }

    /// Whether an activity that tags the person on an item makes it one they watch.
    func isAutoWatched(_ activity: ActivityRecord, for person: Username, until deadline: Duration)
        -> SwitchHistory.Standing
    {
        let tags = ["mentioned", "directly_addressed", "assigned", "review_requested"]
        guard activity.actor != person, let switched = autoWatch[person],
            activity.todos.contains(where: { $0.person == person && tags.contains($0.action) })
        else { return .off }
        return switched.standing(from: activity.at, until: deadline, last: deadline)
    }

    /// Mentions of the person and review requests to them.
    private static func isUrgent(_ activity: ActivityRecord, _ person: Username) -> Bool {
        let urgent = ["mentioned", "directly_addressed", "review_requested"]
        return activity.mentions.contains(person) || activity.named.contains(person)
            || activity.todos.contains { $0.person == person && urgent.contains($0.action) }
            || activity.asksForReview(of: person)
    }
}

extension [SwitchHistory.Change] {
    /// The watch whose mutes these are has ended, and they with it, but for those that were made later. Which they are the notifier tells by the
    /// clocks of the devices, no later than by its own: where one of them may be off, or what it had stored goes back to what was, any may hold on.
    fileprivate mutating func end(with entry: PreferenceRecord, isOrderly: Bool) {
        let areEarlier = allSatisfy { !$0.isOn || (!$0.isAhead && $0.answeredAt <= entry.requestedAt) }
        let isCertain = isOrderly && areEarlier && entry.datedAt >= entry.requestedAt
        let answeredAt = isCertain ? entry.answeredAt : .seconds(Int64.max / 2)
        append(SwitchHistory.Change(isOn: false, requestedAt: entry.requestedAt, answeredAt: answeredAt))
    }
}

extension SwitchHistory.Change {
    /// So long after a move a choice about the old issue may still be taken for its successor, or not.
    private static let followed = Duration.minutes(30)

    /// What a choice about an issue says of its successor: one made before the move holds there, too; one of soon after may or may not, nor may
    /// what took one back before, and was answered after it.
    fileprivate func after(moveAt instant: Duration) -> SwitchHistory.Change? {
        let isUnheard = !isOn && answeredAt > instant
        guard requestedAt > instant || isUnheard else { return self }
        guard requestedAt < instant + Self.followed else { return nil }
        var change = self
        change.answeredAt = .seconds(Int64.max / 2)
        return change
    }
}
