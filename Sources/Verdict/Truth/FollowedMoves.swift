import Scenarios

/// The entries of watch lists that the notifier makes because a watched issue was moved to another project. What is written there from
/// the move on is theirs as if they had asked for it.
struct FollowedMoves {
    private(set) var records: [WatchRecord] = []
    /// Entries that began by themselves, for a tag.
    private let tagged: [WatchRecord]

    /// `deadline` tells by when an activity had to be found.
    init(
        _ record: RunRecord,
        besides tagged: [WatchRecord],
        people: [Username],
        deadline: (ActivityRecord, Username) -> Duration
    ) {
        self.tagged = tagged
        let world = record.resolved.scenario.world
        for activity in record.activities {
            guard let item = activity.item, let successor = activity.successor else { continue }
            for person in people where world.hasMember(person, of: successor.project) {
                follow(activity, from: item, to: successor, for: person, record, deadline(activity, person))
            }
        }
    }

    /// A move is followed when the entry that was there stood until it had to be found; one that changed meanwhile leaves it open, and so does
    /// a watch list that may have been full.
    private mutating func follow(
        _ activity: ActivityRecord,
        from item: ItemReference,
        to successor: ItemReference,
        for person: Username,
        _ record: RunRecord,
        _ deadline: Duration
    ) {
        let history = WatchHistory((record.watches + records).filter { $0.person == person && $0.item == item })
        let before = history.state(of: item, for: person, at: activity.at)
        guard before == .watched || before == .changing else { return }
        let isCertain =
            before == .watched && history.state(of: item, for: person, at: deadline) == .watched
            && hasRoom(for: successor, person, record)
        let activeFrom = isCertain ? activity.at : .seconds(Int64.max / 2)
        var watch = WatchRecord(person: person, item: successor, requestedAt: activity.at, activeFrom: activeFrom)
        watch.endWithDismissal(record)
        records.append(watch)
    }

    /// Whether the person's list had room for one more whatever they watched when.
    private func hasRoom(for successor: ItemReference, _ person: Username, _ record: RunRecord) -> Bool {
        let entries = (record.watches + tagged + records).filter { $0.person == person && $0.item != successor }
        return Set(entries.map(\.item)).count < record.resolved.scenario.notifier.watchLimit
    }
}

extension World {
    fileprivate func hasMember(_ person: Username, of path: ProjectPath) -> Bool {
        project(path)?.members.contains { $0.username == person } ?? false
    }
}
