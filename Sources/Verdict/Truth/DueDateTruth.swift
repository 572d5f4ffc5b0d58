import Platform
import Scenarios

/// A day by which one person has to have an item done, for as long as GitLab says so.
struct TruthDueDate: Equatable {
    var person: Username
    var item: ItemReference
    /// The time of day means nothing.
    var date: CivilDate
    /// Position in `RunRecord.activities` of what made it so.
    var activity: Int
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
    private struct Key: Hashable {
        var person: Username
        var item: ItemReference
    }

    /// A fault that ended so short a time before something was done may still have kept it from being read, as lists that failed are left
    /// out for a while.
    private static let aftermath = Duration.minutes(15)

    private let record: RunRecord
    private let asked: AskTruth
    private let places: [Username: Int]
    private let patrol: Duration
    private var dates: [Key: [TruthDueDate]] = [:]
    private(set) var all: [TruthDueDate] = []

    init(_ record: RunRecord, truth: GroundTruth) {
        self.record = record
        asked = AskTruth(record, truth: truth)
        places = Dictionary(truth.people.enumerated().map { ($1, $0) }) { first, _ in first }
        patrol = record.resolved.scenario.notifier.duration("patrolInterval") ?? .minutes(4)
        var states: [ItemReference: [Int]] = [:]
        var order: [ItemReference] = []
        for (index, activity) in record.activities.enumerated() {
            guard let item = activity.item else { continue }
            if activity.due != nil, states[item] == nil { order.append(item) }
            guard activity.due != nil || states[item] != nil && Self.ending.contains(activity.kind) else { continue }
            states[item, default: []].append(index)
        }
        for item in order {
            for person in truth.people {
                let own = dates(of: item, states[item] ?? [], person)
                if !own.isEmpty { dates[Key(person: person, item: item)] = own }
                all += own
            }
        }
    }

    /// After these nobody has to do anything there. A move closes the issue; its successor has the day, too.
    private static let ending: [ActivityKind] = [.deleted]

    /// What the person has to have done on that item over time, in order.
    subscript(item: ItemReference, person: Username) -> [TruthDueDate] { dates[Key(person: person, item: item)] ?? [] }

    private func dates(of item: ItemReference, _ states: [Int], _ person: Username) -> [TruthDueDate] {
        var made: [TruthDueDate] = []
        var isGone = false
        for index in states {
            let activity = record.activities[index]
            isGone = isGone || Self.ending.contains(activity.kind)
            let isOwn = activity.due.map { $0.isOpen && $0.assignees.contains(person) } ?? false
            let date = isOwn && !isGone ? activity.due?.date : nil
            let current = made.last.flatMap { $0.until == nil ? $0.date : nil }
            guard date != current else { continue }
            let readable = max(activity.readableFrom, activity.at)
            if current != nil {
                made[made.count - 1].until = activity.at
                made[made.count - 1].endKnown = known(readable, person)
            }
            guard let date else { continue }
            made.append(
                TruthDueDate(
                    person: person,
                    item: item,
                    date: date,
                    activity: index,
                    from: activity.at,
                    knownBy: known(readable, person)
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
