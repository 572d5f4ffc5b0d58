import Scenarios

/// Edits that mention somebody anew whom the comment had mentioned before an edit took it out. GitLab makes another to-do item then;
/// the person was notified of that mention already.
struct RepeatedMentions {
    /// By the activity's number.
    private var people: [Int: Set<Username>] = [:]

    init(_ record: RunRecord) {
        var mentioned: [Int64: Set<Username>] = [:]
        for activity in record.activities {
            guard let note = activity.noteID else { continue }
            let now = Set(activity.mentions + activity.todos.map(\.person))
            guard !now.isEmpty else { continue }
            let before = mentioned[note, default: []]
            if activity.kind == .editedComment, !before.isDisjoint(with: now) {
                people[activity.number] = before.intersection(now)
            }
            mentioned[note] = before.union(now)
        }
    }

    /// Whether an activity does nothing to a person but to mention them once more.
    func contains(_ activity: ActivityRecord, for person: Username) -> Bool {
        people[activity.number]?.contains(person) == true
    }
}
