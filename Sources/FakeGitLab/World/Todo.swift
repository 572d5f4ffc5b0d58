import Platform

/// Why a to-do exists; the raw value is `action_name` (GitLab facts §6.1).
package enum TodoAction: String, Sendable, CaseIterable {
    case assigned, mentioned
    case buildFailed = "build_failed"
    case marked
    case approvalRequired = "approval_required"
    case unmergeable
    case directlyAddressed = "directly_addressed"
    case mergeTrainRemoved = "merge_train_removed"
    case reviewRequested = "review_requested"
    case memberAccessRequested = "member_access_requested"
    case reviewSubmitted = "review_submitted"
    case sshKeyExpired = "ssh_key_expired"
    case sshKeyExpiringSoon = "ssh_key_expiring_soon"

    /// From 17.8 on these are created anew each time (GitLab facts §6.2).
    var repeats: Bool {
        self == .mentioned || self == .directlyAddressed || self == .memberAccessRequested
    }
}

/// What a to-do is about when it is no issue or merge request (GitLab facts §6.1, trap 31).
package enum OtherTodoTarget: Sendable, Hashable {
    /// A commit: `target.id` is a string, and there is no iid.
    case commit(project: String, sha: String, title: String)
    /// An SSH key: neither project nor iid.
    case key(title: String)
    /// A project, for access requests: no iid.
    case project(String)
    /// A group, for access requests: the key `group` instead of `project`.
    case group(String)
    /// A task or another work item.
    case workItem(project: String, iid: Int64, title: String)
    /// A design attached to an issue.
    case design(project: String, filename: String)
}

enum TodoTarget: Sendable, Hashable {
    case item(Int)
    case other(OtherTodoTarget)
}

/// One to-do of one person.
struct Todo: Sendable {
    let author: Int
    let action: TodoAction
    let target: TodoTarget
    let project: Int?
    let note: Int64?
    var body: String
    var isDone = false
    let createdAt: WallTime
    var updatedAt: WallTime
    var snoozedUntil: WallTime?

    func isPending(at instant: WallTime) -> Bool {
        !isDone && (snoozedUntil.map { $0 <= instant } ?? true)
    }
}
