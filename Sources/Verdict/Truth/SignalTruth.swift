import Platform
import Scenarios

/// What a program said, and what it means for one person: from the program's own ledger and the person's choices alone.
struct SignalTruth {
    private let record: RunRecord
    private let preferences: Preferences

    init(_ record: RunRecord, _ preferences: Preferences) {
        (self.record, self.preferences) = (record, preferences)
    }

    /// Who hears of what a program said.
    ///
    /// - Parameters:
    ///   - index: position of what was said in `RunRecord.activities`.
    ///   - person: who may hear it.
    ///   - deadline: when what was kept back until an instant must have been told.
    /// - Returns: the standing, and until when quiet hours keep it back.
    func judge(_ index: Int, for person: Username, deadline: (Duration) -> Duration) -> (
        standing: Standing, heldUntil: Duration?
    ) {
        let activity = record.activities[index]
        guard let signal = activity.signal, signal.person == person else { return (.notForThem(.notToThem), nil) }
        guard !Self.isRepetition(index, in: record) else { return (.notForThem(.saidBefore), nil) }
        guard let heard = signal.answeredAt else { return (.optional(.unanswered), nil) }
        // Whoever refuses what a program may say has lost it.
        guard !signal.isRefused else { return (.expected(.signal), nil) }
        guard !isSettled(signal, by: heard) else { return (.optional(.settledMeanwhile), nil) }
        var heldUntil: Duration?
        switch preferences.hold(of: person, at: activity.at, deadline: heard) {
        case .none: break
        case .held(let end): heldUntil = end
        case .unclear: return (.optional(.choiceChanging), nil)
        }
        let last = heldUntil.map(deadline) ?? heard
        if heldUntil != nil, isOver(index, signal, by: last) { return (.optional(.settledMeanwhile), nil) }
        if preferences.waitsAgain(person, from: heldUntil, until: last) {
            return (.optional(.choiceChanging), heldUntil)
        }
        let mute = preferences.isProgramMuted(
            person,
            from: activity.at,
            until: heard,
            heldUntil: heldUntil,
            last: last
        )
        switch mute {
        case .on: return (.notForThem(.muted), nil)
        case .unclear: return (.optional(.choiceChanging), nil)
        case .off:
            guard !isShutOut(person, from: activity.at, until: last) else { return (.optional(.settledMeanwhile), nil) }
            return (last > record.simulated ? .optional(.quietUntilTheEnd) : .expected(.signal), heldUntil)
        }
    }

    /// Whether the person may have shut the program out between the two instants: what was kept back is gone then.
    private func isShutOut(_ person: Username, from start: Duration, until end: Duration) -> Bool {
        record.preferences.contains {
            $0.person == person && $0.choice == .programRevoked && $0.requestedAt <= end && start <= $0.answeredAt
        }
    }

    /// Whether the program had said the same before. Whoever comes after one that was shut out is another program, and has said nothing.
    static func isRepetition(_ index: Int, in record: RunRecord) -> Bool {
        guard let signal = record.activities[index].signal else { return false }
        return record.activities[..<index].contains { earlier in
            earlier.signal.map {
                $0.person == signal.person && $0.word == signal.word && $0.name == signal.name
                    && ($0.key == signal.key || $0.key == nil || signal.key == nil)
            } ?? false
        }
    }

    /// Whether what quiet hours kept back may have been over before it had to be told: it was settled, or its run has ended.
    private func isOver(_ index: Int, _ signal: SignalRecord, by instant: Duration) -> Bool {
        guard signal.word == .approvalNeeded else { return false }
        return isSettled(signal, by: instant)
            || record.activities[index...].contains { later in
                guard let end = later.signal, end.word == .runCompleted || end.word == .runFailed else { return false }
                return end.person == signal.person && end.run == signal.run && later.at <= instant
            }
    }

    /// Whether the program or the person may have said that it is over before it was heard.
    private func isSettled(_ signal: SignalRecord, by instant: Duration) -> Bool {
        signal.word == .approvalNeeded
            && record.preferences.contains {
                $0.person == signal.person && $0.choice == .signalSettled(signal.name) && $0.requestedAt <= instant
            }
    }
}
