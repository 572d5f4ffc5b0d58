/// What an action is called in payloads, and how a title says it.
extension Action {
    /// The payload's `actionType`; codes never change meaning. GitLab's own word for actions this program does not know.
    var code: String {
        switch self {
        case .commented: "commented"
        case .mentioned: "mentioned"
        case .assigned: "assigned"
        case .reviewRequested: "review_requested"
        case .approved: "approved"
        case .unapproved: "unapproved"
        case .merged: "merged"
        case .closed: "closed"
        case .reopened: "reopened"
        case .pushed: "pushed"
        case .buildFailed: "build_failed"
        case .approvalRequired: "approval_required"
        case .unmergeable: "unmergeable"
        case .mergeTrainRemoved: "merge_train_removed"
        case .keyExpiresSoon: "ssh_key_expiring_soon"
        case .keyExpired: "ssh_key_expired"
        case .accessRequested: "member_access_requested"
        case .reviewSubmitted: "review_submitted"
        case .changesRequested: "changes_requested"
        case .assigneesChanged: "assignees_changed"
        case .reviewersChanged: "reviewers_changed"
        case .labelsChanged: "labels_changed"
        case .milestoneChanged: "milestone_changed"
        case .pipelineSucceeded: "pipeline_succeeded"
        case .pipelineFailed: "pipeline_failed"
        case .approvalNeeded: "approval_needed"
        case .runCompleted: "run_completed"
        case .runFailed: "run_failed"
        case .dutyTurn: "duty_turn"
        case .dutyDone: "duty_done"
        case .dutySkipped: "duty_skipped"
        case .dutyReminder: "duty_reminder"
        case .dutyDue: "duty_due"
        case .other(let word): word
        }
    }

    /// Those that this program knows by name.
    static let known: [Action] = [
        .commented, .mentioned, .assigned, .reviewRequested, .approved, .unapproved, .merged, .closed, .reopened,
        .pushed, .buildFailed, .approvalRequired, .unmergeable, .assigneesChanged, .reviewersChanged, .labelsChanged,
        .milestoneChanged, .pipelineSucceeded, .pipelineFailed, .approvalNeeded, .runCompleted, .runFailed,
        .dutyTurn, .dutyDone, .dutySkipped, .dutyReminder, .dutyDue,
        .mergeTrainRemoved, .keyExpiresSoon, .keyExpired, .accessRequested, .reviewSubmitted,
        .changesRequested,
    ]

    /// The action with that code.
    init(code: String) {
        self = Self.known.first { $0.code == code } ?? .other(code)
    }

    /// True when the person is asked to do something, so that the push may break through a summary.
    var wantsAttention: Bool {
        switch self {
        case .mentioned, .assigned, .reviewRequested, .approvalRequired, .approvalNeeded, .dutyDue: true
        default: false
        }
    }

    /// The title for one fact: who did what to which item.
    func title(actor: String, item: String) -> String {
        switch self {
        case .commented: "\(actor) commented on \(item)"
        case .mentioned: "\(actor) mentioned you on \(item)"
        case .assigned: "\(actor) assigned you to \(item)"
        case .reviewRequested: "\(actor) requested your review on \(item)"
        case .approved: "\(actor) approved \(item)"
        case .unapproved: "\(actor) withdrew their approval of \(item)"
        case .merged: "\(actor) merged \(item)"
        case .closed: "\(actor) closed \(item)"
        case .reopened: "\(actor) reopened \(item)"
        case .pushed: "\(actor) pushed to \(item)"
        case .buildFailed: "The pipeline of \(item) failed"
        case .approvalRequired: "\(item) needs your approval"
        case .unmergeable: "\(item) cannot be merged"
        case .mergeTrainRemoved: "\(item) was removed from the merge train"
        case .keyExpiresSoon: "Your SSH key expires soon"
        case .keyExpired: "Your SSH key has expired"
        case .accessRequested: "\(actor) asks for access to \(item)"
        case .reviewSubmitted: "\(actor) reviewed \(item)"
        case .changesRequested: "\(actor) requested changes on \(item)"
        case .assigneesChanged: "\(actor) changed the assignees of \(item)"
        case .reviewersChanged: "\(actor) changed the reviewers of \(item)"
        case .labelsChanged: "\(actor) changed the labels of \(item)"
        case .milestoneChanged: "\(actor) changed the milestone of \(item)"
        case .pipelineSucceeded: "The pipeline of \(item) succeeded"
        case .pipelineFailed: "The pipeline of \(item) failed"
        case .approvalNeeded: "Approval needed"
        case .runCompleted: "Run completed"
        case .runFailed: "Run failed"
        case .dutyTurn: "Your turn: \(item)"
        case .dutyDone: "\(actor) has done it: \(item)"
        case .dutySkipped: "\(actor) left it out: \(item)"
        case .dutyReminder: "Don't forget: \(item)"
        case .dutyDue: "\(item) is due"
        case .other: "\(actor) updated \(item)"
        }
    }

    /// What a line of a batch says behind the actor's name when the fact has no text of its own.
    var verb: String {
        switch self {
        case .commented: "commented"
        case .mentioned: "mentioned you"
        case .assigned: "assigned you"
        case .reviewRequested: "requested your review"
        case .approved: "approved"
        case .unapproved: "withdrew their approval"
        case .merged: "merged"
        case .closed: "closed"
        case .reopened: "reopened"
        case .pushed: "pushed"
        case .buildFailed: "pipeline failed"
        case .approvalRequired: "approval needed"
        case .unmergeable: "cannot be merged"
        case .mergeTrainRemoved: "removed from the merge train"
        case .keyExpiresSoon: "SSH key expires soon"
        case .keyExpired: "SSH key has expired"
        case .accessRequested: "asks for access"
        case .reviewSubmitted: "reviewed"
        case .changesRequested: "requested changes"
        case .assigneesChanged: "changed assignees"
        case .reviewersChanged: "changed reviewers"
        case .labelsChanged: "changed labels"
        case .milestoneChanged: "changed the milestone"
        case .pipelineSucceeded: "pipeline succeeded"
        case .pipelineFailed: "pipeline failed"
        case .approvalNeeded: "approval needed"
        case .runCompleted: "run completed"
        case .runFailed: "run failed"
        case .dutyTurn: "your turn"
        case .dutyDone: "done"
        case .dutySkipped: "left out"
        case .dutyReminder: "your turn is near"
        case .dutyDue: "due"
        case .other: "updated"
        }
    }

    /// The kind's name in a title that counts: `1 comment`, `3 comments`, `merged`.
    func counted(_ count: Int) -> String {
        switch self {
        case .commented: Self.plural(count, "comment")
        case .mentioned: Self.plural(count, "mention")
        case .assigned: Self.plural(count, "assignment")
        case .reviewRequested: Self.plural(count, "review request")
        case .approved: Self.plural(count, "approval")
        case .unapproved: Self.plural(count, "withdrawn approval")
        case .pushed: Self.plural(count, "push", "pushes")
        case .buildFailed, .pipelineFailed: Self.plural(count, "failed pipeline")
        case .pipelineSucceeded: Self.plural(count, "successful pipeline")
        case .assigneesChanged: Self.plural(count, "change of assignees", "changes of assignees")
        case .reviewersChanged: Self.plural(count, "change of reviewers", "changes of reviewers")
        case .labelsChanged: Self.plural(count, "change of labels", "changes of labels")
        case .milestoneChanged: Self.plural(count, "change of milestone", "changes of milestone")
        case .merged, .closed, .reopened, .approvalNeeded, .runCompleted, .runFailed, .dutyTurn, .dutyDone,
            .dutySkipped, .dutyReminder, .dutyDue:
            count == 1 ? verb : "\(verb) \(count) times"
        case .approvalRequired, .unmergeable, .mergeTrainRemoved, .keyExpiresSoon, .keyExpired: verb
        case .accessRequested: Self.plural(count, "access request")
        case .reviewSubmitted: Self.plural(count, "review")
        case .changesRequested: Self.plural(count, "request for changes", "requests for changes")
        case .other: Self.plural(count, "update")
        }
    }

    /// What happened how often, in the order in which it came: what is called the same is counted together.
    static func tally(_ actions: [Action]) -> [(action: Action, count: Int)] {
        var kinds: [(action: Action, count: Int)] = []
        for action in actions {
            if let index = kinds.firstIndex(where: { $0.action.counted(1) == action.counted(1) }) {
                kinds[index].count += 1
            } else {
                kinds.append((action, 1))
            }
        }
        return kinds
    }

    private static func plural(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) " + (count == 1 ? one : many ?? one + "s")
    }
}

extension ItemReference {
    /// The item as a title names it: `MR !847`, `issue #234`.
    var titleText: String {
        (kind == .mergeRequest ? "MR " : "issue ") + String(kind.sigil) + String(iid)
    }
}
