import Platform
import Scenarios

/// What was told of duties and must not have been.
extension DutyNoteJudge {
    typealias Wrong = ReminderFindings.Wrong

    func wrong(_ sending: Sending) -> [Wrong] {
        sending.content.notes.compactMap { note -> Wrong? in
            guard let place = note.place, let known = known[place.duty] else {
                return wrong(sending, note, "is about nothing that there is")
            }
            return switch note {
            case .turn(_, let microseconds): wrongTurn(sending, note, place, microseconds, known)
            case .ended(_, let id): wrongEnd(sending, note, id, known)
            case .ahead(_, let dueAt): wrongByClock(sending, note, place, known, isDue: false, at: dueAt)
            case .due(_, let dueAt): wrongByClock(sending, note, place, known, isDue: true, at: dueAt)
            case .unknown: nil
            }
        } + wrongText(sending)
    }

    private func wrong(
        _ sending: Sending,
        _ note: DutyNote,
        _ why: String,
        _ invariant: ViolationRecord.Invariant = .dutyMistold,
        at instant: Duration? = nil
    ) -> Wrong {
        let what = note.place.map { "#\($0.index) of \($0.duty)" } ?? sending.keys.joined(separator: ",")
        return Wrong(
            at: instant ?? sending.at,
            person: sending.person,
            why: "\"\(sending.content.title)\", of \(what), to \(sending.person), \(why).",
            invariant: invariant
        )
    }

    // MARK: News

    private func wrongEnd(_ sending: Sending, _ note: DutyNote, _ id: String, _ known: Known) -> Wrong? {
        guard let deed = known.deeds.first(where: { $0.id == id && $0.what.isEnd }), let sentAt = deed.sentAt,
            sentAt <= sending.at + Self.tolerance
        else { return wrong(sending, note, "tells of what nobody has done") }
        guard deed.person != sending.person else { return wrong(sending, note, "tells of what they did themselves") }
        let until = deed.answeredAt ?? sending.at
        guard takesPart(sending.person, known, from: sentAt, until: until) else {
            return wrong(sending, note, "is for those who take part, and they do not")
        }
        return wrongMuted(sending, note, since: sentAt)
    }

    private func wrongTurn(
        _ sending: Sending,
        _ note: DutyNote,
        _ place: DutyPlace,
        _ microseconds: Int64,
        _ known: Known
    ) -> Wrong? {
        guard clocks.spares(sending) else { return nil }
        // Where several arrived within the same second it may have come of any.
        let arrivals = known.arrivals.filter { isAt(microseconds, of: $0) }
        let reasons = arrivals.map { wrongTurn(sending, note, place, known, $0) }
        if reasons.contains(where: { $0 == nil }) { return nil }
        return reasons.first ?? wrong(sending, note, "came of nothing that anybody did")
    }

    private func wrongTurn(
        _ sending: Sending,
        _ note: DutyNote,
        _ place: DutyPlace,
        _ known: Known,
        _ arrival: DutyTruth.Arrival
    ) -> Wrong? {
        if arrival.person == sending.person { return wrong(sending, note, "came of what they did themselves") }
        let until = arrival.until ?? sending.at
        guard takesPart(sending.person, known, from: arrival.from, until: until) else {
            return wrong(sending, note, "is for those who take part, and they do not")
        }
        if let muted = wrongMuted(sending, note, since: arrival.from) { return muted }
        // Between two deeds that met whose turn it was is not known.
        guard arrival.isOne, let end = arrival.until else { return nil }
        if let turn = known.truth.turn(place.index, at: end), turn.assignee != sending.person || !turn.isOpen {
            return wrong(sending, note, "tells of a turn that was not theirs then")
        }
        let before = known.truth.turn(place.index, at: arrival.from - DutyTruth.moment)
        if let before, before.assignee == sending.person { return wrong(sending, note, "had been theirs before") }
        guard let version = known.truth.version(at: end),
            since(version.newsUntil(place.index)) + Self.tolerance < arrival.from
        else { return nil }
        return wrong(sending, note, "was of no use any more when it came to them")
    }

    /// Somebody who had muted the duty from before the notifier heard of something until they were told of it is told all the same.
    private func wrongMuted(_ sending: Sending, _ note: DutyNote, since start: Duration) -> Wrong? {
        guard clocks.spares(sending), let duty = note.place?.duty else { return nil }
        let end = sending.at + Self.tolerance
        let standing = truth.preferences.isMuted(duty: duty, by: sending.person, from: start, until: end)
        return standing == .on ? wrong(sending, note, "came although they had muted the duty") : nil
    }

    /// False when the person did not take part at any time between two instants.
    private func takesPart(_ person: Username, _ known: Known, from start: Duration, until end: Duration) -> Bool {
        known.memberships[person].map { $0.standing(from: start, until: end, last: end) != .off } ?? false
    }

    // MARK: By the clock

    private func wrongByClock(
        _ sending: Sending,
        _ note: DutyNote,
        _ place: DutyPlace,
        _ known: Known,
        isDue: Bool,
        at dueAt: Int64
    ) -> Wrong? {
        // What was changed about the duty meanwhile may have been heard of or not.
        let versions = known.versions.filter {
            $0.possibleFrom <= sending.at + Self.tolerance && sending.at - AskTruth.underWay <= $0.possibleUntil
        }
        let slots = versions.compactMap(\.truth).filter { $0.dueAt(place.index) == dueAt }.flatMap {
            DutySlot.all(of: place.index, $0, since).filter { $0.isDue == isDue }
        }
        let isKnown = versions.allSatisfy { $0.truth != nil }
        guard !slots.isEmpty else {
            return isKnown ? wrong(sending, note, "is of a duty of which nobody is told that") : nil
        }
        for instant in [sending.at] + sending.attempts {
            let before = instant - AskTruth.underWay
            if !DutyTruth.isAnythingUnderWay(known.deeds, from: before, until: instant),
                let turn = known.truth.turn(place.index, at: instant), turn.assignee != sending.person || !turn.isOpen
            {
                return wrong(sending, note, "came when it was not theirs to do", .remindedAfterEnd, at: instant)
            }
            let off = truth.preferences.areDueRemindersOff(for: sending.person, from: before, until: instant)
            if !isDue, off == .on { return wrong(sending, note, "came although they wanted none", at: instant) }
            let end = instant + Self.tolerance
            let muted = truth.preferences.isMuted(duty: place.duty, by: sending.person, from: before, until: end)
            if clocks.spares(sending), muted == .on {
                return wrong(sending, note, "came although they had muted the duty", at: instant)
            }
        }
        guard clocks.spares(sending) else { return nil }
        if case .held = truth.preferences.hold(of: sending.person, at: sending.at, deadline: sending.at) {
            return wrong(sending, note, "was made in quiet hours", .notifiedInQuietHours)
        }
        // By a version of which nobody can tell what it says it may come at another time.
        guard isKnown else { return nil }
        if slots.allSatisfy({ sending.at + Self.tolerance < $0.from }) {
            return wrong(sending, note, "came too early")
        }
        return slots.allSatisfy { $0.until + Self.tolerance < sending.at }
            ? wrong(sending, note, "came when it was of no use any more") : nil
    }

    // MARK: Twice, and in words

    /// Each is told once, whatever the process went through.
    func repeated() -> [Wrong] {
        struct Told: Hashable {
            var person: Username
            var note: DutyNote
        }
        var seen: [Told: Duration] = [:]
        return sent.flatMap { sending in
            Set(sending.content.notes).compactMap { note -> Wrong? in
                let told = Told(person: sending.person, note: once(note, of: sending))
                guard let before = seen.updateValue(sending.at, forKey: told),
                    !mayHaveComeBack(note, to: sending.person, from: before, until: sending.at)
                else { return nil }
                return wrong(sending, note, "was told before", .remindedTooOften)
            }
        }
    }

    /// Whether a turn that is due was another's, or not to be asked for, or may have been, between two instants: then it is asked for anew.
    private func mayHaveComeBack(
        _ note: DutyNote,
        to person: Username,
        from start: Duration,
        until end: Duration
    ) -> Bool {
        guard case .due(let place, let dueAt) = note, let known = known[place.duty] else { return false }
        let mayHaveBeenLetOff = known.versions.contains { version in
            guard version.possibleFrom <= end, start <= version.possibleUntil else { return false }
            return version.truth.map { !$0.asks(for: place.index, dueAt: dueAt) } ?? true
        }
        return mayHaveBeenLetOff
            || known.arrivals.contains { arrival in
                guard arrival.from <= end, arrival.until.map({ start <= $0 }) ?? true else { return false }
                guard let until = arrival.until, arrival.deeds.count == 1,
                    let turn = known.truth.turn(place.index, at: until)
                else { return true }
                return turn.assignee != person
            }
    }

    /// Of what came of one deed a turn is told once, whenever that is said to have been.
    private func once(_ note: DutyNote, of sending: Sending) -> DutyNote {
        guard case .turn(let place, let microseconds) = note, clocks.spares(sending),
            let arrivals = known[place.duty]?.arrivals.filter({ isAt(microseconds, of: $0) }), arrivals.count == 1,
            arrivals[0].isOne
        else { return note }
        return .turn(place, arrivals[0].from.wholeNanoseconds)
    }

    /// A push names the duty, and calls what it tells of by its name.
    private func wrongText(_ sending: Sending) -> [Wrong] {
        guard let newest = sending.content.notes.last, let place = newest.place,
            let actionType = sending.content.actionType
        else { return [] }
        let text = sending.content.title + "\n" + sending.content.text
        guard text.contains(place.duty) else { return [wrong(sending, newest, "does not name the duty")] }
        let right: Set<String>
        switch newest {
        case .turn: right = ["duty_turn"]
        case .ended(_, let id):
            guard let deed = known[place.duty]?.deeds.first(where: { $0.id == id }) else { return [] }
            if case .skipped = deed.what { right = ["duty_skipped"] } else { right = ["duty_done"] }
            guard text.contains(deed.person.text) else { return [wrong(sending, newest, "does not say who did it")] }
        case .ahead: right = ["duty_reminder"]
        case .due: right = ["duty_due"]
        case .unknown: return []
        }
        guard right.contains(actionType) else { return [wrong(sending, newest, "calls it \(actionType)")] }
        return turnFault(sending, newest, place).map { [wrong(sending, newest, $0)] } ?? []
    }
}
