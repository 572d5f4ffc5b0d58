import Platform
import Scenarios

/// A day by which one person has to have an item done, for as long as GitLab says so.
struct TruthDueDate: Equatable {
    var person: Username
    var item: ItemReference
    /// The time of day means nothing.
    var date: CivilDate
    /// Position in `RunRecord.activities` of what made it so; nil for a milestone that was moved.
    var activity: Int?
    /// From when it is so, and when a notifier must have known it.
    var from: Duration
    var knownBy: Duration
    /// When that ended, and when a notifier must have known that; nil while it is so.
    var until: Duration?
    var endKnown: Duration?
}

/// By when who has to have what done, from the deeds on GitLab alone: an item that is open and has a day of its own, or its milestone's, is to
/// be done by whoever it is assigned to.
struct DueDateTruth {
    /// How things stand from an instant on.
    private struct State {
        var at: Duration
        /// From when GitLab shows it.
        var readable: Duration
        /// Nil where there is no day, or the item is gone.
        var due: ActivityRecord.Due?
        var isGone: Bool
        var activity: Int?
    }

    /// A fault that ended so short a time before something was done may still have kept it from being read, as lists that failed are left
    /// out for a while.
    private static let aftermath = Duration.minutes(15)

    private let record: RunRecord
    private let asked: AskTruth
    private let places: [Username: Int]
    private let patrol: Duration
    private var dates: [PersonItem: [TruthDueDate]] = [:]
    private(set) var all: [TruthDueDate] = []

    init(_ record: RunRecord, truth: GroundTruth) {
        self.record = record
        asked = AskTruth(record, truth: truth)
        places = Dictionary(truth.people.enumerated().map { ($1, $0) }) { first, _ in first }
        patrol = record.resolved.scenario.notifier.duration("patrolInterval") ?? .minutes(4)
        for (item, states) in Self.states(in: record) {
            for person in truth.people {
                let own = dates(of: item, states, person)
                if !own.isEmpty { dates[PersonItem(person: person, item: item)] = own }
                all += own
            }
        }
    }

    /// After these nobody has to do anything there. A move closes the issue; its successor has the day, too.
    private static let ending: [ActivityKind] = [.deleted]

    /// What was done to items that have a day, and to their milestones, in order; the item that had one first comes first.
    private static func states(in record: RunRecord) -> [(item: ItemReference, states: [State])] {
        var states: [ItemReference: [State]] = [:]
        for (index, activity) in record.activities.enumerated() {
            guard let item = activity.item else { continue }
            states[item, default: []].append(
                State(
                    at: activity.at,
                    readable: max(activity.readableFrom, activity.at),
                    due: activity.due,
                    isGone: ending.contains(activity.kind),
                    activity: index
                )
            )
        }
        for move in record.dueMoves {
            states[move.item, default: []].append(State(at: move.at, readable: move.at, due: move.due, isGone: false))
        }
        let dated = states.compactMap { item, states -> (first: Duration, item: ItemReference, states: [State])? in
            guard let first = states.first(where: { $0.due != nil })?.at else { return nil }
            // Of what happened at one instant the activity was first: both say how it stands after all of it.
            let rising = states.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            return (first, item, rising.map(\.element))
        }
        return dated.sorted { ($0.first, $0.item.description) < ($1.first, $1.item.description) }.map {
            ($0.item, $0.states)
        }
    }

    /// What the person has to have done on that item over time, in order.
    subscript(item: ItemReference, person: Username) -> [TruthDueDate] {
        dates[PersonItem(person: person, item: item)] ?? []
    }

    private func dates(of item: ItemReference, _ states: [State], _ person: Username) -> [TruthDueDate] {
        var made: [TruthDueDate] = []
        var isGone = false
        for state in states where state.due != nil || state.isGone {
            isGone = isGone || state.isGone
            let isOwn = state.due.map { $0.isOpen && $0.assignees.contains(person) } ?? false
            let date = isOwn && !isGone ? state.due?.date : nil
            let current = made.last.flatMap { $0.until == nil ? $0.date : nil }
            guard date != current else { continue }
            if current != nil {
                made[made.count - 1].until = state.at
                made[made.count - 1].endKnown = known(state.readable, person)
            }
            guard let date else { continue }
            made.append(
                TruthDueDate(
                    person: person,
                    item: item,
                    date: date,
                    activity: state.activity,
                    from: state.at,
                    knownBy: known(state.readable, person)
                )
            )
        }
        return made
    }

    /// When what could be read from `instant` on must have been read: by the next look at everything at the latest.
    func known(_ instant: Duration, _ person: Username) -> Duration {
        guard let place = places[person] else { return .seconds(Int64.max / 4) }
        let known = asked.known(instant, place) + patrol
        let isDisturbed =
            record.faults.contains { $0.span.from <= known && instant - Self.aftermath <= $0.span.until }
            || record.downtimes.contains { $0.from <= known && instant - Self.aftermath <= $0.until }
        return isDisturbed ? known + Self.aftermath : known
    }
}
