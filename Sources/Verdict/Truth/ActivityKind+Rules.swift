import Scenarios

extension ActivityKind {
    /// What people who watch the item must have switched on to be notified of it, by the name of the setting. Nil for what reaches
    /// a person through a to-do item only.
    var setting: String? {
        switch self {
        case .comment, .reply, .diffComment, .reviewComment, .imported: "comments"
        case .approved, .unapproved: "approvals"
        case .pushed: "pushes"
        case .merged, .closed, .reopened: "states"
        case .assigned, .unassigned: "assignees"
        case .reviewRequested, .reviewRequestRemoved: "reviewers"
        case .labelled: "labels"
        case .milestoneSet: "milestones"
        case .pipelineFinished: "pipelines"
        case .approvalRequired, .editedComment, .deletedComment, .reaction, .threadResolved, .dueDateChanged,
            .titleChanged, .markedDraft, .markedReady,
            .confidentialityChanged, .moved, .deleted, .opened, .crossReference, .autoMergeSet, .unmergeable, .other,
            .signal:
            nil
        }
    }

    /// Whether whoever does it has dealt with what is asked of them on the item, whatever becomes of their to-do items.
    var dealsWithAsks: Bool {
        [.comment, .reply, .diffComment, .reviewComment, .approved, .merged, .closed].contains(self)
    }

    /// The row of the latency table it belongs to.
    var group: ActivityGroup {
        switch self {
        case .comment, .reply, .diffComment, .reviewComment, .editedComment, .imported: .comment
        case .approved, .unapproved: .approval
        case .pushed: .push
        case .merged, .closed, .reopened: .state
        case .signal: .signal
        default: .todo
        }
    }
}

extension ActivityRecord {
    /// Whether its note asks that person for a review. A pending to-do item stands in the way of another one, before 17.8 any, later one of the same
    /// kind (GitLab facts §6.2), and the note alone says so then.
    func asksForReview(of person: Username) -> Bool {
        guard kind == .reviewRequested, let body else { return false }
        return body.split { $0 == " " || $0 == "," }.contains { $0 == "@\(person.text)" }
    }
}

/// Rows of the latency table: activities that reach people by the same way.
enum ActivityGroup: String, Sendable, CaseIterable, Codable {
    case comment, approval, push, state, todo, signal
}
