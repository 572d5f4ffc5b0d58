/// What a comment asks GitLab to do, each in a line of its own (GitLab facts §8.3); in the order of the plan.
enum QuickCommand: String, Sendable, Hashable, CaseIterable {
    case approve, unapprove, close, reopen, todo, assign, unassign
    case requestReview = "request-review"
    case removeReviewRequest = "remove-review-request"
    case addLabel = "add-label"
    case setDueDate = "set-due-date"
    case clearDueDate = "clear-due-date"
    case markDraft = "mark-draft"
    case markReady = "mark-ready"

    /// The action that does the same; nil for what can be done so alone.
    var kind: ActionKind? { ActionKind(rawValue: rawValue) }
}
