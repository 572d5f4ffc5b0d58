import Configuration
import Platform

/// What the poller knows of an item's metadata lists; read from the store when one is first asked for.
struct ItemMetadata {
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

    /// Moves the state of one list; the store has it.
    mutating func take(_ advance: MetadataListAdvance, at now: MonotonicInstant) {
        switch advance {
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

    /// Whether a list that the person wants is due though no sweep points to its item: what is looked for leaves no trace there.
    func areDue(
        _ wanted: Set<ActivityKind>,
        of kind: ItemKind,
        by due: DuePolicy,
        at now: MonotonicInstant
    ) -> Bool {
        let isMergeRequest = kind == .mergeRequest
        let readsLists =
            wanted.contains(.labels) || wanted.contains(.milestones) || (isMergeRequest && wanted.contains(.pipelines))
        if readsLists, due.isPaceOver(since: readAt, at: now) { return true }
        guard isMergeRequest, wanted.contains(.approvals), let approvalsAt else { return false }
        return now >= approvalsAt
    }
}
