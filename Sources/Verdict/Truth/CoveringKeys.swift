import Scenarios

/// The fact keys by which a push payload or feed tells of one activity to one person, in their documented wire form.
struct CoveringKeys: Sendable, Equatable {
    /// Keys that name this activity and nothing else. A second notification with one of them is a duplicate.
    var own: [String]
    /// Keys of an older fact that also tell of this one when the notification was made afterwards: the note of an edit.
    var shared: [String]

    init(own: [String], shared: [String] = []) {
        self.own = own
        self.shared = shared
    }

    /// The keys that would tell `person` of `activity`; for an approval with its key in the list of approvals.
    init(of activity: ActivityRecord, for person: Username, approval: String? = nil) {
        if let signal = activity.signal {
            own = signal.person == person ? [signal.key].compactMap { $0 } : []
            shared = []
            return
        }
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
        if let approval { own.append(approval) }
        guard let note = activity.noteID else { return }
        if !todos.isEmpty || activity.mentions.contains(person) { own.append("mention/\(project)/\(note)") }
        if activity.kind == .editedComment {
            shared.append("note/\(project)/\(note)")
        } else {
            own.append("note/\(project)/\(note)")
        }
    }
}
