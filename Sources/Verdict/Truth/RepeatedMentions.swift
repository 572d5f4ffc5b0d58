import Scenarios

/// Edits that mention somebody anew whom the comment had mentioned before an edit took it out. GitLab makes another to-do item then;
/// the person was notified of that mention already.
struct RepeatedMentions {
    /// By the activity's number.
    private var people: [Int: Set<Username>] = [:]
    /// Whom a later edit names no more, by the activity's number. A to-do item shows what the comment says now, and nothing of what it said.
    private var takenOut: [Int: Set<Username>] = [:]

    init(_ record: RunRecord) {
        takeOut(record)
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

    private mutating func takeOut(_ record: RunRecord) {
        var edits: [Int64: [ActivityRecord]] = [:]
        for activity in record.activities where activity.kind == .editedComment {
            guard let note = activity.noteID else { continue }
            if let text = activity.body?.lowercased() {
                for edit in edits[note, default: []] {
                    let gone = edit.todos.map(\.person).filter { !text.contains("@" + $0.text.lowercased()) }
                    takenOut[edit.number, default: []].formUnion(gone)
                }
            }
            edits[note, default: []].append(activity)
        }
    }

    /// Whether the person's name, which an edit had put in, was taken out again.
    func isTakenOut(of activity: ActivityRecord, for person: Username) -> Bool {
        takenOut[activity.number]?.contains(person) == true
    }

    /// Whether an activity does nothing to a person but to mention them once more.
    func contains(_ activity: ActivityRecord, for person: Username) -> Bool {
        people[activity.number]?.contains(person) == true
    }
}
