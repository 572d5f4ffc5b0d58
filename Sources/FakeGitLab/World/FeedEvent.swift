import Platform

/// One row of the activity feed (GitLab facts §12).
struct FeedEvent: Sendable {
    /// What happened; the stored name is the `action` filter's, the printed one is for people.
    enum Action: String, Sendable, CaseIterable {
        case created, updated, closed, reopened, pushed, commented, merged, joined, left, destroyed, expired, approved
    }

    enum Target: Sendable {
        case item(Int)
        case note(item: Int, id: Int64, type: NoteType)
        case push(branch: String, from: String, to: String, commits: Int, title: String)
        case membership
    }

    let action: Action
    let author: Int
    let project: Int
    let createdAt: WallTime
    let target: Target
    var title: String?
    var isImported = false
}
