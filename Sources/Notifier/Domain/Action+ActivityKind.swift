import Configuration

extension Action {
    /// What a person must have switched on to hear of it; nil for what is addressed to them.
    var kind: ActivityKind? {
        switch self {
        case .commented: .comments
        case .approved, .unapproved: .approvals
        case .pushed: .pushes
        case .merged, .closed, .reopened: .states
        case .assigneesChanged: .assignees
        case .reviewersChanged: .reviewers
        case .labelsChanged: .labels
        case .milestoneChanged: .milestones
        case .pipelineSucceeded, .pipelineFailed: .pipelines
        case .mentioned, .assigned, .reviewRequested, .buildFailed, .approvalRequired, .unmergeable, .other: nil
        }
    }
}
