import Platform
import Scenarios

/// News that its person had read, in an app or by dealing with it in GitLab, while something kept it from being pushed: they know it, and need no
/// alert of it any more.
struct EarlierReadings {
    private struct Key: Hashable {
        var person: Username
        var item: ItemReference
    }

    private let record: RunRecord
    private let truth: GroundTruth
    private let todos: TodoResolutions
    /// When people did something in an app by which they have read what was made about an item.
    private let marks: [Key: [Duration]]

    init(_ record: RunRecord, truth: GroundTruth) {
        (self.record, self.truth) = (record, truth)
        todos = TodoResolutions(record)
        var marks: [Key: [Duration]] = [:]
        for preference in record.preferences {
            guard let item = preference.choice.readItem else { continue }
            marks[Key(person: preference.person, item: item), default: []].append(preference.requestedAt)
        }
        self.marks = marks
    }

    /// Whether the person had read it before it had to be pushed, or after a push of it was refused for now. That nothing stood in the way
    /// explains nothing.
    func explain(_ outcome: Outcome) -> Bool {
        guard outcome.isExpected, outcome.acceptedAt == nil, outcome.displayedAt == nil, outcome.pair.restoredAt == nil
        else { return false }
        let activity = record.activities[outcome.pair.activity]
        let person = truth.people[outcome.pair.person]
        let own = activity.item.flatMap { marks[Key(person: person, item: $0)] } ?? []
        let readings = (own + [todos.resolution(of: activity, for: person)].compactMap { $0 })
            .filter { $0 >= activity.at }
        guard let first = readings.min() else { return false }
        let refused = outcome.trail.pushes.map { record.pushes[$0] }.filter { $0.status != 200 }.map(\.at)
        if let refusal = refused.min(), readings.contains(where: { $0 >= refusal }) { return true }
        let made = Duration.nanoseconds(outcome.enqueuedAt ?? outcome.pair.readableAt)
        let deadline = truth.sendingDeadline(from: made, for: person)
        return deadline - made > GroundTruth.sendingGrace && first <= deadline
    }
}
