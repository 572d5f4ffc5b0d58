import Platform

/// Why nobody waits behind a to-do any more though it is pending: GitLab takes it off nobody's list but theirs who merge, close or ask for less
/// (GitLab facts §6.2).
struct TodoEnding: Hashable, Sendable {
    /// When the item was merged or closed: what was asked by then is over.
    var itemEndedAt: WallTime?
    /// The review was not asked of the person when the merge request was changed last, which was then.
    var withdrawnAt: WallTime?
}

/// What the fields of a to-do mean (GitLab facts §6.1, trap 31).
extension TodoRow {
    /// What happened; GitLab's own word for an action this version does not know.
    var action: Action {
        switch actionName {
        case "mentioned", "directly_addressed": .mentioned
        case "assigned": .assigned
        case "review_requested": .reviewRequested
        case "build_failed": .buildFailed
        case "approval_required": .approvalRequired
        case "unmergeable": .unmergeable
        case "merge_train_removed": .mergeTrainRemoved
        case "ssh_key_expiring_soon": .keyExpiresSoon
        case "ssh_key_expired": .keyExpired
        case "member_access_requested": .accessRequested
        case "review_submitted": .reviewSubmitted
        default: .other(actionName)
        }
    }

    /// True for one whose text begins with the person's name, alone or among other names: that asks them something.
    var isAddressed: Bool { actionName == "directly_addressed" }

    /// The project, from wherever the to-do tells it.
    var projectID: ProjectID? {
        (project?.id ?? target?.projectID).map(ProjectID.init(rawValue:))
    }

    /// The issue or merge request, or nil for anything else. A work item shares its numbers with the issues.
    var item: ItemReference? {
        guard let projectID, let iid = target?.iid, iid > 0 else { return nil }
        switch targetType {
        case "MergeRequest": return ItemReference(project: projectID, kind: .mergeRequest, iid: iid)
        case "Issue", "WorkItem": return ItemReference(project: projectID, kind: .issue, iid: iid)
        default: return nil
        }
    }

    /// The comment that caused the to-do: the end of its address is the only link (trap 11).
    var noteID: Int64? {
        guard let fragment = targetURL?.split(separator: "#", maxSplits: 1).last, fragment.hasPrefix("note_") else {
            return nil
        }
        return Int64(fragment.dropFirst(5).prefix { $0.isNumber })
    }

    /// What its target shows of why nobody waits any more; nil where somebody may.
    func ending(for person: Int64) -> TodoEnding? {
        guard item != nil, let target else { return nil }
        let isReviewer = target.reviewers.map { $0.contains(person) } ?? true
        let isWithdrawn = action == .reviewRequested && !isReviewer
        let ending = TodoEnding(itemEndedAt: target.endedAt, withdrawnAt: isWithdrawn ? target.updatedAt : nil)
        return ending == TodoEnding() ? nil : ending
    }

    /// False for actions that nobody took: GitLab writes the author of the merge request, or the receiver, as the author
    /// of such a to-do, so it is never somebody's own doing.
    var hasActor: Bool { !action.isNobodys }

    /// Who did it, or whose merge request it is that needs an approval; nil where GitLab writes the receiver.
    var actor: UserRow? { hasActor || action == .approvalRequired ? author : nil }
}
