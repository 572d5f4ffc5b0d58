extension QuickCommand {
    /// What it does. Throws `OpenChoice` while that is open.
    func action(_ details: ActionDetails) throws -> ItemAction {
        switch self {
        case .approve: .approve
        case .unapprove: .unapprove
        case .close: .close
        case .reopen: .reopen
        case .todo: .addTodo
        case .assign: .assign(try details.user)
        case .unassign: .unassign(try details.user)
        case .requestReview: .requestReview(try details.user)
        case .removeReviewRequest: .removeReviewRequest(try details.user)
        case .addLabel: .addLabel(try details.text)
        case .setDueDate: .setDueDate(try details.due)
        case .clearDueDate: .setDueDate(nil)
        case .markDraft: .markDraft
        case .markReady: .markReady
        }
    }
}
