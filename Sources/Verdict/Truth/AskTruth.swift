import Platform
import Scenarios

/// Somebody who waits for one person, as GitLab's own to-do items say it, and until when.
struct TruthAsk {
    /// Position in `RunRecord.activities` of what made it; nil for what nothing on GitLab led to.
    var activity: Int?
    /// Since when there is something to be told.
    var since: Duration
    var person: Username
    /// Keys under which it may be named.
    var keys: [String]
    /// When APNs accepted its first notification, at the earliest and at the latest as the notifier may see that; nil when it never did.
    var told: (from: Duration, by: Duration)?
    /// The first moment at which it may be over, or be different from what it was.
    var mayEnd: Duration
    /// When a notifier must have known that it is over; nil while it need not.
    var endKnown: Duration?
    /// Whether it is certain that the person must be told.
    var isCertain: Bool
    /// From when the notifier can know that somebody waits: of who is addressed, a comment alone says only that they are mentioned, and the
    /// to-do item may be readable much later. Zero where what tells of it says so.
    var knownFrom = Duration.zero
    /// Whether it is a review.
    var isReview = false
}

/// Who waits for whom, from the deeds on GitLab and the choices of people alone: an ask is a to-do item that wants a review, an approval or
/// an answer.
struct AskTruth {
    /// GitLab's words for to-do items that somebody waits behind.
    private static let asking = [review, "approval_required", addressed]
    private static let review = "review_requested"
    private static let addressed = "directly_addressed"
    /// A request that is under way when a choice is confirmed may still arrive.
    static let underWay = Duration.seconds(30)
    /// A to-do item that is gone is looked for twice, a minute apart.
    private static let secondLook = Duration.minutes(3)
    /// A fault that ended so short a time before something was done may still have kept it from being read.
    private static let aftermath = Duration.minutes(10)

    private let record: RunRecord
    private let truth: GroundTruth
    private let todos: TodoResolutions
    private let faults: FaultSpans
    private let endings: [ItemReference: [Int]]

    init(_ record: RunRecord, truth: GroundTruth) {
        self.record = record
        self.truth = truth
        todos = TodoResolutions(record)
        faults = FaultSpans(record)
        var endings: [ItemReference: [Int]] = [:]
        for (index, activity) in record.activities.enumerated() {
            if let item = activity.item { endings[item, default: []].append(index) }
        }
        self.endings = endings
    }

    /// The asks behind outcomes. Who is asked for a review again is asked for one: what asked before is over when they are told of the newer.
    func asks(_ outcomes: [Outcome]) -> [TruthAsk] {
        var asks = outcomes.compactMap(ask)
        // By a clock that was wrong the newer may be the older.
        guard !record.faults.contains(where: { $0.kind.place == .clock }) else { return asks }
        var reviews: [PersonItem: [(place: Int, since: Duration, toldBy: Duration?)]] = [:]
        for (place, ask) in asks.enumerated() where ask.isReview {
            guard let activity = ask.activity.map({ record.activities[$0] }), let item = activity.item else { continue }
            // A note that takes another's request back as well names both.
            let isRequest = activity.kind == .reviewRequested && activity.body?.contains("removed") == false
            reviews[PersonItem(person: ask.person, item: item), default: []]
                .append((place, ask.since, isRequest ? ask.told?.by : nil))
        }
        for same in reviews.values {
            for review in same {
                // What may be told of under one name for both is no news of the newer.
                let newer = same.filter {
                    review.since < $0.since && Set(asks[$0.place].keys).isDisjoint(with: asks[review.place].keys)
                }
                let told = newer.compactMap(\.toldBy).min()
                guard let end = told.map({ $0 + Self.underWay }) else { continue }
                asks[review.place].endKnown = min(asks[review.place].endKnown ?? end, end)
            }
        }
        return asks
    }

    /// The ask behind an outcome; nil when nobody waits behind it.
    func ask(_ outcome: Outcome) -> TruthAsk? {
        let person = truth.people[outcome.pair.person]
        let activity = record.activities[outcome.pair.activity]
        if let signal = activity.signal { return ask(outcome, signal) }
        let own = activity.todos.filter { $0.person == person && Self.asking.contains($0.action) }
        let isAskedByNote = own.isEmpty && activity.asksForReview(of: person)
        guard !own.isEmpty || isAskedByNote, !outcome.pair.standing.isNotForThem else { return nil }
        let told = told(outcome)
        // What the note alone asks has no to-do item by which it ends.
        let isRestored =
            isAskedByNote || own.contains { $0.firstRestoredAt != nil } || todos.mayHaveSlept(activity, for: person)
        var ask = TruthAsk(
            activity: outcome.pair.activity,
            since: activity.at,
            person: person,
            keys: outcome.pair.keys.own + outcome.pair.keys.shared,
            told: told,
            mayEnd: isRestored ? .zero : disturbance(of: activity, for: person),
            isCertain: outcome.isExpected && !isRestored,
            isReview: isAskedByNote || own.contains { $0.action == Self.review }
        )
        if own.allSatisfy({ $0.action == Self.addressed }) {
            ask.knownFrom = .nanoseconds(truth.obstacles[outcome.pair.person].readable(from: activity.at))
        }
        if !isRestored { ask.endKnown = end(of: activity, told: told?.from, for: outcome.pair.person, person) }
        return ask
    }

    /// The ask behind what a program said: it ends by the program's word, or by the person's.
    private func ask(_ outcome: Outcome, _ signal: SignalRecord) -> TruthAsk? {
        guard signal.word == .approvalNeeded, !outcome.pair.standing.isNotForThem else { return nil }
        let told = told(outcome)
        let ends = record.preferences.filter { entry in
            guard entry.person == signal.person else { return false }
            return switch entry.choice {
            case .signalSettled(signal.name), .programMuted, .programRevoked: true
            default: false
            }
        }
        let since = record.activities[outcome.pair.activity].at
        let heard = signal.answeredAt ?? told?.from ?? since
        let runs = runEnds(after: outcome.pair.activity, signal)
        let chosen = ends.filter { $0.answeredAt >= since }.map { max($0.requestedAt, since) }
        // What the program was answered had been asked by then.
        let known =
            ends.filter { $0.requestedAt > heard }.map { $0.answeredAt + Self.underWay }
            + runs.compactMap { $0.certain.map { $0 + Self.underWay } }
        return TruthAsk(
            activity: outcome.pair.activity,
            since: since,
            person: signal.person,
            keys: outcome.pair.keys.own,
            told: told,
            mayEnd: (chosen + runs.map(\.possible)).min() ?? .seconds(Int64.max / 4),
            endKnown: told == nil ? nil : known.min(),
            isCertain: outcome.isExpected
        )
    }

    /// Ends of the run in which something was asked, said after it: from when each may count, and from when it does for certain. A program says
    /// one thing after the other, and what it says again changes nothing.
    private func runEnds(after index: Int, _ asked: SignalRecord) -> [(possible: Duration, certain: Duration?)] {
        var said: Set<String> = []
        return record.activities.enumerated().compactMap { place, activity in
            guard let signal = activity.signal, signal.person == asked.person,
                signal.word == .runCompleted || signal.word == .runFailed
            else { return nil }
            let isNew = said.insert("\(signal.word.rawValue) \(signal.name)").inserted
            guard place > index, signal.run == asked.run else { return nil }
            return (activity.at, isNew && !signal.isRefused && asked.answeredAt != nil ? signal.answeredAt : nil)
        }
    }

    /// Behind the end of every run.
    static let unknown = Duration.days(36_500)

    /// When the first device had it, by a push or because its app had read it and said so, which no record has for certain.
    private func told(_ outcome: Outcome) -> (from: Duration, by: Duration)? {
        let accepted = outcome.trail.pushes.map { record.pushes[$0] }.filter { $0.status == 200 }
        let answered = accepted.first { !$0.answerLost }
        let kept = accepted.first { !$0.answerLost && isKept($0) }
        let shown = outcome.trail.events.map { record.deviceEvents[$0] }.first(where: \.isByApp)?.at
        // An app shows nothing of what a push has shown already, and says all the same that it has it.
        let read = outcome.trail.catchUps.first.map { record.catchUps[$0].at }
        // Where APNs' answer was lost, the device that shows it may say so, which ends what would go again.
        let isShown = !outcome.trail.events.isEmpty
        var told = [answered == nil && !isShown && read == nil ? nil : accepted.first?.at, shown, read]
        // What was marked as read before it could be pushed is not pushed.
        if accepted.isEmpty { told.append(mark(of: outcome)) }
        guard let first = told.compactMap({ $0 }).min() else { return nil }
        return (first, kept.map { $0.answeredAt ?? $0.at } ?? Self.unknown)
    }

    /// Whether the notifier went on for long enough to store the answer: otherwise it pushes again, and counts from that.
    private func isKept(_ push: PushRecord) -> Bool {
        let answeredAt = push.answeredAt ?? push.at
        return !record.downtimes.contains { answeredAt <= $0.from && $0.from < answeredAt + Self.underWay }
    }

    /// When the person first did something in an app by which they have read it.
    private func mark(of outcome: Outcome) -> Duration? {
        let activity = record.activities[outcome.pair.activity]
        guard let item = activity.item else { return nil }
        let person = truth.people[outcome.pair.person]
        return record.preferences.first {
            $0.person == person && $0.choice.readItem == item && $0.requestedAt >= activity.at
        }?.requestedAt
    }

    // MARK: When it may be over

    private static let ending: [ActivityKind] = [
        .merged, .closed, .deleted, .moved, .reviewRequestRemoved, .confidentialityChanged,
    ]

    private func disturbance(of activity: ActivityRecord, for person: Username) -> Duration {
        var instants = [
            todos.resolution(of: activity, for: person), activity.goneAt, faults.hidden(activity.readableFrom),
        ].compactMap { $0 }
        for index in activity.item.flatMap({ endings[$0] }) ?? [] {
            let other = record.activities[index]
            let isOver = other.actor == person || Self.ending.contains(other.kind) || asksForReview(other, person)
            if other.number != activity.number, isOver { instants.append(other.at) }
        }
        // What was on its way when it was asked may have reached the notifier later, and ended it, too.
        instants += choices(about: activity, by: person).filter {
            $0.answeredAt >= activity.at && !wasOver($0, by: activity.at)
        }
        .map { max($0.requestedAt, activity.at) }
        instants += record.watches.filter { $0.person == person && $0.item == activity.item }.compactMap(
            \.endRequestedAt
        )
        // Taken off the list once more it may be although nobody was told that it was there again: a device had chosen that, and was overtaken. What
        // was chosen before it was asked, and is said after it, leaves it alone.
        let unwatched = activity.item.map { PreferenceRecord.Choice.unwatched($0) }
        instants += record.preferences.filter { entry in
            let isLater = max(entry.requestedAt, entry.datedAt) >= activity.at || !faults.isNotifierTimed
            return entry.person == person && entry.choice == unwatched && entry.answeredAt >= activity.at && isLater
        }
        .map { max($0.requestedAt, activity.at) }
        for registration in record.registrations where registration.person == person {
            instants += (registration.unserved + registration.noAccess.map(\.span)).map(\.from)
            if registration.requestedAt > activity.at { instants.append(registration.requestedAt) }
        }
        return instants.filter { $0 >= activity.at }.min() ?? .seconds(Int64.max / 4)
    }

    /// Who is asked again for a review may be told of that alone from then on.
    private func asksForReview(_ activity: ActivityRecord, _ person: Username) -> Bool {
        activity.asksForReview(of: person)
            || activity.todos.contains { $0.person == person && $0.action == Self.review }
    }

    /// What the person chose in the app that ends what is asked there.
    private func choices(about activity: ActivityRecord, by person: Username) -> [PreferenceRecord] {
        record.preferences.filter { entry in
            guard entry.person == person else { return false }
            return switch entry.choice {
            case .muted(let item, _), .dismissed(let item), .settled(let item): item == activity.item
            case .denied(let actor): actor == activity.actor
            default: false
            }
        }
    }

    // MARK: When that must be known

    private func end(of activity: ActivityRecord, told: Duration?, for place: Int, _ person: Username) -> Duration? {
        guard let told else { return nil }
        var instants: [Duration] = []
        if let done = todos.resolution(of: activity, for: person), shows(done, of: activity, place, person) {
            instants.append(known(done, place))
        }
        for entry in choices(about: activity, by: person) where entry.requestedAt > told && !cameTooLate(entry) {
            instants.append(entry.answeredAt + Self.underWay)
        }
        return instants.min()
    }

    /// Whether a choice may have been over when the notifier heard of it: a mute of an item that had ended, perhaps only by a clock that is or was
    /// set, says nothing of what is asked there.
    private func cameTooLate(_ entry: PreferenceRecord) -> Bool {
        guard case .muted(_, let end) = entry.choice else { return false }
        return end <= entry.answeredAt || !faults.isNotifierTimed
    }

    /// Whether a choice was over when something was asked, whenever the notifier heard of it.
    private func wasOver(_ entry: PreferenceRecord, by instant: Duration) -> Bool {
        guard case .muted(_, let end) = entry.choice else { return false }
        return end <= instant && faults.isNotifierTimed
    }

    /// Whether it shows that it is over: the to-do item must have been listed until then, or the person has answered. Of one that no list had it
    /// cannot be said that it is gone.
    private func shows(_ done: Duration, of activity: ActivityRecord, _ place: Int, _ person: Username) -> Bool {
        if done > readBy(activity.at, place, grace: .zero) { return true }
        let others = activity.item.flatMap { endings[$0] } ?? []
        return others.map { record.activities[$0] }.contains { other in
            other.actor == person && other.at == done && other.kind.dealsWithAsks
        }
    }

    /// When what was done at an instant must have been read, `grace` later than an ordinary poll.
    private func readBy(_ instant: Duration, _ place: Int, grace: Duration) -> Duration {
        let obstacles = truth.obstacles[place]
        let readable = Duration.nanoseconds(obstacles.readable(from: instant))
        let grace = truth.cadence.grace(watchedItems: record.watches.count) + grace
        return obstacles.deadline(from: readable, grace: grace)
    }

    /// When what was done in GitLab must have been read: whatever stands in the way counts from its end.
    func known(_ done: Duration, _ place: Int) -> Duration {
        func deadline(_ instant: Duration) -> Duration { readBy(instant, place, grace: Self.secondLook) }
        var known = deadline(done)
        for fault in record.faults.sorted(by: { $0.span.from < $1.span.from })
        where fault.span.from <= known && done - Self.aftermath <= fault.span.until {
            known = max(known, deadline(max(done, min(fault.span.until, record.simulated))))
        }
        for downtime in record.downtimes where downtime.from <= known && done - Self.aftermath <= downtime.until {
            known = max(known, deadline(max(done, downtime.until)))
        }
        return known
    }
}
