import Configuration

extension Action {
    /// True for what programs say.
    var isSignal: Bool {
        switch self {
        case .approvalNeeded, .runCompleted, .runFailed: true
        default: false
        }
    }

    /// True for what makes the number of what is unread greater: not how a run ended, nor that a turn is near.
    var isUnread: Bool { self != .dutyReminder && (!isSignal || wantsAttention) }

    /// True for what is about no item, so that each has a title of its own.
    var standsAlone: Bool {
        switch self {
        case .dutyTurn, .dutyDone, .dutySkipped, .dutyReminder, .dutyDue: true
        default: isSignal
        }
    }

    /// True for what nobody did, so that no name stands before it.
    var isNobodys: Bool {
        switch self {
        case .buildFailed, .approvalRequired, .unmergeable, .mergeTrainRemoved, .keyExpiresSoon, .keyExpired,
            .pipelineSucceeded, .pipelineFailed:
            true
        default: false
        }
    }

    /// What a person must have switched on to hear of it; nil for what is addressed to them.
    var kind: ActivityKind? {
        switch self {
        case .commented: .comments
        case .approved, .unapproved, .changesRequested: .approvals
        case .pushed: .pushes
        case .merged, .closed, .reopened: .states
        case .assigneesChanged: .assignees
        case .reviewersChanged: .reviewers
        case .labelsChanged: .labels
        case .milestoneChanged: .milestones
        case .pipelineSucceeded, .pipelineFailed: .pipelines
        case .mentioned, .assigned, .reviewRequested, .buildFailed, .approvalRequired, .unmergeable, .mergeTrainRemoved,
            .keyExpiresSoon, .keyExpired, .accessRequested, .reviewSubmitted, .other:
            nil
        // Who gave a program a token wants to hear it.
        case .approvalNeeded, .runCompleted, .runFailed: nil
        // Who takes part wants to hear of it.
        case .dutyTurn, .dutyDone, .dutySkipped, .dutyReminder, .dutyDue: nil
        }
    }
}
