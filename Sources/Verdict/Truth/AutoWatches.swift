import Scenarios

/// The entries of watch lists that the notifier makes because somebody was tagged, as far as people's choices and the deeds on GitLab
/// tell: nobody asked for them, so nobody was answered.
struct AutoWatches {
    /// As what is written on the item is told: from the tag on, however late the notifier finds it.
    private(set) var records: [WatchRecord] = []
    /// As what only the lists tell that are no part of a watch's beginning: what these show first may count as older than the watch.
    private(set) var forLateLists: [WatchRecord] = []

    /// What is written so soon after the tag may count as there before, since a to-do item may be made a little later than what it is about.
    /// After the tag is found the notifier has as long to read what the item holds already.
    private static let baselineMargin = Duration.seconds(120)

    /// `deadline` tells by when an activity had to be found.
    init(
        _ record: RunRecord,
        people: [Username],
        preferences: Preferences,
        todos: TodoResolutions,
        clock: GitLabClock,
        deadline: (ActivityRecord, Username) -> Duration
    ) {
        for activity in record.activities {
            guard let item = activity.item else { continue }
            for person in people {
                let deadline = deadline(activity, person)
                let standing = preferences.isAutoWatched(activity, for: person, until: deadline)
                guard standing != .off else { continue }
                let silence = preferences.silence(
                    activity,
                    for: person,
                    readable: activity.at,
                    deadline: deadline,
                    last: deadline
                )
                if case .silenced = silence { continue }
                var isCertain = standing == .on
                if case .unclear = silence { isCertain = false }
                // Only the to-do item tells of the tag: who answers before a poll may never be seen to have been tagged.
                if let resolved = todos.resolution(of: activity, for: person), resolved < deadline { isCertain = false }
                if todos.restoration(of: activity, for: person) != nil { isCertain = false }
                let settled = deadline + Self.baselineMargin
                let listsFrom = isCertain ? settled : .seconds(Int64.max / 2)
                var watch = WatchRecord(person: person, item: item, requestedAt: activity.at, activeFrom: listsFrom)
                watch.endWithDismissal(record)
                forLateLists.append(watch)
                // A watch that they ask for meanwhile begins with the request, and by a clock that is set back what is new seems old.
                let hasOwn = record.watches.contains {
                    $0.person == person && $0.item == item && $0.activeFrom >= activity.at && $0.requestedAt <= settled
                }
                if isCertain, !hasOwn, clock.isSteady(from: activity.at, until: settled) {
                    watch.activeFrom = activity.at + Self.baselineMargin
                }
                records.append(watch)
            }
        }
    }
}

extension WatchRecord {
    /// Dismissing the item ends the watch, too, and so does taking it off the list.
    mutating func endWithDismissal(_ record: RunRecord) {
        let dismissal = record.preferences.first { entry in
            entry.person == person && [.dismissed(item), .unwatched(item)].contains(entry.choice)
                && entry.answeredAt > requestedAt
        }
        guard let dismissal else { return }
        endRequestedAt = max(dismissal.requestedAt, requestedAt)
        // By a clock that is behind it may have been chosen before the tag, which then stands.
        let isCertain = dismissal.requestedAt <= dismissal.datedAt
        endedAt = isCertain ? dismissal.answeredAt : .seconds(Int64.max / 2)
    }
}
