import Platform
import Scenarios

/// Turns that somebody was asked for when they were due, of which they are told again like of any ask.
extension DutyNoteJudge {
    func asks() -> [TruthAsk] {
        sent.flatMap { sending in
            zip(sending.keys, sending.keys.map { DutyNote($0, record.dutyPlaces) }).compactMap { key, note in
                guard case .due(let place, let dueAt) = note, let known = known[place.duty] else { return nil }
                return ask(key, place, dueAt, known, sending)
            }
        }
    }

    /// What a change of the duty had let somebody off, and the next one has put right, is asked of them anew, if it was another's.
    func askedAgain(_ name: String, _ known: Known) -> [ReminderFindings.Due] {
        guard !record.resolved.scenario.notifier.reminderDelays.isEmpty else { return [] }
        return zip(known.versions, known.versions.dropFirst()).flatMap { slip, right -> [ReminderFindings.Due] in
            let editors = known.deeds.filter { $0.what.edit != nil && !$0.isRefused && $0.answeredAt == right.from }
            guard let before = slip.truth, let now = right.truth, slip.from < slip.until, right.from < right.until,
                editors.count == 1, slip.until == right.possibleFrom
            else { return [] }
            return sent.flatMap { sending in
                sending.content.notes.compactMap { note -> ReminderFindings.Due? in
                    guard case .due(let place, let dueAt) = note, place.duty == name,
                        sending.person != editors[0].person, let first = sending.acceptedAt,
                        first < slip.possibleFrom, now.asks(for: place.index, dueAt: dueAt),
                        !before.asks(for: place.index, dueAt: dueAt),
                        let deadline = told(from: right.possibleFrom, by: right.from, sending.person),
                        deadline < min(since(dueAt) + Self.longestDelay, right.until),
                        // Theirs all the time, and nothing else was done: what ended the ask was the slip.
                        isTheirs(place.index, sending.person, known, from: first, until: deadline),
                        hears(sending.person, of: name, from: first, until: deadline)
                    else { return nil }
                    let why = "They were to be asked for #\(place.index) of \(name) anew, which was let go by a slip."
                    return due(sending.person, deadline, why, after: right.possibleFrom) { $0 == note }
                }
            }
        }
    }

    /// Whether an open turn was somebody's for certain all the time between two instants, in which nothing but changes of the duty was done.
    private func isTheirs(
        _ index: Int,
        _ person: Username,
        _ known: Known,
        from start: Duration,
        until end: Duration
    ) -> Bool {
        let others = known.deeds.filter { $0.what.edit == nil }
        guard !DutyTruth.isAnythingUnderWay(others, from: start, until: end),
            let turn = known.truth.turn(index, at: end)
        else { return false }
        return turn.isOpen && turn.assignee == person
    }

    private func ask(
        _ key: String,
        _ place: DutyPlace,
        _ dueAt: Int64,
        _ known: Known,
        _ sending: Sending
    ) -> TruthAsk {
        let told = told(key, sending)
        let since = told?.from ?? sending.at
        let later = known.deeds.filter { deed in deed.answeredAt.map { since < $0 } ?? true }
        let ends = known.arrivals.compactMap(\.until).filter { until in
            guard since < until, let turn = known.truth.turn(place.index, at: until) else { return false }
            if let version = known.truth.version(at: until), !version.asks(for: place.index, dueAt: dueAt) {
                return true
            }
            return turn.assignee != sending.person || !turn.isOpen
        }
        let mutes = mutes(place.duty, sending.person)
        let possible = later.compactMap(\.sentAt) + mutes.filter { since < $0.answeredAt }.map(\.requestedAt)
        let certain = mutes.filter { mute in
            since < mute.requestedAt && mute.answeredAt < mute.until && clocks.spares(until: mute.answeredAt)
        }.map(\.answeredAt)
        return TruthAsk(
            activity: nil,
            since: sending.at,
            person: sending.person,
            keys: [key],
            told: told,
            mayEnd: possible.min() ?? .seconds(Int64.max / 4),
            endKnown: told == nil ? nil : (ends + certain).min().map { $0 + AskTruth.underWay },
            isCertain: record.registrations.count { $0.person == sending.person } == 1
        )
    }

    /// When the person muted the duty, which ends what it asks of them.
    private func mutes(
        _ duty: String,
        _ person: Username
    ) -> [(requestedAt: Duration, answeredAt: Duration, until: Duration)] {
        record.preferences.compactMap { entry in
            guard entry.person == person, case .dutyMuted(duty, let until) = entry.choice else { return nil }
            return (entry.requestedAt, entry.answeredAt, until)
        }
    }

    /// When the first device had it, at the earliest and at the latest as the notifier may see that.
    private func told(_ key: String, _ sending: Sending) -> (from: Duration, by: Duration)? {
        let accepted = record.pushes.filter { push in
            push.person == sending.person && push.status == 200 && push.content?.reminder == nil
                && sending.at <= push.at && push.content?.factKeys.contains(key) ?? false
        }
        guard let first = sending.acceptedAt else { return nil }
        let heard = accepted.first { !$0.answerLost }
        return (first, heard.map { $0.answeredAt ?? $0.at } ?? AskTruth.unknown)
    }
}
