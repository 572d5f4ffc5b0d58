import Platform
import Scenarios

/// News that its person had read, in an app or by dealing with it in GitLab, while something kept it from being pushed: they know it, and need no
/// alert of it any more. No more do they of what a program had asked and nobody waits for now.
struct EarlierReadings {
    private let record: RunRecord
    private let truth: GroundTruth
    private let todos: TodoResolutions
    /// When people did something in an app by which they have read what was made about an item.
    private let marks: [PersonItem: [Duration]]

    init(_ record: RunRecord, truth: GroundTruth) {
        (self.record, self.truth) = (record, truth)
        todos = TodoResolutions(record)
        var marks: [PersonItem: [Duration]] = [:]
        for preference in record.preferences {
            guard let item = preference.choice.readItem else { continue }
            marks[PersonItem(person: preference.person, item: item), default: []].append(preference.requestedAt)
        }
        self.marks = marks
    }

    /// Whether the person had read it, or it was over, before it had to be pushed or while a push of it that was refused for now was still to be
    /// tried again. That nothing stood in the way explains nothing, and of what was refused for good no push was to come.
    func explain(_ outcome: Outcome) -> Bool {
        // A reminder of it, which comes all the same, may be what a device shows first.
        let isShown = outcome.trail.events.contains { record.deviceEvents[$0].isShown }
        guard outcome.isExpected, outcome.acceptedAt == nil, !isShown, outcome.pair.restoredAt == nil
        else { return false }
        let activity = record.activities[outcome.pair.activity]
        let person = truth.people[outcome.pair.person]
        // An app shows nothing before there is a notification of it.
        let own = outcome.enqueuedAt.map { enqueuedAt in
            let all = activity.item.flatMap { marks[PersonItem(person: person, item: $0)] } ?? []
            return all.filter { $0 >= max(.nanoseconds(enqueuedAt), activity.at) }
        }
        let dealtWith = todos.resolution(of: activity, for: person).flatMap { $0 >= activity.at ? $0 : nil }
        var readings = (own ?? []) + [dealtWith].compactMap { $0 }
        readings += ends(of: outcome, activity)
        guard let first = readings.min() else { return false }
        let refused = outcome.trail.pushes.map { record.pushes[$0] }.filter { $0.status != 200 }
        let forNow = refused.filter { !$0.isRefusedForGood }.map(\.at)
        if let refusal = forNow.min(), let last = forNow.max() {
            let end = truth.sendingDeadline(from: last, for: person) + CauseFinder.retryPause
            if readings.contains(where: { $0 >= refusal && $0 <= end }) { return true }
        } else if let refusal = refused.map(\.at).min(), refusal <= first {
            return false
        }
        let made = Duration.nanoseconds(outcome.enqueuedAt ?? outcome.pair.readableAt)
        let deadline = truth.sendingDeadline(from: made, for: person)
        return deadline - made > GroundTruth.sendingGrace && first <= deadline
    }

    /// When what a program asks for may have been over, once there was a notification of it alone: by the program's word, the end of its run or
    /// the person's choice. What is told together with other news is told all the same.
    private func ends(of outcome: Outcome, _ activity: ActivityRecord) -> [Duration] {
        guard let asked = activity.signal, asked.word == .approvalNeeded, let enqueuedAt = outcome.enqueuedAt,
            outcome.trail.pushes.allSatisfy({ record.pushes[$0].content.map { $0.factKeys.count == 1 } ?? true })
        else { return [] }
        let choices = record.preferences.filter { entry in
            guard entry.person == asked.person else { return false }
            return switch entry.choice {
            case .signalSettled(asked.name), .programMuted, .programRevoked: true
            default: false
            }
        }
        var instants = choices.flatMap { [$0.requestedAt, $0.answeredAt] }
        instants += runEnds(after: outcome.pair.activity, asked)
        return instants.filter { $0 >= .nanoseconds(enqueuedAt) }
    }

    /// When the program may have been heard that the run is over. What it says again, and what is refused, ends nothing.
    private func runEnds(after index: Int, _ asked: SignalRecord) -> [Duration] {
        record.activities.indices.dropFirst(index + 1).compactMap { later in
            guard let end = record.activities[later].signal, end.word == .runCompleted || end.word == .runFailed,
                end.person == asked.person, end.run == asked.run, !end.isRefused,
                !SignalTruth.isRepetition(later, in: record)
            else { return nil }
            return end.answeredAt ?? record.activities[later].at
        }
    }
}

extension PushRecord {
    /// Whether the message, or its token, was called wrong for good. A token that may be right elsewhere is tried again (APNs facts §6).
    fileprivate var isRefusedForGood: Bool {
        guard let why = APNsReason(rawValue: self.reason) else { return status == 410 }
        return why.isFinal && why != .badDeviceToken && why != .deviceTokenNotForTopic
    }
}
