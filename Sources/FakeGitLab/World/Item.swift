import Platform

/// One issue or merge request with everything that hangs on it.
struct Item: Sendable {
    let kind: ItemKind
    let id: Int64
    let iid: Int64
    let project: Int
    let author: Int
    let createdAt: WallTime
    var row: Row<ItemFields>
    /// Moves whenever the item's own JSON does.
    var clock = ListClock()
    var notes = Table<Note>()
    var discussions: [Discussion] = []
    var stateEvents = Table<StateEvent>()
    var labelEvents = Table<LabelEvent>()
    var milestoneEvents = Table<MilestoneEvent>()
    var pipelines = Table<Pipeline>()
    /// Explicit subscriptions by index of the person.
    var subscriptions: [Int: Bool] = [:]
    /// Everyone who wrote here or was mentioned here, besides author and assignees; in order of appearance.
    var participants: [Int] = []
    /// Everyone who has a to-do about this item: their lists show it.
    var todoHolders: [Int] = []
    var humanNoteCount = 0
    /// The items whose references this one was told of.
    var mentionedBy: Set<Int> = []

    func reference(in projects: [Project]) -> ItemReference {
        ItemReference(project: projects[project].path, kind: kind, iid: iid)
    }
}

/// Where an item stands.
enum ItemState: String, Sendable {
    case opened, closed, merged, locked
}

/// The changeable part of an item. People are indices.
struct ItemFields: Sendable {
    var title: String
    var description: String?
    var state = ItemState.opened
    var updatedAt: WallTime
    var closedAt: WallTime?
    var closedBy: Int?
    var mergedAt: WallTime?
    var mergedBy: Int?
    var assignees: [Int] = []
    var reviewers: [Int] = []
    /// Indices of labels, ascending.
    var labels: [Int] = []
    var milestone: Int?
    /// Issues only.
    var dueDate: CivilDate?
    var isConfidential = false
    var isDraft = false
    var isImported = false
    var noteCount = 0
    var upvotes = 0
    var downvotes = 0
    var movedTo: Int?
    /// Who armed auto-merge, while the item is open (supplement §4).
    var autoMergeBy: Int?
    var hasConflicts = false
    var sourceBranch = ""
    var targetBranch = "main"
    var sha: String?
    var mergeCommit: String?
    var approvals: [Approval] = []
    /// Whose approval a rule of the merge request asks for (Enterprise Edition).
    var requiredApprovers: [Int] = []
}

/// One person's approval: it has no id (GitLab facts §11.1).
struct Approval: Sendable, Hashable {
    let person: Int
    let at: WallTime
}

/// A pipeline's status (GitLab facts §11.3).
package enum PipelineStatus: String, Sendable, CaseIterable {
    case created
    case waitingForResource = "waiting_for_resource"
    case preparing, pending, running, success, failed, canceling, canceled, skipped, manual, scheduled
}

struct Pipeline: Sendable {
    let iid: Int64
    let sha: String
    let ref: String
    var status: PipelineStatus
    let author: Int
    let createdAt: WallTime
    var updatedAt: WallTime
    /// From 1; a retry runs again under the same id.
    var run: Int64 = 1
}

extension PipelineStatus {
    /// Whether a pipeline stays so until somebody retries it.
    var isFinal: Bool {
        switch self {
        case .success, .failed, .canceled, .skipped: true
        case .created, .waitingForResource, .preparing, .pending, .running, .canceling, .manual, .scheduled: false
        }
    }
}
