import Platform
import Scenarios

/// One activity and one registered person, judged.
struct TruthPair: Sendable, Equatable {
    /// Position in `RunRecord.activities`.
    var activity: Int
    /// Position in `GroundTruth.people`.
    var person: Int
    var standing: Standing
    /// Empty for what is not for them.
    var keys: CoveringKeys
    /// The first moment at which a poll could have brought it: readable, past outages, dead tokens and downtimes.
    /// Nanoseconds since the start.
    var readableAt: Int64
    /// Until when quiet hours kept it back; nil when they did not. Nanoseconds since the start.
    var heldUntil: Int64?
    /// When the to-do item that alone tells of it first came back to the pending list; nil when it never left. Nanoseconds since
    /// the start.
    var restoredAt: Int64?
}

/// Who must learn of what, from the deeds on GitLab and the settings of that moment. Nothing the notifier believes
/// enters, but where its log admits that GitLab refused it, the grace for vanished things begins later.
struct GroundTruth {
    /// Everybody who registered at any time, in alphabetical order.
    let people: [Username]
    /// Every activity with every person, in the order of the activities.
    private(set) var pairs: [TruthPair] = []

    /// Rows that claim to be older than this may be quiet, though nothing marks them as imported.
    static let oldestClaim = Duration.hours(24)

    let obstacles: [PersonObstacles]
    let approvals: ApprovalTurns
    private let record: RunRecord
    private let faults: FaultSpans
    private let gitlabClock: GitLabClock
    private let repeated: RepeatedMentions
    let cadence: PollCadence
    private let wanted: WantedKinds
    /// Who watched what, by their own choice or by what followed from it.
    let watches: WatchHistory
    /// The same, as of when the lists must have been read that are no part of a watch's beginning.
    private let watchesOfLateLists: WatchHistory
    /// The entries of watch lists that followed a move.
    let followed: [WatchRecord]
    private let confidentiality: Confidentiality
    let preferences: Preferences
    private let todos: TodoResolutions
    private let registrations: [Username: [RegistrationRecord]]

    /// Judges every activity of `record` for every registered person.
    init(_ record: RunRecord) {
        self.init(record, log: NotifierLog(record))
    }

    init(_ record: RunRecord, log: NotifierLog) {
        self.record = record
        registrations = Dictionary(grouping: record.registrations, by: \.person)
        people = registrations.keys.sorted()
        let faults = FaultSpans(record)
        self.faults = faults
        gitlabClock = GitLabClock(record, faults: faults)
        obstacles = people.map { PersonObstacles(record, person: $0, faults: faults, log: log) }
        approvals = ApprovalTurns(record)
        repeated = RepeatedMentions(record)
        cadence = PollCadence(overrides: record.resolved.scenario.notifier)
        let clock = NotifierClock(record, faults: faults)
        wanted = WantedKinds(record, clock: clock)
        confidentiality = Confidentiality(record.resolved)
        preferences = Preferences(record, clock: clock)
        todos = TodoResolutions(record)
        let asked = WatchHistory(record.watches)
        let deadline = { [obstacles, cadence, people] (activity: ActivityRecord, name: Username) -> Duration in
            let person = people.firstIndex(of: name) ?? 0
            let readable = obstacles[person].readable(from: max(activity.readableFrom, activity.at))
            return .nanoseconds(readable) + cadence.grace(watchedItems: asked.count(for: name, at: activity.at))
        }
        let tagged = AutoWatches(
            record,
            people: people,
            preferences: preferences,
            todos: todos,
            clock: gitlabClock,
            deadline: deadline
        )
        let moved = FollowedMoves(record, besides: tagged.records, people: people, deadline: deadline)
        followed = moved.records
        watches = WatchHistory(record.watches + tagged.records + moved.records)
        watchesOfLateLists = WatchHistory(record.watches + tagged.forLateLists + moved.records)
        pairs.reserveCapacity(record.activities.count * people.count)
        for index in record.activities.indices {
            for person in people.indices { pairs.append(judge(index, person)) }
        }
    }

    private func judge(_ index: Int, _ person: Int) -> TruthPair {
        let activity = record.activities[index]
        if let signal = activity.signal { return judge(signal, index, person) }
        let readable = obstacles[person].readable(from: max(activity.readableFrom, activity.at))
        let (standing, held) = judge(activity, for: people[person], readable: .nanoseconds(readable))
        let keys = standing.isNotForThem ? CoveringKeys(own: []) : keys(of: index, for: person)
        let heldUntil = held?.wholeNanoseconds
        let restored = standing == .expected(.todo) ? todos.firstRestoration(of: activity, for: people[person]) : nil
        let restoredAt = restored?.wholeNanoseconds
        return TruthPair(
            activity: index,
            person: person,
            standing: standing,
            keys: keys,
            readableAt: max(readable, heldUntil ?? readable, restoredAt ?? readable),
            heldUntil: heldUntil,
            restoredAt: restoredAt
        )
    }

    private func judge(_ signal: SignalRecord, _ index: Int, _ person: Int) -> TruthPair {
        let activity = record.activities[index]
        let heard = signal.answeredAt ?? activity.at
        let judgement = SignalTruth(record, preferences).judge(index, for: people[person]) { [self] held in
            releaseDeadline(of: people[person], from: held, grace: cadence.grace(watchedItems: 0))
        }
        let isForThem = !judgement.standing.isNotForThem
        let heldUntil = judgement.heldUntil?.wholeNanoseconds
        return TruthPair(
            activity: index,
            person: person,
            standing: judgement.standing,
            keys: isForThem ? CoveringKeys(of: activity, for: people[person]) : CoveringKeys(own: []),
            readableAt: max(heard.wholeNanoseconds, heldUntil ?? 0),
            heldUntil: heldUntil,
            restoredAt: nil
        )
    }

    /// How much time in which APNs can be reached is granted for the first push of a notification.
    static let sendingGrace = Duration.minutes(2)

    /// When a token of that person which GitLab refuses from `instant` on must have been found out: after `grace` of time in which GitLab
    /// could be asked.
    func refusalDeadline(from instant: Duration, grace: Duration, for person: Username) -> Duration {
        guard let place = people.firstIndex(of: person) else { return instant + grace }
        return obstacles[place].refusalDeadline(from: instant, grace: grace)
    }

    /// When what stands in the outbox for that person from `instant` on must have been tried.
    func sendingDeadline(from instant: Duration, for person: Username) -> Duration {
        guard let place = people.firstIndex(of: person) else { return instant + Self.sendingGrace }
        return obstacles[place].sendingDeadline(from: instant, grace: Self.sendingGrace)
    }

    /// When what was changed at `instant` must have been seen for that person: after `grace` of time in which a poll could have succeeded.
    func pollDeadline(from instant: Duration, grace: Duration, for person: Username) -> Duration {
        releaseDeadline(of: person, from: instant, grace: grace)
    }

    private func keys(of index: Int, for person: Int) -> CoveringKeys {
        let activity = record.activities[index]
        var keys = CoveringKeys(of: activity, for: people[person], approval: approvals.key(of: index))
        keys.shared += keysOfFormerRuns(before: index, in: record.activities, for: person)
        return keys
    }

    /// The standing, with what the person chose to be notified of, and until when their quiet hours keep it back.
    private func judge(
        _ activity: ActivityRecord,
        for person: Username,
        readable: Duration
    ) -> (Standing, heldUntil: Duration?) {
        let grace = cadence.grace(watchedItems: watches.count(for: person, at: activity.at))
        let deadline = deadline(of: activity, for: person, readable: readable)
        var heldUntil: Duration?
        let earliest = earliest(activity, person, readable: readable)
        switch preferences.hold(activity, for: person, readable: earliest, deadline: deadline) {
        case .none: break
        case .held(let end): heldUntil = end
        case .unclear:
            let standing = standing(of: activity, for: person, readable: readable)
            return (standing.isExpected ? .optional(.choiceChanging) : standing, nil)
        }
        let last = max(deadline, heldUntil.map { releaseDeadline(of: person, from: $0, grace: grace) } ?? deadline)
        let standing = standing(of: activity, for: person, readable: readable)
        guard !standing.isNotForThem else { return (standing, nil) }
        let choice = preferences.silence(
            activity,
            for: person,
            readable: earliest,
            deadline: deadline,
            heldUntil: heldUntil,
            last: last
        )
        switch choice {
        case .none:
            guard standing.isExpected, let end = heldUntil else { return (standing, nil) }
            // The run is no proof of what had to happen after it. Before the end of the quiet hours it is still wrong to tell.
            return (end + grace > record.simulated ? .optional(.quietUntilTheEnd) : standing, end)
        case .unclear: return (.optional(.choiceChanging), nil)
        case .silenced(let exclusion): return (.notForThem(exclusion), nil)
        }
    }

    /// When what quiet hours kept back until `instant` must have been told; later where the process did not run.
    private func releaseDeadline(of person: Username, from instant: Duration, grace: Duration) -> Duration {
        guard let place = people.firstIndex(of: person) else { return instant + grace }
        return obstacles[place].deadline(from: instant, grace: grace)
    }

    private func standing(of activity: ActivityRecord, for person: Username, readable: Duration) -> Standing {
        let claim = claim(on: activity, of: person, wish(for: activity, person, readable: readable))
        guard case .expected(let ground) = claim else { return claim }
        if let registering = registering(activity, person) { return registering }
        let deadline = deadline(of: activity, for: person, readable: readable)
        if let quiet = imported(activity, person, until: deadline) { return quiet }
        if let leeway = invisible(activity, person, until: deadline) { return .optional(leeway) }
        guard ground == .watched else { return throughTodo(activity, person, until: deadline) }
        let end = activity.item.flatMap { watches.end(of: $0, for: person, activeAt: activity.at) }
        guard let end, end < deadline else { return claim }
        let hasTodo = activity.todos.contains { $0.person == person }
        return hasTodo ? throughTodo(activity, person, until: deadline) : .optional(.unwatchedSoonAfter)
    }

    /// Whether the person wanted to be told of such activity on what they watch.
    private func wish(for activity: ActivityRecord, _ person: Username, readable: Duration) -> SwitchHistory.Standing {
        guard wanted.isChosen(activity, by: person) else {
            return wanted.standing(of: activity, for: person, from: activity.at, until: activity.at)
        }
        let items = watches.count(for: person, at: activity.at)
        let grace = cadence.grace(watchedItems: items)
        var deadline = deadline(of: activity, for: person, readable: readable)
        // What is shown late may be found late, too.
        let lateness = max(activity.readableFrom - activity.at, .zero)
        deadline += cadence.grace(watchedItems: items, lateness: lateness) - grace
        if activity.isOnlyListed { deadline += cadence.approvals }
        let earliest = earliest(activity, person, readable: readable)
        let wish = wanted.standing(of: activity, for: person, from: earliest, until: deadline)
        guard wish == .on, activity.isToldByLateLists else { return wish }
        // A list that is wanted only now begins with the choice, or with its first reading, and what that shows was there before.
        let reading = grace + (activity.isOnlyListed ? cadence.approvals * 2 : .minutes(2))
        let isCounted = isCountedFromChoice(activity, for: person, until: deadline)
        let isBeginning = wanted.beginnings(of: activity, for: person).contains { asked in
            guard asked.requestedAt <= deadline else { return false }
            if asked.answeredAt > record.simulated || activity.at <= asked.answeredAt + reading { return true }
            return !isCounted && activity.at <= releaseDeadline(of: person, from: asked.answeredAt, grace: reading)
        }
        return isBeginning ? .unclear : .on
    }

    /// Whether the first reading of a list that is wanted only since the person chose it must tell of `activity`, which came after that, however
    /// late that reading is: all clocks are right, and nothing but outages of all of GitLab and ends of the process held it up.
    private func isCountedFromChoice(
        _ activity: ActivityRecord,
        for person: Username,
        until deadline: Duration
    ) -> Bool {
        // The list of approvals has no times, and the number of a pipeline's run is known only to who has seen those before.
        guard !activity.isOnlyListed, activity.pipelineRun <= 1, deadline - activity.at <= Self.oldestClaim,
            record.resolved.scenario.world.gitlab.authenticatedLimit == nil
        else { return false }
        let isServed = registrations[person]?.allSatisfy { $0.unserved.isEmpty } ?? true
        return isServed && record.faults.allSatisfy { $0.span.from > deadline || $0.kind.leavesBeginnings }
    }

    /// From when on it may be told: what hits single routes or most requests need not have hit the one that tells of it. The list of
    /// approvals shows one before its note is committed; see ``ApprovalTurns``.
    private func earliest(_ activity: ActivityRecord, _ person: Username, readable: Duration) -> Duration {
        guard let place = people.firstIndex(of: person) else { return readable }
        let shownAt = activity.kind == .approved ? activity.at : max(activity.readableFrom, activity.at)
        return .nanoseconds(obstacles[place].earliest(from: shownAt))
    }

    /// When the grace is over. What stands in the way within it does not count: no poll need have been due before it.
    private func deadline(of activity: ActivityRecord, for person: Username, readable: Duration) -> Duration {
        let grace = cadence.grace(watchedItems: watches.count(for: person, at: activity.at))
        guard let place = people.firstIndex(of: person) else { return readable + grace }
        let deadline = obstacles[place].deadline(from: readable, grace: grace)
        // Of a slow GitLab all people together ask less, so that a look may take until it is fast again.
        guard let fast = faults.gitlabIsFast(after: readable, until: deadline) else { return deadline }
        return max(deadline, obstacles[place].deadline(from: fast, grace: grace))
    }

    private func throughTodo(_ activity: ActivityRecord, _ person: Username, until deadline: Duration) -> Standing {
        let grace = cadence.grace(watchedItems: watches.count(for: person, at: activity.at))
        let due = max(deadline, todos.restoration(of: activity, for: person).map { $0 + grace } ?? deadline)
        guard let resolved = todos.resolution(of: activity, for: person), resolved < due else {
            return .expected(.todo)
        }
        return .optional(.todoResolvedFirst)
    }

    /// What the person's watch list and to-do items say, before anything that excuses.
    private func claim(on activity: ActivityRecord, of person: Username, _ wish: SwitchHistory.Standing) -> Standing {
        let todos = activity.todos.filter { $0.person == person }
        // Nobody ends a pipeline.
        let isOwn = activity.actor == person && !(activity.kind == .pipelineFinished && wish != .off)
        // To-do items of a failed build and of conflicts go to the author of the merge request, as if by themselves (GitLab facts §6.1).
        if isOwn && !todos.contains(where: { Self.actionsOfNobody.contains($0.action) }) {
            return .notForThem(.ownAction)
        }
        let history = activity.isToldByLateLists ? watchesOfLateLists : watches
        let state = activity.item.map { history.state(of: $0, for: person, at: activity.at) } ?? .unwatched
        let counts = wish == .on && !isOwn
        if counts && state == .watched { return .expected(.watched) }
        if !todos.isEmpty {
            if repeated.isTakenOut(of: activity, for: person) { return .optional(.unnamedAgain) }
            return repeated.contains(activity, for: person) ? .optional(.mentionedBefore) : .expected(.todo)
        }
        return weakClaim(on: activity, of: person, state: state, wish)
    }

    private static let actionsOfNobody = ["build_failed", "unmergeable"]

    private func weakClaim(
        on activity: ActivityRecord,
        of person: Username,
        state: WatchHistory.State,
        _ wish: SwitchHistory.Standing
    ) -> Standing {
        // Whoever has a to-do item on it gets none for being mentioned again.
        let mentionsAgain = activity.mentions.contains(person)
        guard wish != .off || mentionsAgain else { return .notForThem(.kindDoesNotCount) }
        switch state {
        case .watched where wish == .unclear: return .optional(.choiceChanging)
        case .watched: return .optional(activity.kind == .editedComment ? .editWithoutTodo : .mentionedBefore)
        case .changing: return .optional(.watchChanging)
        case .notYet(let from) where isVisibleOnlyLater(activity, than: from): return .optional(.visibleOnlyLater)
        case .notYet, .unwatched: return .notForThem(.notWatched)
        }
    }

    /// What follows from a row's claim to be older than it is, by whatever GitLab's clock shows when it is read.
    private func imported(_ activity: ActivityRecord, _ person: Username, until deadline: Duration) -> Standing? {
        // One of the two releases may mark what the other does not.
        let hasOtherRelease = record.faults.contains { $0.kind == .gitlabUpgrade }
        if activity.kind == .imported, hasOtherRelease { return .optional(.importedAroundUpgrade) }
        if activity.isMarkedAsImported { return .notForThem(.imported) }
        let claimedAt = activity.claimedAt - gitlabClock.gain(from: activity.at, until: deadline)
        let age = activity.at - claimedAt
        guard age > .zero else { return nil }
        if age > Self.oldestClaim { return .optional(.claimsToBeOld) }
        let watch = activity.item.flatMap { watches.start(of: $0, for: person, activeAt: activity.at) }
        return watch.flatMap { claimedAt < $0 ? .optional(.claimsToPrecedeWatch) : nil }
    }

    /// What follows when the person was not yet registered for good.
    private func registering(_ activity: ActivityRecord, _ person: Username) -> Standing? {
        let own = registrations[person] ?? []
        if own.contains(where: { $0.forgottenAt.map { $0 <= activity.at } ?? false }) {
            return .notForThem(.notRegistered)
        }
        if own.contains(where: { $0.leftAt.map { $0 <= activity.at } ?? false }) { return .optional(.leaving) }
        if own.contains(where: { $0.activeFrom <= activity.at }) { return nil }
        if own.contains(where: { $0.requestedAt <= activity.at }) { return .optional(.registering) }
        let first = own.map(\.requestedAt).min() ?? .zero
        // A to-do item that was done when they came stood on no list, and is new to who reads it once it is back.
        if let back = todos.restoration(of: activity, for: person), first <= back {
            return .optional(.visibleOnlyLater)
        }
        return isVisibleOnlyLater(activity, than: first) ? .optional(.visibleOnlyLater) : .notForThem(.notRegistered)
    }

    /// How much later than it would something may come to its device that APNs takes at that instant.
    func deliveryDelay(at instant: Duration) -> Duration { faults.deliveryDelay(at: instant) }

    /// Whether that is so at any time.
    var hasDeliveryDelays: Bool { faults.hasDeliveryDelays }

    /// Whether what was read then, and counts as known from then on, may not have held it: a late commit, or a replica behind.
    private func isVisibleOnlyLater(_ activity: ActivityRecord, than instant: Duration) -> Bool {
        activity.readableFrom + faults.lag(at: instant) > instant
    }

    /// Why the person could not see it, or not long enough for a poll to be due.
    private func invisible(_ activity: ActivityRecord, _ person: Username, until deadline: Duration) -> Standing.Leeway?
    {
        let readBy = activity.isOnlyListed ? deadline + cadence.approvals : deadline
        if let goneAt = activity.goneAt, goneAt < readBy { return .goneTooSoon }
        // Between two looks nothing has changed, or what has may be told by the note of the approval before.
        let looks = cadence.approvals + cadence.approvals
        let hasLeft = registrations[person]?.contains { $0.leftAt.map { $0 < readBy } ?? false } ?? false
        if hasLeft { return .leaving }
        if activity.isOnlyListed, approvals.followsWithdrawal(activity, within: looks) { return .approvedAgain }
        for registration in registrations[person] ?? [] {
            let isHidden = registration.noAccess.contains {
                $0.project == activity.project && $0.span.from < deadline && $0.span.until > activity.at
            }
            if isHidden { return .noAccess }
        }
        guard let item = activity.item else { return nil }
        let isHidden = confidentiality.isHidden(item, from: person, between: activity.at, and: deadline)
        return isHidden ? .confidential : nil
    }
}

extension FaultKind {
    /// Whether a list of which the notifier knows since when it is wanted is read from then on all the same.
    fileprivate var leavesBeginnings: Bool {
        [.gitlabOutage, .crash, .restart].contains(self) || [.apns, .device, .webhooks].contains(place)
    }
}
