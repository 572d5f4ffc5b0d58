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
    /// When what the list of approvals showed was last taken over; nil before this process has done so.
    var approvalsKnownAt: MonotonicInstant?

    /// How long ago an approval that the list shows for the first time can have been given: since the last look, or a day where this
    /// process has not looked before.
    func approvalsLookback(at now: MonotonicInstant) -> Duration {
        min(.hours(24), approvalsKnownAt?.duration(to: now) ?? .hours(24))
    }

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
        case .approvals(let known):
            approvals = ApprovalCheck(known: known, isRead: true)
            approvalsKnownAt = now
        }
    }
}

/// What the store learns of an extra list, in the transaction that tells its news.
enum ListEffect: Hashable, Sendable {
    /// Rows that were dealt with.
    case seenRows(ExtraList, [Int64])
    /// How the pipelines on the page stand; others are forgotten.
    case pipelines([SeenPipeline])
    /// Whose approval is known.
    case approvals([KnownApproval])

    var list: ExtraList {
        switch self {
        case .seenRows(let list, _): list
        case .pipelines: .pipelines
        case .approvals: .approvals
        }
    }
}
