import Platform
import Scenarios

/// What became of the reminders of one run.
struct ReminderFindings {
    /// A reminder that was due for certain.
    struct Due {
        /// Position in `RunRecord.activities`; nil for what nothing on GitLab led to.
        var activity: Int?
        /// What it was, in a sentence.
        var why = "They were to be told again until then that somebody waits."
        var person: Username
        var deadline: Duration
        /// When APNs accepted it; nil when it never did.
        var acceptedAt: Duration?

        var isMissed: Bool { acceptedAt == nil }
        var isLate: Bool { acceptedAt.map { $0 > deadline } ?? false }
    }

    /// A reminder that was wrong.
    struct Wrong {
        var at: Duration
        var person: Username
        /// What is wrong with it, in a sentence.
        var why: String
        /// Set when it must never happen.
        var invariant: ViolationRecord.Invariant?
    }

    var due: [Due] = []
    var wrong: [Wrong] = []

    static func + (left: ReminderFindings, right: ReminderFindings) -> ReminderFindings {
        ReminderFindings(due: left.due + right.due, wrong: left.wrong + right.wrong)
    }
}

/// Judges reminders: who had to be told again and when, from ``AskTruth``, and what APNs was sent.
struct ReminderJudge {
    private struct Key: Hashable {
        var person: Username
        var text: String
    }

    /// For a look a minute, or a to-do item that a replica leaves out for one.
    private static let loop = Duration.minutes(1)
    /// How long a reminder is held while GitLab cannot be read.
    private static let patience = Duration.minutes(5) + .seconds(15)
    /// A process that was down for longer leaves a reminder to the next one.
    private static let longestDown = Duration.minutes(20)
    /// And for longer the last one, too.
    private static let longestLastDown = Duration.hours(20)
    /// How long "Later" is.
    private static let later = Duration.hours(1)
    /// So long after a fault a person's to-do items may not have been read again: what is polled again waits for its turn.
    private static let aftermath = Duration.minutes(15)
    /// Clocks of the world's services are read at different moments.
    private static let tolerance = Duration.seconds(1)

    private let record: RunRecord
    private let truth: GroundTruth
    private let delays: [Duration]
    /// Where nothing is pushed a reminder is there for apps that ask, whenever they do.
    private let isPushing: Bool
    private let asks: [TruthAsk]
    private var asksByKey: [Key: [Int]] = [:]
    private let sent: [ReminderSending<ReminderContent>]
    private let clocks: ClockReach
    private let isUnclear: Set<Username>
    private let devices: DeviceFates
    /// When the notifier did not run, or could store nothing; by their beginnings.
    private let stops: [Span]

    /// `others` are asks of which no activity tells.
    init(
        _ record: RunRecord,
        truth: GroundTruth,
        outcomes: [Outcome],
        others: [TruthAsk],
        log: NotifierLog,
        observations: Observations
    ) {
        self.record = record
        self.truth = truth
        delays = record.resolved.scenario.notifier.possibleReminderDelays
        isPushing = record.resolved.scenario.notifier.isPushing
        devices = DeviceFates(record)
        sent = ReminderSending.all(in: record, log) { $0.reminder }
        stops = (record.downtimes + FaultSpans(record).stalled).sorted { ($0.from, $0.until) < ($1.from, $1.until) }
        clocks = ClockReach(record)
        isUnclear = Set(observations.truncated.keys.map { truth.people[$0] })
        let asked = AskTruth(record, truth: truth)
        asks = delays.isEmpty ? [] : asked.asks(outcomes) + others
        for (index, ask) in asks.enumerated() {
            for key in ask.keys { asksByKey[Key(person: ask.person, text: key), default: []].append(index) }
        }
    }

    func findings() -> ReminderFindings {
        ReminderFindings(due: isPushing ? asks.flatMap(due) : [], wrong: sent.indices.flatMap(wrong) + repeated())
    }

    // MARK: What had to be told

    private func due(_ ask: TruthAsk) -> [ReminderFindings.Due] {
        guard let told = ask.told, ask.isCertain, !isUnclear.contains(ask.person) else { return [] }
        let times = delays.indices.map { time(of: ask, told, step: $0) }
        return times.indices.compactMap { index in
            guard let time = times[index] else { return nil }
            let deadline = deadline(time.by, ask.person)
            // What waits for its push when its person says Later goes no more, if another is to come.
            let last = index + 1 < times.count ? deadline : time.by + Self.loop
            let mayBePostponed = postponements(of: ask).contains {
                time.from < $0.requestedAt + Self.later && $0.requestedAt <= last
            }
            // What falls due together is told once.
            let next = index + 1 < times.count ? times[index + 1] : (deadline + .hours(1), deadline)
            guard let next, !mayBePostponed, deadline < next.from, deadline < ask.mayEnd,
                deadline < record.resolved.scenario.duration, clocks.spares(until: deadline),
                devices.hasUsable(for: ask.person, from: told.from, until: deadline),
                // What fell due while they wanted none is left out, wherever quiet hours would have put it.
                case .off = truth.preferences.areRemindersOff(
                    for: ask.person,
                    from: told.from + delays[index],
                    until: deadline
                )
            else { return nil }
            let own = sent.filter { isAbout($0, ask, step: index + 1) }
            let answer = own.first { $0.acceptedAt != nil }
            if answer == nil, own.contains(where: \.isRefused) { return nil }
            return ReminderFindings.Due(
                activity: ask.activity,
                person: ask.person,
                deadline: deadline,
                acceptedAt: answer?.acceptedAt
            )
        }
    }

    private func isAbout(_ reminder: ReminderSending<ReminderContent>, _ ask: TruthAsk, step: Int) -> Bool {
        reminder.person == ask.person && reminder.content.step == step
            && reminder.keys.contains(where: ask.keys.contains)
    }

    /// When a step is due, at the earliest and at the latest; nil when that is unclear.
    private func time(of ask: TruthAsk, _ told: (from: Duration, by: Duration), step: Int) -> (
        from: Duration, by: Duration
    )? {
        var time = (from: told.from + delays[step], by: told.by + delays[step])
        for choice in postponements(of: ask) {
            // What is put off before the first device has it counts from then alone.
            if choice.requestedAt <= told.by { return nil }
            if choice.answeredAt <= time.from {
                time.from = max(time.from, choice.requestedAt + Self.later)
                time.by = max(time.by, choice.answeredAt + Self.later)
            } else if choice.requestedAt <= time.by + Self.loop {
                return nil
            }
        }
        switch truth.preferences.hold(of: ask.person, at: time.from, deadline: time.by + Self.loop) {
        case .none: break
        case .held(let end): (time.from, time.by) = (end, end)
        case .unclear: return nil
        }
        let longest = step == delays.count - 1 ? Self.longestLastDown : Self.longestDown
        let unknown = Span(from: told.from, until: ask.knownFrom)
        for stop in stops + [unknown] where stop.from <= time.by + Self.loop && time.from < stop.until {
            guard stop.until - time.from < longest else { return nil }
            time.by = max(time.by, stop.until)
        }
        return time
    }

    /// What was answered before anything was asked was said of something else.
    private func postponements(of ask: TruthAsk) -> [PreferenceRecord] {
        guard let item = ask.activity.flatMap({ record.activities[$0].item }) else { return [] }
        return record.preferences.filter {
            $0.person == ask.person && $0.choice == .postponed(item) && ask.since <= $0.answeredAt
        }
    }

    /// When a reminder that is due at `instant` must have reached APNs.
    private func deadline(_ instant: Duration, _ person: Username) -> Duration {
        let around = Span(from: instant - Self.aftermath, until: instant + Self.loop)
        let isDisturbed =
            record.faults.contains { $0.span.from < around.until && around.from < $0.span.until + Self.patience }
            || stops.contains { $0.from < around.until && around.from < $0.until + Self.patience }
        return truth.sendingDeadline(from: instant + Self.loop + (isDisturbed ? Self.patience : .zero), for: person)
    }

    // MARK: What was wrong

    private func wrong(_ index: Int) -> [ReminderFindings.Wrong] {
        let reminder = sent[index]
        func wrong(_ why: String, _ invariant: ViolationRecord.Invariant? = nil, at instant: Duration? = nil)
            -> [ReminderFindings.Wrong]
        {
            let what =
                "Reminder \(reminder.content.step) of \(reminder.keys.joined(separator: ",")) to \(reminder.person) \(why)."
            return [
                ReminderFindings.Wrong(
                    at: instant ?? reminder.at,
                    person: reminder.person,
                    why: what,
                    invariant: invariant
                )
            ]
        }
        let about = reminder.keys.flatMap { asksByKey[Key(person: reminder.person, text: $0)] ?? [] }.map { asks[$0] }
            .filter { $0.since <= reminder.at }
        guard let ask = about.last else { return wrong("is about nothing that anybody asks of them") }
        guard delays.indices.contains(reminder.content.step - 1) else {
            return wrong("came after the last one", .remindedTooOften)
        }
        // A turn that came back is asked for anew, whatever became of it before.
        let standing = ask.activity == nil ? [ask] : about
        if let end = standing.compactMap(\.endKnown).min(), standing.allSatisfy({ $0.endKnown != nil }),
            let late = reminder.attempts.first(where: { $0 > end })
        {
            return wrong("came after it was settled and that had to be known", .remindedAfterEnd, at: late)
        }
        for instant in [reminder.at] + reminder.attempts {
            let before = instant - AskTruth.underWay
            if case .on = truth.preferences.areRemindersOff(for: reminder.person, from: before, until: instant) {
                return wrong("came although they wanted none", at: instant)
            }
        }
        guard clocks.spares(reminder) else { return [] }
        if case .held = truth.preferences.hold(of: reminder.person, at: reminder.at, deadline: reminder.at) {
            return wrong("was made in quiet hours", .notifiedInQuietHours)
        }
        guard let told = ask.told?.from else {
            return isUnclear.contains(reminder.person) ? [] : wrong("came before they were told")
        }
        // What another ask of the same name may have led to is none of this one.
        let isEarly = about.allSatisfy { $0.told.map { reminder.at + Self.tolerance < $0.from } ?? true }
        if isEarly, !isUnclear.contains(reminder.person) { return wrong("came before they were told") }
        var earliest = told + delays[reminder.content.step - 1]
        for choice in postponements(of: ask) where choice.answeredAt < reminder.at {
            let later = choice.requestedAt + Self.later
            // Before it was told it may not have been known either, and what was put off was another.
            earliest = choice.requestedAt <= told ? min(earliest, later) : max(earliest, later)
        }
        if reminder.at + Self.tolerance < earliest { return wrong("came too early") }
        return postponed(reminder, of: ask, toldAt: told).map { wrong("left within an hour of Later", at: $0) } ?? []
    }

    /// When a reminder left although its person had put off what comes next, and another was to come; nil when it did not.
    private func postponed(
        _ reminder: ReminderSending<ReminderContent>,
        of ask: TruthAsk,
        toldAt told: Duration
    ) -> Duration? {
        guard reminder.content.step < delays.count else { return nil }
        let choices = postponements(of: ask).filter { $0.requestedAt > reminder.at + Self.tolerance }
        return reminder.attempts.first { instant in
            let isPutOff = choices.contains {
                $0.answeredAt + AskTruth.underWay < instant && instant + Self.tolerance < $0.requestedAt + Self.later
            }
            guard isPutOff else { return false }
            // What fell due while they wanted none is left out: nothing else would have come.
            return truth.preferences.areRemindersOff(for: reminder.person, from: told, until: instant) == .off
        }
    }

    /// A step is told once, whatever the process went through.
    private func repeated() -> [ReminderFindings.Wrong] {
        struct Step: Hashable {
            var key: Key
            var step: Int
            /// Which time it was asked for: a turn that came back is asked for anew.
            var asked: Int?
        }
        var seen: Set<Step> = []
        return sent.compactMap { reminder in
            let steps = reminder.keys.map {
                let key = Key(person: reminder.person, text: $0)
                return Step(key: key, step: reminder.content.step, asked: turn(key, at: reminder.at))
            }
            defer { seen.formUnion(steps) }
            guard steps.contains(where: seen.contains) else { return nil }
            return ReminderFindings.Wrong(
                at: reminder.at,
                person: reminder.person,
                why: "Reminder \(reminder.content.step) of \(reminder.keys.joined(separator: ",")) was made twice for "
                    + "\(reminder.person).",
                invariant: .remindedTooOften
            )
        }
    }

    /// The ask for a turn of a duty that was the newest under a key at an instant; nil for other asks.
    private func turn(_ key: Key, at instant: Duration) -> Int? {
        asksByKey[key]?.last { asks[$0].activity == nil && asks[$0].since <= instant }
    }
}
