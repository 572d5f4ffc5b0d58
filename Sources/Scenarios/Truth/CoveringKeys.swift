/// The fact keys by which a push payload or feed tells of one activity to one person, in their documented wire form.
package struct CoveringKeys: Sendable, Equatable {
    /// Keys that name this activity and nothing else. A second notification with one of them is a duplicate.
    package var own: [String]
    /// Keys of an older fact that also tell of this one when the notification was made afterwards: the note of an edit.
    package var shared: [String]

    package init(own: [String], shared: [String] = []) {
        self.own = own
        self.shared = shared
    }

    /// The keys that would tell `person` of `activity`.
    package init(of activity: ActivityRecord, for person: Username) {
        let todos = activity.todos.filter { $0.person == person }
        own = todos.map { "todo/\($0.id)" }
        shared = []
        guard let project = activity.projectID else { return }
        if let event = activity.stateEventID { own.append("state/\(project)/\(event)") }
        if let event = activity.eventID { own.append("event/\(project)/\(event)") }
        own += activity.labelEventIDs.map { "label/\(project)/\($0)" }
        own += activity.milestoneEventIDs.map { "milestone/\(project)/\($0)" }
        if let pipeline = activity.pipelineID, let status = activity.pipelineStatus {
            own.append("pipeline/\(project)/\(pipeline)/\(status)/\(activity.pipelineRun)")
        }
        if activity.kind == .approved, let item = activity.item, let actor = activity.actorID {
            own.append("approval/\(project)/\(item.iid)/\(actor)")
        }
        guard let note = activity.noteID else { return }
        if !todos.isEmpty || activity.mentions.contains(person) { own.append("mention/\(project)/\(note)") }
        if activity.kind == .editedComment {
            shared.append("note/\(project)/\(note)")
        } else {
            own.append("note/\(project)/\(note)")
        }
    }

    /// The key by which a told fact is looked up. How often a person had approved as far as the list of approvals shows, the
    /// deeds do not know; so that number is left out.
    static func canonical(_ key: String) -> String {
        guard key.hasPrefix("approval/"), let end = key.lastIndex(of: "/") else { return key }
        return String(key[..<end])
    }
}
