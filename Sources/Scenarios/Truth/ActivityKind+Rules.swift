extension ActivityRecord.Kind {
    /// Whether people who watch the item are told of it. Everything else reaches a person through a to-do item only.
    package var countsForWatchers: Bool {
        switch self {
        case .comment, .reply, .diffComment, .reviewComment, .imported, .approved, .unapproved, .pushed, .merged,
            .closed,
            .reopened:
            true
        case .editedComment, .deletedComment, .reaction, .threadResolved, .assigned, .unassigned, .reviewRequested,
            .reviewRequestRemoved, .labelled, .milestoneSet, .titleChanged, .markedDraft, .markedReady,
            .confidentialityChanged, .moved, .deleted, .opened, .pipelineFinished, .crossReference, .other:
            false
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
        case .pipeline: [.pipelineFinished]
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
            .replaceToken, .register, .watch, .unwatch, .mute, .unmute, .denyActor, .allowActor, .setQuietHours,
            .clearQuietHours, .openApp, .deviceOffline, .deviceOnline, .deviceReplace,
            .appRemove, .notificationsOff, .notificationsOn:
            []
        }
    }
}

/// Rows of the latency table: activities that reach people by the same way.
package enum ActivityGroup: String, Sendable, CaseIterable, Codable {
    case comment, approval, push, state, todo
}
