/// Why an action is not possible: GitLab would refuse it, or nothing would happen. Each answer completes the sentence
/// "At 2h this cannot happen: …".
extension PlannedWorld {
    /// What about the item stands in the way of that kind of action; nil when nothing does.
    func obstacle(to kind: ActionKind, on item: ItemReference) -> String? {
        guard let state = self[item] else { return "\(item) does not exist yet" }
        guard state.isThere else { return "\(item) is gone" }
        guard case .item(let kinds) = kind.target else { return nil }
        guard kinds.contains(state.kind) else { return "\(item) is a \(state.kind.phrase)" }
        switch kind {
        case .reply: return state.commenters.isEmpty && !state.hasOldNotes ? "\(item) has no comment to reply to" : nil
        case .resolveThread: return state.openThreads == 0 ? "\(item) has no open thread" : nil
        case .requireApproval where world.gitlab.edition != .enterprise:
            return "only the Enterprise Edition asks people for their approval"
        case .approve, .push, .requestReview, .requireApproval, .close, .moveIssue:
            return state.state == .opened ? nil : "\(item) is \(state.state.rawValue)"
        case .merge:
            if state.state != .opened { return "\(item) is \(state.state.rawValue)" }
            if state.hasConflicts { return "\(item) has conflicts" }
            return state.isDraft ? "\(item) is a draft" : nil
        case .conflict:
            if state.state != .opened { return "\(item) is \(state.state.rawValue)" }
            return state.hasConflicts ? "\(item) has conflicts already" : nil
        case .setAutoMerge:
            if state.state != .opened { return "\(item) is \(state.state.rawValue)" }
            if state.isAutoMerge { return "\(item) is to be merged automatically already" }
            return state.pipeline == .running ? nil : "no pipeline of \(item) is running"
        case .retryPipeline:
            if state.pipeline == nil { return "\(item) has no pipeline" }
            return state.pipeline == .running ? "the pipeline of \(item) is running" : nil
        case .reopen: return state.state == .closed ? nil : "\(item) is \(state.state.rawValue)"
        case .markDraft:
            if state.isDraft { return "\(item) is a draft already" }
            let isTooLong = "Draft: ".count + state.title.count > PlausibleText.titleLimit
            return isTooLong ? "the title of \(item) is too long to be marked as a draft" : nil
        case .markReady: return state.isDraft ? nil : "\(item) is ready already"
        case .clearDueDate: return state.dueDate == nil ? "\(item) has no due date" : nil
        case .confidentialOn: return state.isConfidential ? "\(item) is confidential already" : nil
        case .confidentialOff: return state.isConfidential ? nil : "\(item) is not confidential"
        default: return nil
        }
    }

    /// Says that the item takes no such number of comments more; nil when it does.
    func lackOfRoom(for action: Action, on item: ItemReference) -> String? {
        guard case .onItem(let change, _, _) = action, let state = self[item], change.newComments > 0 else {
            return nil
        }
        let isRoom = state.commentCount + change.newComments <= Self.commentLimit
        return isRoom ? nil : "\(item) would have more than \(Self.commentLimit) comments"
    }

    /// People's comments that GitLab takes on one item (GitLab facts §8.1).
    static let commentLimit = 5_000

    /// What about the person stands in the way, on an item without obstacle.
    func obstacle(to kind: ActionKind, on item: ItemReference, by person: Username) -> String? {
        guard let state = self[item] else { return "\(item) does not exist yet" }
        guard let role = role(of: person, in: item.project) else { return "\(person) has no access to \(item.project)" }
        if isBlocked(person) { return "\(person) is blocked" }
        if state.kind == .mergeRequest && role < .reporter { return "\(person) is a guest and cannot see \(item)" }
        if state.isConfidential && role < .reporter { return "\(person) cannot see the confidential \(item)" }
        if kind == .deleteItem { return role < .owner ? "only an owner of \(item.project) may delete \(item)" : nil }
        if role < kind.form.leastRole && state.author != person {
            return "\(person) is only \(role.rawValue) of \(item.project)"
        }
        switch kind {
        case .editComment, .deleteComment:
            return state.commenters.contains(person) ? nil : "\(person) has no comment on \(item)"
        case .approve:
            if state.author == person { return "\(person) wrote \(item) and cannot approve it" }
            return state.approvers.contains(person) ? "\(person) has approved \(item) already" : nil
        case .requireApproval:
            return state.author == person ? nil : "GitLab asks in the name of \(state.author), who wrote \(item)"
        case .unapprove: return state.approvers.contains(person) ? nil : "\(person) has not approved \(item)"
        default: return nil
        }
    }

    /// What about the person whose token, account or to-do list it is stands in the way.
    func obstacle(to kind: ActionKind, of person: Username) -> String? {
        switch kind {
        case .unblockAccount: isBlocked(person) ? nil : "\(person) is not blocked"
        case .blockAccount: isBlocked(person) ? "\(person) is blocked already" : nil
        case .todoDone, .todoUndo, .replaceToken, .register: isBlocked(person) ? "\(person) is blocked" : nil
        case .todoSnooze:
            if isBlocked(person) {
                "\(person) is blocked"
            } else {
                hasSnooze ? nil : "nobody can snooze to-dos before GitLab 17.9"
            }
        default: nil
        }
    }

    /// What about the person it is done to stands in the way.
    func obstacle(to kind: ActionKind, on item: ItemReference, user: Username) -> String? {
        guard let state = self[item] else { return "\(item) does not exist yet" }
        guard let role = role(of: user, in: item.project) else { return "\(user) has no access to \(item.project)" }
        let isHidden = state.kind == .mergeRequest || state.isConfidential
        let mustSee = kind == .assign || kind == .requestReview
        if mustSee && isHidden && role < .reporter { return "\(user) is a guest and cannot see \(item)" }
        switch kind {
        case .assign: return state.assignees.contains(user) ? "\(user) is assigned already" : nil
        case .unassign: return state.assignees.contains(user) ? nil : "\(user) is not assigned"
        case .requireApproval:
            if role < .developer {
                return "\(user) is only \(role.rawValue) of \(item.project) and cannot approve \(item)"
            }
            if state.author == user { return "\(user) wrote \(item) and cannot approve it" }
            return state.requiredApprovers.contains(user) ? "\(user) is asked for it already" : nil
        case .requestReview: return state.reviewers.contains(user) ? "\(user) is a reviewer already" : nil
        case .removeReviewRequest: return state.reviewers.contains(user) ? nil : "\(user) is not a reviewer"
        default: return nil
        }
    }

    /// Whether a team would do that, beyond being allowed to: choices left to the seed stay within it.
    func isPlausible(_ kind: ActionKind, on item: ItemReference) -> Bool {
        guard let state = self[item] else { return false }
        switch kind {
        case .reopen: return true
        case .merge: return state.state == .opened && !state.approvers.isEmpty
        default: return state.state == .opened
        }
    }

    /// Whether that person would do it.
    func isPlausible(_ kind: ActionKind, on item: ItemReference, by person: Username) -> Bool {
        guard let state = self[item] else { return false }
        switch kind {
        case .approve, .publishReview, .diffComment: return state.author != person
        case .markDraft, .markReady, .push, .changeTitle: return state.author == person
        default: return true
        }
    }
}

extension ItemAction {
    /// How many comments it adds to its item.
    var newComments: Int {
        switch self {
        case .comment, .reply, .diffComment: 1
        case .publishReview(let count), .importBurst(let count, _): count
        default: 0
        }
    }
}
