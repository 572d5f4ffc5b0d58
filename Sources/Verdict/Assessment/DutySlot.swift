import Platform
import Scenarios

/// When something about an occurrence is told by the clock, and from when on it is of no use.
struct DutySlot {
    var isDue: Bool
    var from: Duration
    var until: Duration

    static func all(of index: Int, _ truth: DutyTruth, _ since: (Int64) -> Duration) -> [DutySlot] {
        let due = since(truth.dueAt(index))
        let end = due + DutyNoteJudge.longestDelay
        var slots: [DutySlot] = []
        if let ahead = truth.remindAt(index) {
            // Where nothing follows it is better told late than never.
            slots.append(DutySlot(isDue: false, from: since(ahead), until: truth.duty.escalates ? due : end))
        }
        if truth.duty.escalates { slots.append(DutySlot(isDue: true, from: due, until: end)) }
        return slots
    }
}

/// What a duty was from one change of it to the next.
struct DutyVersion {
    /// Nil where that depends on what nobody can tell.
    var truth: DutyTruth?
    /// It was so for certain from then until then.
    var from: Duration
    var until: Duration
    /// It may have been so.
    var possibleFrom: Duration
    var possibleUntil: Duration

    /// No story lasts as long.
    private static let never = Duration.seconds(Int64.max / 4)

    /// The first is the duty as it was made.
    static func all(of truth: DutyTruth, _ deeds: [DutyDeed]) -> [DutyVersion] {
        let edits = deeds.filter { $0.what.edit != nil && !$0.isRefused && $0.sentAt != nil }
        func answered(_ edit: DutyDeed) -> Duration { edit.answeredAt ?? never }
        func until(_ later: [DutyDeed]) -> (certain: Duration, possible: Duration) {
            (later.compactMap(\.sentAt).min() ?? never, later.map(answered).min() ?? never)
        }
        let (certain, possible) = until(edits)
        let first = DutyVersion(
            truth: truth,
            from: .zero,
            until: certain,
            possibleFrom: .zero - .days(1),
            possibleUntil: possible
        )
        return [first]
            + Set(edits.map(answered)).sorted().map { instant in
                let (certain, possible) = until(edits.filter { answered($0) > instant })
                return DutyVersion(
                    truth: instant < never ? truth.version(at: instant) : nil,
                    from: instant,
                    until: certain,
                    possibleFrom: edits.filter { answered($0) == instant }.compactMap(\.sentAt).min() ?? instant,
                    possibleUntil: possible
                )
            }
    }

    /// Whether the same was to be told of it at that time, or earlier, while this was so.
    func mayHaveBegun(_ step: DutySlot, _ index: Int, _ dueAt: Int64, _ since: (Int64) -> Duration) -> Bool {
        guard let truth else { return true }
        guard truth.dueAt(index) == dueAt else { return false }
        return DutySlot.all(of: index, truth, since).contains { $0.isDue == step.isDue && $0.from <= possibleUntil }
    }
}
