import Platform
import Scenarios

/// Judges reminders of due dates: who had to be reminded and when, from ``DueDateTruth`` and what people chose, and what APNs was sent.
struct DueDateJudge {
    /// When a reminder is to come and from when on it is of no use, by the clock of one zone.
    private struct Slot {
        var from: Duration
        var until: Duration
    }

    /// From a look at what is due, which is taken at least once a minute, until GitLab was looked at once more, or cannot be.
    private static let loop = Duration.minutes(1)
    private static let patience = Duration.minutes(5) + .seconds(15)
    /// Clocks of the world's services are read at different moments.
    private static let tolerance = Duration.seconds(1)
    private static let steps = [1, 2]
    /// What is overdue is told so late at most.
    private static let longestDelay = Duration.days(1)

    private let record: RunRecord
    private let truth: GroundTruth
    private let dates: DueDateTruth
    private let zones: PersonZones
    private let leadTime: Duration?
    private let sent: [ReminderSending<DueContent>]
    private let clocks: ClockReach
    private let devices: DeviceFates
    /// When the notifier did not run, or could store nothing.
    private let stops: [Span]

    init(_ record: RunRecord, truth: GroundTruth, log: NotifierLog) {
        self.record = record
        self.truth = truth
        leadTime = record.resolved.scenario.notifier.dueLeadTime
        dates = DueDateTruth(record, truth: truth)
        zones = PersonZones(record)
        devices = DeviceFates(record)
        sent = ReminderSending.all(in: record, log) { $0.due }
        stops = (record.downtimes + FaultSpans(record).stalled).sorted { ($0.from, $0.until) < ($1.from, $1.until) }
        clocks = ClockReach(record)
    }

    func findings() -> ReminderFindings {
        ReminderFindings(due: expected(), wrong: sent.indices.flatMap(wrong) + repeated())
    }

    /// The reminder of a day, by the clock of a zone: as long before the day as the person or the operator chose, and at the same time of day after it.
    private func slot(_ date: CivilDate, _ step: Int, _ zone: QuietHours.Zone, _ leadTime: Duration) -> Slot {
        let clock = WallClock(zone: zone)
        func since(_ time: Duration) -> Duration {
            record.resolved.scenario.start.duration(to: clock.instant(of: date, after: time))
        }
        if step == 1 { return Slot(from: since(.zero - leadTime), until: since(.days(1))) }
        var timeOfDay = Duration.zero - leadTime
        while timeOfDay < .zero { timeOfDay += .days(1) }
        let from = since(.days(1) + timeOfDay)
        return Slot(from: from, until: from + Self.longestDelay)
    }

    // MARK: What had to be told

    private struct Key: Hashable {
        var person: Username
        var item: ItemReference
        var date: CivilDate
        var step: Int
    }

    private func expected() -> [ReminderFindings.Due] {
        guard let leadTime, record.resolved.scenario.notifier.isPushing else { return [] }
        var judged: Set<Key> = []
        var due: [ReminderFindings.Due] = []
        for date in dates.all {
            for step in Self.steps {
                let key = Key(person: date.person, item: date.item, date: date.date, step: step)
                guard !judged.contains(key) else { continue }
                // Only the first chance counts: whatever became of it, the same is not told again.
                for era in zones[date.person] {
                    let slot = slot(date.date, step, era.zone, era.leadTime ?? leadTime)
                    let end = min(date.endKnown ?? slot.until, era.certainUntil + AskTruth.underWay, slot.until)
                    guard max(slot.from, date.from, era.from) < end else { continue }
                    judged.insert(key)
                    guard let deadline = deadline(date, slot, era), isTimed(date, slot, era, until: deadline) else {
                        break
                    }
                    let own = sent.filter { self.key(of: $0) == key }
                    let answers = own.compactMap(\.acceptedAt)
                    if answers.isEmpty, own.contains(where: \.isRefused) { break }
                    due.append(
                        ReminderFindings.Due(
                            activity: date.activity,
                            person: date.person,
                            deadline: deadline,
                            acceptedAt: answers.min()
                        )
                    )
                    break
                }
            }
        }
        return due
    }

    /// When the reminder must have reached APNs; nil when it is not certain that it had to.
    private func deadline(_ date: TruthDueDate, _ slot: Slot, _ era: PersonZones.Era) -> Duration? {
        // Nobody knows whether a choice without an answer holds.
        guard era.certainFrom <= record.simulated, let watch = watch(of: date),
            let registered = registered(date.person)
        else { return nil }
        let person = date.person
        let start = max(slot.from, date.from, era.from)
        var from = start
        let beginnings = [watch, registered].map { dates.known($0, person) }
        var by = max(slot.from, date.knownBy, era.certainFrom, beginnings.max() ?? .zero)
        let allowance = Self.loop + Self.patience
        for _ in 0..<3 {
            for stop in stops where stop.from <= by + allowance && from < stop.until { by = max(by, stop.until) }
            guard case .held(let end) = truth.preferences.hold(of: person, at: from, deadline: by + allowance) else {
                break
            }
            (from, by) = (end, end)
        }
        guard case .none = truth.preferences.hold(of: person, at: from, deadline: by + allowance) else { return nil }
        let deadline = truth.sendingDeadline(from: by + allowance, for: person)
        let end = [slot.until, era.until, record.resolved.scenario.duration, date.until ?? slot.until].min()
        guard let end, deadline < end, isUndisturbed(date, from: start, until: deadline),
            devices.hasUsable(for: person, from: from, until: deadline)
        else { return nil }
        return deadline
    }

    /// Whether it went by no clock that was set: it was over before, or was known, and due long after all clocks were right again.
    private func isTimed(_ date: TruthDueDate, _ slot: Slot, _ era: PersonZones.Era, until deadline: Duration) -> Bool {
        if clocks.spares(until: deadline) { return true }
        guard clocks.isBehind(slot.from), date.knownBy <= slot.from, era.certainFrom <= slot.from else { return false }
        // When a mute ends the notifier may have counted by the wrong clock.
        return !record.preferences.contains { entry in
            guard entry.person == date.person, case .muted(date.item, _) = entry.choice else { return false }
            return !clocks.isApart(from: entry.requestedAt, until: entry.answeredAt)
        }
    }

    /// When the person began to watch the item that they watched until the end, by their own choice or because an issue that they
    /// watched was moved; nil when that is not so.
    private func watch(of date: TruthDueDate) -> Duration? {
        let own = (record.watches + truth.followed).filter { $0.person == date.person && $0.item == date.item }
        guard own.allSatisfy({ $0.endRequestedAt == nil }) else { return nil }
        // Whoever had no answer may watch it, or not.
        return own.map(\.activeFrom).filter { $0 <= record.simulated }.min()
    }

    private func registered(_ person: Username) -> Duration? {
        let own = record.registrations.filter { $0.person == person }
        return own.count == 1 ? own[0].activeFrom : nil
    }

    /// Whether nothing that the person chose, or that was done to them, makes it doubtful.
    private func isUndisturbed(_ date: TruthDueDate, from start: Duration, until end: Duration) -> Bool {
        let own = record.registrations.filter { $0.person == date.person }
        let refused = own.flatMap { $0.unserved + $0.noAccess.map(\.span) }
        guard !refused.contains(where: { $0.from <= end }) else { return false }
        guard case .off = truth.preferences.areDueRemindersOff(for: date.person, from: start, until: end) else {
            return false
        }
        guard case .off = truth.preferences.isSilent(date.item, for: date.person, from: start, until: end) else {
            return false
        }
        return !record.activities.contains {
            $0.item == date.item && $0.kind == .confidentialityChanged && $0.at <= end
        }
    }

    // MARK: What was wrong

    private func key(of reminder: ReminderSending<DueContent>) -> Key? {
        reminder.content.item.map {
            Key(person: reminder.person, item: $0, date: reminder.content.date, step: reminder.content.step)
        }
    }

    private func wrong(_ index: Int) -> [ReminderFindings.Wrong] {
        let reminder = sent[index]
        func wrong(_ why: String, _ invariant: ViolationRecord.Invariant? = nil, at instant: Duration? = nil)
            -> [ReminderFindings.Wrong]
        {
            let what = "Reminder \(reminder.keys.joined(separator: ",")) to \(reminder.person) \(why)."
            let at = instant ?? reminder.at
            return [ReminderFindings.Wrong(at: at, person: reminder.person, why: what, invariant: invariant)]
        }
        guard let key = key(of: reminder), let leadTime else { return wrong("is about no item, or nobody wants any") }
        let own = dates[key.item, key.person].filter { $0.date == key.date && $0.from <= reminder.at }
        guard !own.isEmpty else { return wrong("is of a day by which they have nothing to do there") }
        let ends = own.compactMap(\.endKnown)
        if ends.count == own.count, let end = ends.max(), let late = reminder.attempts.first(where: { $0 > end }) {
            return wrong("came after that day was off and that had to be known", .remindedAfterEnd, at: late)
        }
        let instants = [reminder.at] + reminder.attempts
        if let late = instants.first(where: { isUnwatched(key.item, key.person, at: $0) }) {
            return wrong("came although they do not watch it", .remindedAfterEnd, at: late)
        }
        for instant in instants {
            let before = instant - AskTruth.underWay
            let choices = [
                truth.preferences.areDueRemindersOff(for: key.person, from: before, until: instant),
                truth.preferences.isSilent(key.item, for: key.person, from: before, until: instant),
            ]
            if choices.contains(.on) { return wrong("came although they wanted none", at: instant) }
        }
        guard clocks.spares(reminder) else { return [] }
        if case .held = truth.preferences.hold(of: reminder.person, at: reminder.at, deadline: reminder.at) {
            return wrong("was made in quiet hours", .notifiedInQuietHours)
        }
        let eras = zones[key.person].filter {
            $0.from <= reminder.at && reminder.at <= $0.certainUntil + Self.tolerance
        }
        let slots = eras.map { slot(key.date, key.step, $0.zone, $0.leadTime ?? leadTime) }
        if let earliest = slots.map(\.from).min(), reminder.at + Self.tolerance < earliest {
            return wrong("came too early")
        }
        let latest = slots.map(\.until).max() ?? reminder.at
        return latest + Self.tolerance < reminder.at ? wrong("came when it was of no use any more") : []
    }

    /// Whether the person watched the item neither then nor shortly before, whoever had made the entry.
    private func isUnwatched(_ item: ItemReference, _ person: Username, at instant: Duration) -> Bool {
        guard !truth.preferences.wasAutoWatchEverOn(for: person) else { return false }
        return [instant - AskTruth.underWay, instant].allSatisfy { instant in
            switch truth.watches.state(of: item, for: person, at: instant) {
            case .watched, .changing: false
            case .notYet, .unwatched: true
            }
        }
    }

    /// Each is told once, whatever the process went through.
    private func repeated() -> [ReminderFindings.Wrong] {
        var seen: Set<Key> = []
        return sent.compactMap { reminder in
            guard let key = key(of: reminder), !seen.insert(key).inserted else { return nil }
            return ReminderFindings.Wrong(
                at: reminder.at,
                person: reminder.person,
                why: "Reminder \(reminder.keys.joined(separator: ",")) was made twice for \(reminder.person).",
                invariant: .remindedTooOften
            )
        }
    }
}
