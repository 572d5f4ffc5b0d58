import Platform
import Scenarios

/// Writes the ledger of one seed: a line for each activity and person, and one for each unexpected notification.
struct Ledger {
    /// A seed's result carries at most so many abnormal lines.
    static let abnormalLines = 100
    /// A line names at most so many pushes and device events.
    static let eventsPerLine = 50
    /// A notification whose excess latency is longer is abnormal: the product's promise is five minutes.
    static let late = Duration.minutes(5)

    /// The story of a miss is looked at for so long after it could be read.
    static let patience = Duration.minutes(30)

    let judged: JudgedRun

    /// Gives `take` each line, abnormal ones first, otherwise in the order of the activities. A large team's working day has fifty
    /// thousand: whoever writes them need not hold them.
    func eachLine(_ take: (LedgerLine) throws -> Void) rethrows {
        let abnormal = abnormalOutcomes()
        for index in abnormal { try take(outcomeLine(index)) }
        for index in judged.unexpected { try take(unexpectedLine(index)) }
        for line in reminderLines() { try take(line) }
        let isAbnormal = Set(abnormal)
        for index in judged.outcomes.indices where !isAbnormal.contains(index) { try take(outcomeLine(index)) }
    }

    /// All of them.
    func lines() -> [LedgerLine] {
        var lines: [LedgerLine] = []
        eachLine { lines.append($0) }
        return lines
    }

    /// The abnormal ones only, with their number in all.
    func abnormal(limit: Int) -> (lines: [LedgerLine], inAll: Int) {
        let outcomes = abnormalOutcomes()
        let lines = outcomes.prefix(limit).map(outcomeLine)
        let rest = judged.unexpected.prefix(limit - lines.count).map(unexpectedLine)
        let reminders = reminderLines()
        let kept = reminders.prefix(limit - lines.count - rest.count)
        return (lines: lines + rest + kept, inAll: outcomes.count + judged.unexpected.count + reminders.count)
    }

    private func abnormalOutcomes() -> [Int] {
        var ranked: [(rank: Int, index: Int)] = []
        for (index, outcome) in judged.outcomes.enumerated() {
            let marks = marks(outcome)
            guard let first = marks.first else { continue }
            ranked.append((["missed", "duplicate", "late"].firstIndex(of: first) ?? 3, index))
        }
        return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.index)
    }

    /// What is wrong with it, the gravest first.
    func marks(_ outcome: Outcome) -> [String] {
        var marks: [String] = []
        if outcome.isMissed { marks.append("missed") }
        if !outcome.duplicates.isEmpty { marks.append("duplicate") }
        if outcome.isExpected, let split = outcome.split, split.excess > Self.late.wholeNanoseconds {
            marks.append("late")
        }
        return marks
    }

    private func outcomeLine(_ index: Int) -> LedgerLine {
        let outcome = judged.outcomes[index]
        let activity = judged.record.activities[outcome.pair.activity]
        let standing = outcome.pair.standing
        var line = LedgerLine(
            seed: judged.record.resolved.seed,
            abnormal: marks(outcome),
            activity: activity.number,
            kind: activity.kind.rawValue,
            actor: activity.actor.text,
            item: activity.item?.description,
            itemTitle: activity.itemTitle,
            person: judged.truth.people[outcome.pair.person].text,
            standing: standing.name,
            reason: standing.reason,
            reasonSentence: standing.sentence,
            keys: outcome.pair.keys.own + outcome.pair.keys.shared,
            atNanoseconds: activity.at.wholeNanoseconds,
            readableNanoseconds: activity.readableFrom.wholeNanoseconds,
            pollableNanoseconds: Obstacles.isNever(outcome.pair.readableAt) ? nil : outcome.pair.readableAt,
            goneNanoseconds: activity.goneAt?.wholeNanoseconds
        )
        fill(&line, outcome)
        return line
    }

    private func fill(_ line: inout LedgerLine, _ outcome: Outcome) {
        line.attempts = outcome.trail.pushes.prefix(Self.eventsPerLine).map { attempt(judged.record.pushes[$0]) }
        line.deviceEvents = outcome.trail.events.prefix(Self.eventsPerLine)
            .map { deviceEvent(judged.record.deviceEvents[$0]) }
        line.notifications = notifications(outcome)
        line.polledNanoseconds = judged.polledAt(outcome)
        line.heldNanoseconds = judged.heldAt(outcome)
        line.enqueuedNanoseconds = outcome.enqueuedAt
        line.acceptedNanoseconds = outcome.acceptedAt
        line.displayedNanoseconds = outcome.displayedAt
        line.caughtUpNanoseconds = outcome.caughtUpAt
        line.knownNanoseconds = outcome.knownAt
        line.latencyNanoseconds = outcome.split?.total
        line.excessLatencyNanoseconds = outcome.split?.excess
        line.owners = outcome.split.map { split in
            Dictionary(uniqueKeysWithValues: split.ranked.map { ($0.owner.rawValue, $0.nanoseconds) })
        }
        line.cause = outcome.cause?.code
        line.causeSentence = outcome.cause?.sentence
        guard !outcome.pair.standing.isNotForThem else { return }
        let patience = max(line.atNanoseconds, outcome.pair.readableAt) + Self.patience.wholeNanoseconds
        line.faults = faults(from: line.atNanoseconds, to: outcome.knownAt ?? patience)
    }

    private func notifications(_ outcome: Outcome) -> [String] {
        var seen: [String] = []
        let pushed = outcome.trail.pushes.compactMap { judged.record.pushes[$0].content?.notificationID }
        let queued = outcome.trail.enqueues.map { judged.log.enqueues[$0].notificationID }
        for id in queued + pushed where !seen.contains(id) && seen.count < Self.eventsPerLine { seen.append(id) }
        return seen
    }

    private func faults(from start: Int64, to end: Int64) -> [String] {
        let met = judged.record.faults.filter {
            $0.span.from.wholeNanoseconds <= end && $0.span.until.wholeNanoseconds >= start
        }
        return met.prefix(Self.eventsPerLine).map(\.id.text)
    }

    private func unexpectedLine(_ index: Int) -> LedgerLine {
        let event = judged.record.deviceEvents[index]
        let content = judged.observations.content(of: event, in: judged.record)
        var line = LedgerLine(
            seed: judged.record.resolved.seed,
            abnormal: ["unexpected"],
            itemTitle: content?.title,
            person: event.person.text,
            standing: "unexpected",
            reasonSentence: content.flatMap { foreignKeys($0, event.person) },
            keys: content?.factKeys ?? [],
            atNanoseconds: event.at.wholeNanoseconds
        )
        line.notifications = content.map { [$0.notificationID] } ?? []
        line.deviceEvents = [deviceEvent(event)]
        line.displayedNanoseconds = event.at.wholeNanoseconds
        return line
    }

    /// Which facts of a notification its person was not to be told.
    private func foreignKeys(_ content: PushContent, _ person: Username) -> String? {
        let foreign = content.factKeys.filter { !judged.observations.isAllowed($0, for: person) }
        return foreign.isEmpty ? nil : "It tells of \(foreign.joined(separator: ", ")), which was not for this person."
    }

    /// Reminders that were due and did not come or came late, and those that were wrong; and wrong numbers of unread notifications.
    private func reminderLines() -> [LedgerLine] {
        let due = judged.reminders.due.filter { $0.isMissed || $0.isLate }.map { due in
            let activity = due.activity.map { judged.record.activities[$0] }
            var line = LedgerLine(
                seed: judged.record.resolved.seed,
                abnormal: [due.isMissed ? "missed" : "late"],
                activity: activity?.number,
                kind: activity?.kind.rawValue,
                actor: activity?.actor.text,
                item: activity?.item?.description,
                itemTitle: activity?.itemTitle,
                person: due.person.text,
                standing: "reminder",
                reasonSentence: due.why,
                keys: [],
                atNanoseconds: due.deadline.wholeNanoseconds
            )
            line.acceptedNanoseconds = due.acceptedAt?.wholeNanoseconds
            return line
        }
        let wrong = judged.reminders.wrong.map { wrong in
            LedgerLine(
                seed: judged.record.resolved.seed,
                abnormal: ["unexpected"],
                person: wrong.person.text,
                standing: "reminder",
                reasonSentence: wrong.why,
                keys: [],
                atNanoseconds: wrong.at.wholeNanoseconds
            )
        }
        return due + wrong + unreadLines()
    }

    /// Numbers of unread notifications that were wrong.
    private func unreadLines() -> [LedgerLine] {
        judged.unread.wrong.map { wrong in
            LedgerLine(
                seed: judged.record.resolved.seed,
                abnormal: ["unexpected"],
                person: wrong.person.text,
                standing: "unread",
                reasonSentence: wrong.why,
                keys: [],
                atNanoseconds: wrong.at.wholeNanoseconds
            )
        }
    }

    private func attempt(_ push: PushRecord) -> LedgerLine.Attempt {
        LedgerLine.Attempt(
            atNanoseconds: push.at.wholeNanoseconds,
            device: push.device?.text,
            apnsID: push.apnsID,
            status: push.status,
            reason: push.reason.isEmpty ? nil : push.reason,
            answerLost: push.answerLost ? true : nil,
            fault: push.faultID,
            notification: push.content?.notificationID
        )
    }

    private func deviceEvent(_ event: DeviceEventRecord) -> LedgerLine.DeviceEvent {
        LedgerLine.DeviceEvent(
            atNanoseconds: event.at.wholeNanoseconds,
            device: event.device.text,
            event: event.kind.rawValue,
            cause: event.cause,
            apnsID: event.apnsID
        )
    }
}
