package import Scenarios

extension ActivityRecord.Kind {
    /// What people who watch the item must have switched on to be told of it, by the name of the setting. Nil for what reaches
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
        case .editedComment, .deletedComment, .reaction, .threadResolved, .titleChanged, .markedDraft, .markedReady,
            .confidentialityChanged, .moved, .deleted, .opened, .crossReference, .autoMergeSet, .unmergeable, .other:
            nil
        }
    }

    /// Whether doing it resolves the actor's own to-do items on the item (GitLab facts §6.2).
    package var resolvesOwnTodos: Bool {
        switch self {
        case .comment, .reply, .diffComment, .reviewComment, .reaction, .approved, .pushed, .merged, .closed, .assigned,
            .unassigned, .labelled, .milestoneSet, .titleChanged:
            true
        default:
            false
        }
    }

    /// The row of the latency table it belongs to.
    package var group: ActivityGroup {
        switch self {
        case .comment, .reply, .diffComment, .reviewComment, .editedComment, .imported: .comment
        case .approved, .unapproved: .approval
        case .pushed: .push
        case .merged, .closed, .reopened: .state
        default: .todo
        }
    }

    /// The kinds of activity an action of the scenario format leads to.
    package static func kinds(of action: ActionKind) -> [ActivityRecord.Kind] {
        switch action {
        case .comment: [.comment]
        case .reply: [.reply]
        case .diffComment: [.diffComment]
        case .editComment: [.editedComment]
        case .deleteComment: [.deletedComment]
        case .react: [.reaction]
        case .publishReview: [.reviewComment]
        case .resolveThread: [.threadResolved]
        case .approve: [.approved]
        case .unapprove: [.unapproved]
        case .push: [.pushed]
        case .merge: [.merged]
        case .close: [.closed]
        case .reopen: [.reopened]
        case .pipeline, .retryPipeline: [.pipelineFinished]
        case .setAutoMerge: [.autoMergeSet]
        case .conflict: [.unmergeable]
        case .mentionOnCommit: [.other]
        case .assign: [.assigned]
        case .unassign: [.unassigned]
        case .requestReview: [.reviewRequested]
        case .removeReviewRequest: [.reviewRequestRemoved]
        case .addLabel: [.labelled]
        case .setMilestone: [.milestoneSet]
        case .changeTitle: [.titleChanged]
        case .markDraft: [.markedDraft]
        case .markReady: [.markedReady]
        case .confidentialOn, .confidentialOff: [.confidentialityChanged]
        case .moveIssue: [.moved]
        case .deleteItem: [.deleted]
        case .importBurst: [.imported]
        case .openMergeRequest, .openIssue: [.opened]
        case .todoDone, .todoSnooze, .todoUndo, .loseAccess, .regainAccess, .rotateToken, .revokeToken, .expireToken,
            .replaceToken, .blockAccount, .unblockAccount, .register, .watch, .unwatch, .mute, .unmute, .denyActor,
            .allowActor, .setQuietHours,
            .clearQuietHours, .autoWatchOn, .autoWatchOff, .tapWatch, .tapDismiss, .undismiss, .openApp, .deviceOffline,
            .deviceOnline, .deviceReplace,
            .pairDevice, .removeDevice, .appRemove, .notificationsOff, .notificationsOn:
            []
        }
    }
}

/// Rows of the latency table: activities that reach people by the same way.
package enum ActivityGroup: String, Sendable, CaseIterable, Codable {
    case comment, approval, push, state, todo
}
