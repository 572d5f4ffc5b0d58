import Platform
import Scenarios

/// Judges what people are told of their duties: of turns that came to them, of what others did, ahead of a turn and when it is due; from
/// ``DutyTruth`` and what people chose, and what APNs was sent.
struct DutyNoteJudge {
    /// A duty with all that is known of it.
    struct Known {
        var truth: DutyTruth
        var deeds: [DutyDeed]
        var arrivals: [DutyTruth.Arrival]
        var memberships: [Username: SwitchHistory]
        /// What the duty was from one change of it to the next, the first first.
        var versions: [DutyVersion]
    }

    typealias Sending = ReminderSending<DutyTelling>

    /// From a look at what is due, which is taken at least once a minute.
    static let loop = Duration.minutes(1)
    /// Clocks of the world's services are read at different moments, and the notifier counts whole seconds.
    static let tolerance = Duration.seconds(1)
    /// What is over its time for so long is told no more.
    static let longestDelay = Duration.days(1)
    /// A notifier that stores nothing tells nothing: as if it were not there.
    private static let stopping: [FaultKind] = [.stall, .diskFull, .diskDamaged, .diskError]

    let record: RunRecord
    let truth: GroundTruth
    let known: [String: Known]
    let sent: [Sending]
    let clocks: ClockReach
    private let devices: DeviceFates
    private let stops: [Span]
    private let remindsAhead: Bool
    private let isPushing: Bool

    init(_ record: RunRecord, truth: GroundTruth, log: NotifierLog) {
        (self.record, self.truth) = (record, truth)
        let scenario = record.resolved.scenario
        // Nobody asks GitLab about duties.
        let clocks = ClockReach(record, without: [.gitlab])
        var known: [String: Known] = [:]
        for duty in scenario.world.duties {
            let deeds = record.dutyDeeds.filter { $0.duty == duty.name }
            let truth = DutyTruth(duty, deeds, start: scenario.start, clocks: clocks)
            known[duty.name] = Known(
                truth: truth,
                deeds: deeds,
                arrivals: DutyTruth.arrivals(of: deeds),
                memberships: DutyTruth.memberships(in: deeds),
                versions: DutyVersion.all(of: truth, deeds)
            )
        }
        (self.known, self.clocks) = (known, clocks)
        sent = known.isEmpty ? [] : ReminderSending.all(in: record, log) { DutyTelling($0, record.dutyPlaces) }
        devices = DeviceFates(record)
        let faults = record.faults.filter { Self.stopping.contains($0.kind) }.map(\.span)
        stops = (record.downtimes + faults).sorted { ($0.from, $0.until) < ($1.from, $1.until) }
        remindsAhead = scenario.notifier.remindsAhead
        isPushing = scenario.notifier.isPushing
    }

    func findings() -> ReminderFindings {
        guard !known.isEmpty else { return ReminderFindings() }
        return ReminderFindings(due: expected(), wrong: sent.flatMap(wrong) + repeated())
    }

    func since(_ second: Int64) -> Duration {
        record.resolved.scenario.start.duration(to: WallTime(microseconds: second * 1_000_000))
    }

    // MARK: What had to be told

    private func expected() -> [ReminderFindings.Due] {
        guard isPushing else { return [] }
        let due: [ReminderFindings.Due] = known.sorted { $0.key < $1.key }.flatMap { name, known in
            let others = known.arrivals.flatMap { news(of: $0, name, known) } + askedAgain(name, known)
            return others.filter { clocks.spares(until: $0.deadline) } + clock(name, known)
        }
        return due
    }

    func due(
        _ person: Username,
        _ deadline: Duration,
        _ why: String,
        after start: Duration = .zero,
        _ isIt: (DutyNote) -> Bool
    ) -> ReminderFindings.Due? {
        let own = sent.filter { $0.person == person && start <= $0.at && $0.content.notes.contains(where: isIt) }
        let acceptedAt = own.compactMap(\.acceptedAt).min()
        let isGone = own.contains(where: { $0.isRefused || wasLost($0) }) || isCut(for: person, until: deadline)
        if acceptedAt == nil, isGone { return nil }
        return ReminderFindings.Due(activity: nil, why: why, person: person, deadline: deadline, acceptedAt: acceptedAt)
    }

    /// Whether it was tried, and APNs has called every device dead since to which it was to go.
    private func wasLost(_ sending: Sending) -> Bool {
        guard let first = sending.attempts.first, !sending.devices.isEmpty else { return false }
        return sending.devices.allSatisfy { devices.wasRefused($0, of: sending.person, after: first) }
    }

    /// Whether a push that names not all that it tells of may have told it.
    private func isCut(for person: Username, until deadline: Duration) -> Bool {
        record.pushes.contains { $0.person == person && $0.at <= deadline && $0.content?.isTruncated ?? false }
    }

    /// What was news of what arrived, for each of the others.
    private func news(of arrival: DutyTruth.Arrival, _ name: String, _ known: Known) -> [ReminderFindings.Due] {
        guard let until = arrival.until else { return [] }
        let others = truth.people.filter { person in
            known.memberships[person]?.standing(from: arrival.from, until: until, last: until) == .on
        }
        guard !others.isEmpty else { return [] }
        let ended = arrival.deeds.filter { deed in
            guard deed.what.isEnd, !deed.isRefused, let index = deed.what.index else { return false }
            return known.truth.end(of: index, at: until)?.id == deed.id
        }
        var due: [ReminderFindings.Due] = []
        for person in others {
            for deed in ended where deed.person != person {
                guard let index = deed.what.index,
                    let deadline = newsDeadline(arrival.from, until, person, name, of: [deed.person])
                else { continue }
                let note = DutyNote.ended(DutyPlace(duty: name, index: index), deed.id)
                due +=
                    self.due(person, deadline, "They were to hear that \(deed.person) has \(deed.what) of \(name).") {
                        $0 == note
                    }.map { [$0] } ?? []
            }
            guard let actor = arrival.person, actor != person, arrival.isOne else { continue }
            due += asked(person, by: arrival, until, name, known)
            guard let deadline = newsDeadline(arrival.from, until, person, name, of: [actor]),
                let index = known.truth.turnThatCame(to: person, by: arrival),
                let version = known.truth.version(at: until),
                since(version.newsUntil(index)) > until + Self.tolerance
            else { continue }
            let place = DutyPlace(duty: name, index: index)
            due +=
                self.due(person, deadline, "They were to hear that #\(index) of \(name) came to them.") { note in
                    guard case .turn(place, let microseconds) = note else { return false }
                    return isAt(microseconds, of: arrival)
                }.map { [$0] } ?? []
        }
        return due
    }

    /// What was due before it came to somebody is asked of them at once, where the duty asks for its turns.
    private func asked(
        _ person: Username,
        by arrival: DutyTruth.Arrival,
        _ end: Duration,
        _ name: String,
        _ known: Known
    ) -> [ReminderFindings.Due] {
        guard let version = known.truth.version(at: end), version.duty.escalates else { return [] }
        return known.truth.turnsThatCame(to: person, by: arrival).compactMap { index in
            let dueAt = since(version.dueAt(index))
            guard dueAt + Self.tolerance < arrival.from,
                let deadline = told(from: arrival.from, by: end, person), deadline < dueAt + Self.longestDelay,
                owner(index, known, from: end + .seconds(2), until: deadline) == person,
                hears(person, of: name, from: arrival.from, until: deadline)
            else { return nil }
            let place = DutyPlace(duty: name, index: index)
            let why = "They were to be asked for #\(index) of \(name), which was due when it came to them."
            let second = version.dueAt(index)
            return due(person, deadline, why, after: arrival.from) { $0 == .due(place, second) }
        }
    }

    /// Whether the notifier may have heard of it then, by its clock.
    func isAt(_ microseconds: Int64, of arrival: DutyTruth.Arrival) -> Bool {
        let at = record.resolved.scenario.start.duration(to: WallTime(microseconds: microseconds))
        guard arrival.from - Self.tolerance <= at else { return false }
        return arrival.until.map { at <= $0 + Self.tolerance } ?? true
    }

    /// When news that was made between two instants must have reached APNs; nil when it is not certain that it had to.
    private func newsDeadline(
        _ start: Duration,
        _ end: Duration,
        _ person: Username,
        _ duty: String,
        of actors: [Username]
    ) -> Duration? {
        guard let by = told(from: start, by: end, person), hears(person, of: duty, from: start, until: by) else {
            return nil
        }
        let isHeard = actors.allSatisfy { actor in
            truth.preferences.isDenied(actor, by: person, from: start, until: by) == .off
        }
        return isHeard ? by : nil
    }

    /// When what could be told from an instant on, and had to be at another, must have reached APNs: quiet hours and stops put it off.
    func told(from start: Duration, by end: Duration, _ person: Username) -> Duration? {
        let own = record.registrations.filter { $0.person == person }
        guard own.count == 1, own[0].activeFrom < start else { return nil }
        var (from, by) = (start, end)
        for _ in 0..<3 {
            for stop in stops where stop.from <= by + Self.loop && from < stop.until { by = max(by, stop.until) }
            guard case .held(let end) = truth.preferences.hold(of: person, at: from, deadline: by + Self.loop) else {
                break
            }
            (from, by) = (end, max(end, by))
        }
        guard case .none = truth.preferences.hold(of: person, at: from, deadline: by + Self.loop) else { return nil }
        let deadline = truth.sendingDeadline(from: by + Self.loop, for: person)
        guard deadline < record.resolved.scenario.duration,
            devices.hasUsable(for: person, from: start, until: deadline)
        else { return nil }
        return deadline
    }

    /// What had to be told by the clock.
    private func clock(_ name: String, _ known: Known) -> [ReminderFindings.Due] {
        var found: [ReminderFindings.Due] = []
        for (number, version) in known.versions.enumerated() {
            guard let truth = version.truth else { continue }
            for index in 0..<RunLimits.dutyTurns {
                let dueAt = truth.dueAt(index)
                guard since(dueAt) < record.simulated + .days(15) else { break }
                for step in DutySlot.all(of: index, truth, since) {
                    // What had begun before a change was made may have been told then, or left out for good.
                    guard step.from > version.from, step.from < version.until,
                        !known.versions.prefix(number).contains(where: { $0.mayHaveBegun(step, index, dueAt, since) })
                    else { continue }
                    let due = told(step, DutyPlace(duty: name, index: index), dueAt, known)
                    guard let due, isTimed(step, name, known, until: due.deadline) else { continue }
                    found.append(due)
                }
            }
        }
        return found
    }

    /// Whether it went by no clock that was set: it was over before, or is due long after all clocks were right again, and nothing was done about the
    /// duty meanwhile.
    private func isTimed(_ step: DutySlot, _ name: String, _ known: Known, until deadline: Duration) -> Bool {
        if clocks.spares(until: deadline) { return true }
        guard clocks.isBehind(step.from) else { return false }
        let isDone = known.deeds.contains { deed in
            deed.sentAt.map { !clocks.isApart(from: $0, until: deed.answeredAt ?? deadline) } ?? false
        }
        return !isDone
            && !record.preferences.contains { entry in
                guard case .dutyMuted(name, _) = entry.choice else { return false }
                return !clocks.isApart(from: entry.requestedAt, until: entry.answeredAt)
            }
    }

    /// What whoever's turn it is then had to be told by the clock; nil where that is not certain.
    private func told(
        _ step: DutySlot,
        _ place: DutyPlace,
        _ dueAt: Int64,
        _ known: Known
    ) -> ReminderFindings.Due? {
        guard let person = owner(place.index, known, from: step.from, until: step.from + Self.loop),
            let deadline = told(from: step.from, by: step.from, person), deadline < step.until,
            owner(place.index, known, from: step.from, until: deadline) == person,
            step.isDue || isReminded(person, from: step.from, until: deadline),
            hears(person, of: place.duty, from: step.from, until: deadline)
        else { return nil }
        let note: DutyNote = step.isDue ? .due(place, dueAt) : .ahead(place, dueAt)
        let why =
            "They were to be told that #\(place.index) of \(place.duty), their turn, is \(step.isDue ? "due" : "near")."
        return due(person, deadline, why) { $0 == note }
    }

    private func isReminded(_ person: Username, from start: Duration, until end: Duration) -> Bool {
        guard remindsAhead else { return false }
        return truth.preferences.areDueRemindersOff(for: person, from: start, until: end) == .off
    }

    /// Whether the person had for certain not muted the duty at any time between two instants.
    func hears(_ person: Username, of duty: String, from start: Duration, until end: Duration) -> Bool {
        truth.preferences.isMuted(duty: duty, by: person, from: start, until: end) == .off
    }

    /// Whose open turn an occurrence was for certain all the time between two instants.
    private func owner(_ index: Int, _ known: Known, from start: Duration, until end: Duration) -> Username? {
        guard !DutyTruth.isAnythingUnderWay(known.deeds, from: start - Self.tolerance, until: end),
            let turn = known.truth.turn(index, at: end), turn.isOpen
        else { return nil }
        return turn.assignee
    }
}

extension DutyLook.Turn {
    var isOpen: Bool { status == .pending || status == .reassigned }
}
