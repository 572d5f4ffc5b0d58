/// Rows that a reading has dealt with: by so much the scan state moves. The store and the poller's memory take one and the same
/// value, the memory once the store has it, so that the two cannot come apart.
struct ScanAdvance: Hashable, Sendable {
    var todos: [Int64] = []
    var notes: [Int64] = []
    var stateEvents: [Int64] = []
    /// What is learnt of the lists that are no part of a watch's baseline.
    var extras: [ExtraListAdvance] = []

    /// True when nothing moves.
    var isEmpty: Bool { todos.isEmpty && notes.isEmpty && stateEvents.isEmpty && extras.isEmpty }
}

/// By how much the state of one extra list moves.
enum ExtraListAdvance: Hashable, Sendable {
    /// Rows that were dealt with.
    case seenRows(ExtraList, [Int64])
    /// How the pipelines on the page stand; others are forgotten.
    case pipelines([SeenPipeline])
    /// Whose approval is known, as of which look.
    case approvals([KnownApproval], ApprovalsLook)

    var list: ExtraList {
        switch self {
        case .seenRows(let list, _): list
        case .pipelines: .pipelines
        case .approvals: .approvals
        }
    }
}
