import Platform

/// A close, reopen or merge (GitLab facts §10).
struct StateEvent: Sendable {
    let person: Int
    let createdAt: WallTime
    let state: String
    var sourceCommit: String?
    var sourceMergeRequest: Int?
}

/// One label added or removed.
struct LabelEvent: Sendable {
    let person: Int
    let createdAt: WallTime
    let label: Int
    let isAddition: Bool
}

/// A milestone set or removed.
struct MilestoneEvent: Sendable {
    let person: Int
    let createdAt: WallTime
    let milestone: Int
    let isAddition: Bool
    let state: ItemState
}
