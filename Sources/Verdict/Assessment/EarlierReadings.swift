import Platform
import Scenarios

/// News that its person had read, in an app or by dealing with it in GitLab, while something kept it from being pushed: they know it, and need no
/// alert of it any more.
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

    /// Whether the person had read it before it had to be pushed, or while a push of it that was refused for now was still to be tried again.
    /// That nothing stood in the way explains nothing, and of what was refused for good no push was to come.
    func explain(_ outcome: Outcome) -> Bool {
        guard outcome.isExpected, outcome.acceptedAt == nil, outcome.displayedAt == nil, outcome.pair.restoredAt == nil
        else { return false }
        let activity = record.activities[outcome.pair.activity]
        let person = truth.people[outcome.pair.person]
        // An app shows nothing before there is a notification of it.
        let own = outcome.enqueuedAt.map { enqueuedAt in
            let all = activity.item.flatMap { marks[PersonItem(person: person, item: $0)] } ?? []
            return all.filter { $0 >= max(.nanoseconds(enqueuedAt), activity.at) }
        }
        let dealtWith = todos.resolution(of: activity, for: person).flatMap { $0 >= activity.at ? $0 : nil }
        let readings = (own ?? []) + [dealtWith].compactMap { $0 }
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
}

extension PushRecord {
    /// Whether the message, or its token, was called wrong for good. A token that may be right elsewhere is tried again (APNs facts §6).
    fileprivate var isRefusedForGood: Bool {
        guard let why = APNsReason(rawValue: self.reason) else { return status == 410 }
        return why.isFinal && why != .badDeviceToken && why != .deviceTokenNotForTopic
    }
}
