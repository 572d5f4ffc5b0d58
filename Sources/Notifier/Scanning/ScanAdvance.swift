/// Rows that a reading has dealt with: by so much the scan state moves. The store and the poller's memory take one and the same
/// value, the memory once the store has it, so that the two cannot come apart.
struct ScanAdvance: Hashable, Sendable {
    var todos: [Int64] = []
    var notes: [Int64] = []
    var stateEvents: [Int64] = []
    /// What is learnt of the lists that are no part of a watch's baseline.
    var metadataLists: [MetadataListAdvance] = []

    /// True when nothing moves.
    /// Whether a look at the approvals is among it.
    var hasApprovals: Bool {
        metadataLists.contains { advance in
            guard case .approvals = advance else { return false }
            return true
        }
    }

    var isEmpty: Bool { todos.isEmpty && notes.isEmpty && stateEvents.isEmpty && metadataLists.isEmpty }
}

/// By how much the state of one metadata list moves.
enum MetadataListAdvance: Hashable, Sendable {
    /// Rows that were dealt with.
    case seenRows(MetadataList, [Int64])
    /// How the newest pipelines stand; others are forgotten.
    case pipelines([SeenPipeline])
    /// Whose approval is known, as of which look.
    case approvals([KnownApproval], ApprovalsLook)

    var list: MetadataList {
        switch self {
        case .seenRows(let list, _): list
        case .pipelines: .pipelines
        case .approvals: .approvals
        }
    }
}
