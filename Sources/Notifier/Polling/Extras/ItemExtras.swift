import Platform

/// Lists of an item that are no part of its baseline; the names of the store.
enum ExtraList: String, Hashable, Sendable, CaseIterable {
    case approvals, pipelines
    case labelEvents = "label_events"
    case milestoneEvents = "milestone_events"
}

/// What the poller knows of an item's extra lists; read from the store when one is first asked for.
struct ItemExtras {
    /// One of the two lists of changes that come oldest first.
    struct Events {
        var list: PolledList
        var end: ListEnd?
        /// False until the list was read once: what it shows then is known.
        var isRead: Bool
    }

    var labels: Events?
    var milestones: Events?
    var pipelines: PipelineNews?
    var pipelinesMemory: ListMemory?
    var approvals: ApprovalCheck?
    /// When the lists were read last.
    var readAt: MonotonicInstant?
    /// When the approvals are looked at next.
    var approvalsAt: MonotonicInstant?
    /// The last look at the approvals whose outcome was taken over; nil before this process has done so.
    var approvalsLook: ApprovalsLook?

    /// Takes over what a commit has stored.
    mutating func take(_ effect: ListEffect, at now: MonotonicInstant) {
        switch effect {
        case .seenRows(.labelEvents, let ids):
            labels?.list.seen.insert(ids, at: now)
            labels?.isRead = true
        case .seenRows(.milestoneEvents, let ids):
            milestones?.list.seen.insert(ids, at: now)
            milestones?.isRead = true
        case .seenRows: break
        case .pipelines(let known): pipelines = PipelineNews(known: known, isRead: true)
        case .approvals(let known, let look):
            approvals = ApprovalCheck(known: known, isRead: true)
            approvalsLook = look
        }
    }
}

/// What the store learns of an extra list, in the transaction that tells its news.
enum ListEffect: Hashable, Sendable {
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
