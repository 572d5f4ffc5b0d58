import Platform
import Scenarios

/// Whether people were told that GitLab cannot be read, and that it can again: once each, when it was so, and at all.
struct ServiceNewsChecks {
    private enum Kind: String {
        case trouble = "service_trouble"
        case recovery = "service_recovered"
    }

    /// News of the service to one person, whichever of their devices it went to.
    private struct News {
        var kind: Kind
        /// When it was first seen.
        var at: Duration
        var id: String
        /// When it was put into the outbox, of trouble; nil where nobody knows: an app fetched it, maybe long after, and the log is silent.
        var madeAt: Duration?
        /// Whether the log says when that was. A push may have been kept back.
        var isLogged = false
    }

    /// What may have kept the notifier from reading GitLab.
    private struct Ground {
        var span: Span
        /// It may also have let the notifier forget since when, or believe that it is longer.
        var isOfTheNotifier = false
    }

    /// Between two looks at a GitLab that does not answer, and until one has failed.
    private static let patience = Duration.minutes(10)
    /// Between two questions to a GitLab that does not answer: what it answers meanwhile nobody hears.
    private static let unheard = Duration.minutes(3)
    /// How long GitLab must have answered for the person to be told so. How soon that is, is not judged.
    private static let grace = Duration.minutes(20)

    private let judged: JudgedRun
    private let record: RunRecord
    private let devices: DeviceFates
    private let troubleAfter: Duration
    /// Whether GitLab is so far away that the notifier may not hear its answer in time, without any fault: of trouble nothing is known then.
    private let mayTimeOut: Bool
    /// When GitLab answered nobody at all, in order, none touching another.
    private let silences: [Span]
    /// The faults of which these consist.
    private let spans: FaultSpans
    private let news: [Username: [News]]

    init(judged: JudgedRun) {
        self.judged = judged
        record = judged.record
        devices = DeviceFates(record)
        troubleAfter = record.resolved.scenario.notifier.troubleAfter
        mayTimeOut = Self.mayTimeOut(record.resolved.scenario)
        spans = FaultSpans(record)
        let silent = spans.gitlabSilent.map { (owner: LatencyOwner.outage, span: $0) }
        silences = Obstacles(silent, priority: [.outage]).segments.map {
            Span(from: .nanoseconds($0.from), until: .nanoseconds($0.until))
        }
        .reduce(into: []) { silences, next in
            // Between two questions GitLab may answer without being heard: that is one silence.
            if let last = silences.last, next.from - last.until < Self.unheard {
                silences[silences.count - 1].until = next.until
            } else {
                silences.append(next)
            }
        }
        news = Self.news(record, judged.log)
    }

    func violations() -> [ViolationRecord] {
        news.sorted { $0.key < $1.key }.flatMap { repeated($0.value, to: $0.key) + groundless($0.value, to: $0.key) }
            + untold() + groundlessRefusals()
    }

    /// The notifier waits no longer for a connection, nor for the answer of one of many requests.
    private static let connecting = Duration.seconds(10)
    private static let answering = Duration.seconds(15)

    /// A new connection goes there and back twice, and then once more for the answer.
    private static func mayTimeOut(_ scenario: Scenario) -> Bool {
        let longest = scenario.world.gitlab.latency.points.map(\.value).max() ?? .zero
        let timeout = scenario.notifier.requestTimeout
        return longest * 4 >= min(timeout, connecting) || longest * 6 >= min(timeout, answering)
    }

    private static func news(_ record: RunRecord, _ log: NotifierLog) -> [Username: [News]] {
        let made = Dictionary(grouping: log.troubles) { $0.person }
        var known: Set<String> = []
        var news: [Username: [News]] = [:]
        let pushed = record.pushes.map { (person: $0.person, content: $0.content, at: $0.at, isFetched: false) }
        // An open app fetches it before its push has left, and then none is sent; one that is not pushed to fetches it when it is opened.
        let shown = record.deviceEvents.map {
            (person: Username?($0.person), content: $0.content, at: $0.at, isFetched: true)
        }
        for sight in pushed + shown {
            guard let person = sight.person, let content = sight.content,
                let kind = content.type.flatMap(Kind.init), known.insert(content.notificationID).inserted
            else { continue }
            news[person, default: []]
                .append(
                    News(
                        kind: kind,
                        at: sight.at,
                        id: content.notificationID,
                        madeAt: sight.isFetched ? nil : sight.at
                    )
                )
        }
        for (person, seen) in news { news[person] = dated(seen, by: (made[person] ?? []).map { $0.at }) }
        return news
    }

    /// In order, and trouble with the times that the log gives: what was seen last was made last, before it was seen.
    private static func dated(_ news: [News], by troubles: [Duration]) -> [News] {
        var dated = news.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
        var left = troubles
        for index in dated.indices.reversed() where dated[index].kind == .trouble {
            let seenAt = dated[index].at
            guard let place = left.lastIndex(where: { $0 <= seenAt }) else { continue }
            (dated[index].madeAt, dated[index].isLogged) = (left.remove(at: place), true)
        }
        return dated
    }

    private func violation(_ detail: String, at instant: Duration) -> ViolationRecord {
        ViolationRecord(invariant: .serviceNewsWrong, at: instant, detail: detail)
    }

    // MARK: once each

    /// Two of one kind with nothing between them. Whose first notification never left, or who signed in anew, may hear of it again.
    private func repeated(_ news: [News], to person: Username) -> [ViolationRecord] {
        zip(news, news.dropFirst()).compactMap { first, second in
            // What waited for APNs goes out in any order when it is back.
            guard first.kind == second.kind,
                !isObstructed(person, from: first.at - Self.patience, until: second.at),
                !judged.forgotten.contains(first.id)
            else { return nil }
            return violation("\(person) was told twice in a row of \(first.kind.rawValue).", at: second.at)
        }
    }

    /// Whether something may have kept a push between the two instants from being sent, or ended what the notifier knew of the person.
    private func isObstructed(_ person: Username, from start: Duration, until end: Duration) -> Bool {
        guard let place = judged.truth.people.firstIndex(of: person) else { return true }
        return judged.truth.obstacles[place].isSendingObstructed(from: start, until: end)
            || !devices.hasUsable(for: person, from: start, until: end)
            || record.registrations.contains { $0.person == person && start <= $0.activeFrom && $0.requestedAt <= end }
    }

    // MARK: when it was so

    /// Trouble of which nothing can have been the reason: no fault of the way to GitLab, of the disk or of the process, no limit, and nothing for which
    /// GitLab refused the person, that lasted until then and for as long as people are told after.
    private func groundless(_ news: [News], to person: Username) -> [ViolationRecord] {
        guard !mayTimeOut else { return [] }
        return news.filter { $0.kind == .trouble }.compactMap { news in
            guard let madeAt = news.madeAt else { return nil }
            let isGrounded =
                news.isLogged
                ? hasLasted(for: person, until: madeAt)
                : hasGrounds(person, from: madeAt - troubleAfter - Self.patience, until: madeAt)
            return isGrounded ? nil : violation("\(person) was told of trouble that there was not.", at: madeAt)
        }
    }

    private func hasGrounds(_ person: Username, from start: Duration, until end: Duration) -> Bool {
        grounds(for: person).contains { $0.span.from <= end && start < $0.span.until }
    }

    /// Whether something kept the notifier from GitLab a look before the instant at most, and reaches back, with no more than two looks between one
    /// thing and the next, for as long as people are told after. Of two looks of which the first fails the second may be long in coming: a wait in the
    /// log joins what was before it to what was after, and is no ground by itself.
    private func hasLasted(for person: Username, until end: Duration) -> Bool {
        let grounds = grounds(for: person)
        let waits = judged.log.waits.filter { $0.person == nil || $0.person == person }.map { Ground(span: $0.span) }
        var since = end
        while true {
            let isLast = since == end
            let gap = isLast ? Self.patience : Self.longestGap
            let earlier = (isLast ? grounds : grounds + waits).filter {
                $0.span.from < since && since < $0.span.until + gap
            }
            guard !earlier.contains(where: \.isOfTheNotifier) else { return true }
            guard let first = earlier.map(\.span.from).min() else { return false }
            guard first > end - troubleAfter else { return true }
            since = first
        }
    }

    /// Between the end of what kept the notifier from GitLab and a look that gets an answer: the longest wait, and what is added to it.
    private static let longestGap = Duration.minutes(15)

    /// All that may keep the notifier from reading GitLab for somebody.
    private func grounds(for person: Username) -> [Ground] {
        let faults = record.faults.filter(keepsFromReading).map { fault in
            Ground(span: fault.span, isOfTheNotifier: ![.link, .gitlab].contains(fault.kind.place))
        }
        let downtimes = record.downtimes.map { Ground(span: $0, isOfTheNotifier: true) }
        let limits = judged.log.waits.filter {
            $0.owner == .rateLimit && ($0.person == nil || $0.person == person)
        }
        let refusals = record.registrations.filter { $0.person == person }.flatMap(\.unserved)
        return faults + downtimes + (limits.map(\.span) + refusals).map { Ground(span: $0) }
    }

    /// Whether a fault may. Of one that the plan does not have nobody knows on which link it is.
    private func keepsFromReading(_ fault: FaultRecord) -> Bool {
        let effect = spans.effect(of: fault.id.text)
        switch fault.kind.place {
        case .apns, .webhooks, .device: return false
        case .gitlab:
            if case .gitlabRowsChanged(let change, _, _)? = effect, change.isReadable { return false }
            return ![.lateCommit, .approvalNoteLost].contains(fault.kind)
        case .process, .database, .disk: return true
        case .clock: return effect?.clock != .apns
        case .link:
            guard case .link(_, let link, _)? = effect else { return true }
            return link == .gitlab
        }
    }

    /// A verdict on a token may be under way while another takes its place: the answer to the sign-in is this much older than it at most.
    private static let overtaken = Duration.seconds(2)

    /// People who were told that their connection has expired although GitLab takes the token that they gave last.
    private func groundlessRefusals() -> [ViolationRecord] {
        let pushed = record.pushes.map { (person: $0.person, type: $0.content?.type, at: $0.at) }
        let shown = record.deviceEvents.map { (person: Username?($0.person), type: $0.content?.type, at: $0.at) }
        let told = (pushed + shown).filter { $0.type == PushContentChecks.refusal }
        return judged.log.refusals.compactMap { refusal in
            guard let person = refusal.person, !mayBeRefused(person, at: refusal.at),
                told.contains(where: { $0.person == person && $0.at >= refusal.at })
            else { return nil }
            return violation("\(person) was told that GitLab refuses their token, and it takes it.", at: refusal.at)
        }
    }

    /// Whether GitLab refused the person a moment ago, or something may have answered in its place or brought an older token back.
    private func mayBeRefused(_ person: Username, at instant: Duration) -> Bool {
        let registrations = record.registrations.filter { $0.person == person }
        let isDated = record.resolved.scenario.world.person(person)?.notified?.token.expiry != nil
        guard !isDated, registrations.contains(where: { $0.activeFrom < instant }) else { return true }
        return registrations.flatMap(\.unserved).contains { $0.from <= instant && instant < $0.until + Self.overtaken }
            || record.faults.contains { $0.span.from <= instant && !$0.kind.leavesTokensAlone }
    }

    // MARK: at all

    /// People who were not told of a silence of GitLab that was long enough, or were and never heard of its end.
    private func untold() -> [ViolationRecord] {
        guard !mayTimeOut else { return [] }
        return silences.flatMap { silence -> [ViolationRecord] in
            guard silence.until - silence.from >= troubleAfter + Self.patience else { return [] }
            return judged.truth.people.compactMap { person in
                let end = silence.until + Self.patience
                guard isWitness(person, of: silence), !wasToldOfRefusal(person, from: silence.from, until: end) else {
                    return nil
                }
                let told = news[person] ?? []
                guard told.contains(where: { $0.kind == .trouble && silence.from <= $0.at && $0.at <= end }) else {
                    return violation("\(person) was not told that GitLab did not answer.", at: silence.from)
                }
                guard let deadline = recoveryDeadline(person, after: silence),
                    !told.contains(where: { $0.kind == .recovery && silence.from <= $0.at && $0.at <= deadline })
                else { return nil }
                return violation(
                    "\(person) was told that GitLab did not answer, and not that it does again.",
                    at: deadline
                )
            }
        }
    }

    /// A GitLab that answers everything with 401 (GitLab facts, trap 21) is taken for one that refuses the token, and that is told instead.
    private func wasToldOfRefusal(_ person: Username, from start: Duration, until end: Duration) -> Bool {
        record.pushes.contains {
            $0.person == person && $0.content?.type == PushContentChecks.refusal && start <= $0.at && $0.at <= end
        }
    }

    /// Whether the person had to be told of the silence: signed in before it with a token that GitLab takes, with a device that can be
    /// pushed to, and the notifier ran all the time and could reach APNs.
    private func isWitness(_ person: Username, of silence: Span) -> Bool {
        let from = silence.from - Self.patience
        return isPolled(person, from: from, until: silence.until)
            && !isObstructed(person, from: from, until: silence.until + Self.patience)
    }

    /// Whether the person was signed in all the time, and nothing kept the notifier from its work.
    private func isPolled(_ person: Username, from start: Duration, until end: Duration) -> Bool {
        let isServed = record.registrations.contains { registration in
            registration.person == person && registration.activeFrom < start
                && !registration.unserved.contains { $0.from < end && start < $0.until }
        }
        let isInterrupted =
            record.downtimes.contains { $0.from < end && start < $0.until }
            || record.faults.contains { fault in
                fault.kind.isOfTheMachine && fault.span.from < end && start < fault.span.until
            }
        return isServed && !isInterrupted && start > .zero
    }

    // MARK: On a screen

    /// How long a screen may name trouble that is over.
    private static let screenGrace = Duration.minutes(30)

    /// What is wrong with what a screen says of the way to GitLab; nil when nothing is.
    func complaint(about screen: ScreenRecord) -> String? {
        guard !screen.isSetAside else { return nil }
        guard let since = screen.troubleSince else {
            return mustNameTrouble(screen) ? "says that GitLab can be read; it answers nobody." : nil
        }
        let start = screen.askedAt - Self.screenGrace
        guard since < start, spans.isNotifierTimed, !mayTimeOut,
            !hasGrounds(screen.person, from: start, until: screen.answeredAt),
            !isWaiting(screen.person, from: start, until: screen.answeredAt)
        else { return nil }
        return "says that GitLab cannot be read since \(DurationNotation.text(since)); nothing keeps anybody from it."
    }

    /// Whether the notifier waited at some time between the two instants, for whatever reason: what it has not asked it does not know.
    private func isWaiting(_ person: Username, from start: Duration, until end: Duration) -> Bool {
        judged.log.waits.contains { wait in
            (wait.person == nil || wait.person == person) && wait.span.from <= end && start < wait.span.until
        }
    }

    /// Whether GitLab has answered nobody for so long that a question must have been in vain. While the notifier waits for something else it asks
    /// none.
    private func mustNameTrouble(_ screen: ScreenRecord) -> Bool {
        spans.gitlabSilent.contains { silence in
            guard silence.from + Self.grace <= screen.askedAt, screen.answeredAt < silence.until,
                isPolled(screen.person, from: silence.from - Self.patience, until: screen.answeredAt)
            else { return false }
            return !judged.log.waits.contains { wait in
                (wait.person == nil || wait.person == screen.person) && wait.span.from <= screen.answeredAt
                    && silence.from < wait.span.until && (wait.owner == .rateLimit || wait.span.from < silence.from)
            }
        }
    }

    /// When nothing was left, after a silence, of what may keep a cycle of several requests from its end, such as answers that mostly come too late.
    private func restored(after silence: Span) -> Duration {
        record.faults.map(\.span).sorted { $0.from < $1.from }.reduce(silence.until) { end, fault in
            fault.from < end + Self.grace ? max(end, fault.until) : end
        }
    }

    /// When the person must have heard that GitLab answers again; nil where that cannot be asked.
    private func recoveryDeadline(_ person: Username, after silence: Span) -> Duration? {
        guard let place = judged.truth.people.firstIndex(of: person) else { return nil }
        let deadline = judged.truth.obstacles[place].deadline(from: restored(after: silence), grace: Self.grace)
        guard deadline < record.idleSince ?? .zero, !isObstructed(person, from: silence.from, until: deadline) else {
            return nil
        }
        return deadline
    }
}

extension FaultKind {
    /// Of the notifier's own machine, so that it may tell nothing.
    fileprivate var isOfTheMachine: Bool { [.process, .database, .disk].contains(place) }

    /// Makes no good token look bad, neither then nor later: what is slow stays right, and what strikes others than GitLab and the notifier
    /// has nothing to do with tokens.
    fileprivate var leavesTokensAlone: Bool {
        [.gitlabSlow, .latency].contains(self) || [.apns, .webhooks, .device].contains(place)
    }
}
