import Configuration
import Platform

/// What the poller knows of an item's metadata lists; read from the store when one is first asked for.
struct ItemMetadata {
    /// One of the two lists of changes that come oldest first.
    struct Events {
        var list: PolledList
        /// Where the last page began of what the store has.
        var end: ListEnd?
        /// Where it began when the list was read last, once the store has what was found there.
        var endAfterwards: ListEnd?
        /// False until the list was read once.
        var isRead: Bool

        /// The store has these rows, and so all that the list showed when it was read last.
        fileprivate mutating func take(_ ids: [Int64], at now: MonotonicInstant) {
            list.seen.insert(ids, at: now)
            isRead = true
            end = endAfterwards
        }
    }

    var labels: Events?
    var milestones: Events?
    var pipelines: PipelineNews?
    var pipelinesMemory: ListMemory?
    var approvals: ApprovalCheck?
    /// When the lists were read last; nil where they are due.
    private(set) var readAt: MonotonicInstant?
    /// Those that a limit has held back, in the order in which they are asked for next.
    private(set) var owed: [MetadataList] = []
    /// Whether GitLab has answered about one of those that were asked for last.
    private(set) var isAnswered = false
    /// When the approvals are looked at next.
    var approvalsAt: MonotonicInstant?
    /// When what is known of the approvals was read from the store.
    var approvalsLoadedAt: MonotonicInstant?
    /// What notes have told of them since the last look, the newest last.
    private(set) var toldApprovals: [ToldApproval] = []
    /// The last look at the approvals whose outcome was taken over; nil before this process has done so.
    var approvalsLook: ApprovalsLook?

    /// More are not worth keeping: a look tells all of them.
    private static let toldLimit = 50

    /// As of when what is known of the approvals holds; what others see after that says whether it still does.
    var approvalsSince: MonotonicInstant? { approvalsLook?.at ?? approvalsLoadedAt }

    /// Begins a reading of those that are `wanted`; returns them in their order. Behind others, what comes last would be held back in every round
    /// of a limit that lets through one request: what is owed comes first, and alone where the item is read for these lists alone.
    mutating func begin(_ wanted: [MetadataList], isForThemAlone: Bool, at now: MonotonicInstant) -> [MetadataList] {
        let first = owed.filter { wanted.contains($0) }
        (owed, readAt, isAnswered) = ([], now, false)
        guard first.isEmpty || !isForThemAlone else { return first }
        return first + wanted.filter { !first.contains($0) }
    }

    /// GitLab has answered about one.
    mutating func noteAnswer() {
        isAnswered = true
    }

    /// A limit has held a list back: the next cycle asks again.
    mutating func holdBack(_ list: MetadataList) {
        owed.append(list)
        readAt = nil
    }

    /// New notes tell of approvals, the newest last.
    mutating func take(_ told: [ToldApproval]) {
        guard approvals?.isRead == true else { return }
        toldApprovals = (toldApprovals + told).suffix(Self.toldLimit)
    }

    /// A look at the approvals, this account's own or another's, showed what is known of them.
    mutating func confirmApprovals(_ look: ApprovalsLook) {
        approvalsLook = look
        toldApprovals = []
    }

    /// The store has not taken what a look at the approvals showed: it is made again soon.
    mutating func lookAgain(at instant: MonotonicInstant) {
        if let approvalsAt { self.approvalsAt = min(approvalsAt, instant) }
    }

    /// What a reading showed was given up: all lists are read again, the approvals among them.
    mutating func readAgain(at instant: MonotonicInstant) {
        readAt = nil
        lookAgain(at: instant)
    }

    /// The lists among those that move which were read before.
    func continued(by advances: [MetadataListAdvance]) -> Set<MetadataList> {
        Set(advances.map(\.list)).intersection(readLists)
    }

    /// The lists that were read before, as far as it is known here.
    var readLists: Set<MetadataList> {
        var lists: Set<MetadataList> = []
        if labels?.isRead == true { lists.insert(.labelEvents) }
        if milestones?.isRead == true { lists.insert(.milestoneEvents) }
        if pipelines?.isRead == true { lists.insert(.pipelines) }
        if approvals?.isRead == true { lists.insert(.approvals) }
        return lists
    }

    /// Forgets all lists but `read`: the store has them as ones that begin with their next reading.
    mutating func keep(_ read: Set<MetadataList>) {
        if !read.contains(.labelEvents) { labels = nil }
        if !read.contains(.milestoneEvents) { milestones = nil }
        if !read.contains(.pipelines) { (pipelines, pipelinesMemory) = (nil, nil) }
        if !read.contains(.approvals) {
            (approvals, approvalsLoadedAt, approvalsLook) = (nil, nil, nil)
            toldApprovals = []
        }
    }

    /// Moves the state of one list; the store has it.
    mutating func take(_ advance: MetadataListAdvance, at now: MonotonicInstant) {
        switch advance {
        case .seenRows(.labelEvents, let ids):
            labels?.take(ids, at: now)
        case .seenRows(.milestoneEvents, let ids):
            milestones?.take(ids, at: now)
        case .seenRows: break
        case .pipelines(let known): pipelines = PipelineNews(known: known, isRead: true)
        case .approvals(let known, let look):
            approvals = ApprovalCheck(known: known, isRead: true)
            confirmApprovals(look)
        }
    }

    /// The lists that begin with their first reading, and that a person with these activities still waits for.
    func unread(_ activities: Set<ActivityKind>, of kind: ItemKind, offered: Capabilities) -> Set<MetadataList> {
        var lists: Set<MetadataList> = []
        if activities.contains(.labels), offered.labelEvents, labels?.isRead != true { lists.insert(.labelEvents) }
        if activities.contains(.milestones), offered.milestoneEvents, milestones?.isRead != true {
            lists.insert(.milestoneEvents)
        }
        guard kind == .mergeRequest, activities.contains(.pipelines), offered.pipelines else { return lists }
        return pipelines?.isRead == true ? lists : lists.union([.pipelines])
    }

    /// Which lists a person wants of an item of either kind: looked up once for a whole watch list.
    struct Wanted {
        private let changes: Bool
        private let pipelines: Bool
        private let approvals: Bool

        init(_ activities: Set<ActivityKind>) {
            changes = activities.contains(.labels) || activities.contains(.milestones)
            pipelines = activities.contains(.pipelines)
            approvals = activities.contains(.approvals)
        }

        /// Whether a list that the person wants is due though no sweep points to its item: what is looked for leaves no trace there. The lists
        /// were read last at `readAt`, and the approvals are looked at next at `approvalsAt`.
        func areDue(
            of kind: ItemKind,
            readAt: MonotonicInstant?,
            approvalsAt: MonotonicInstant?,
            by due: DuePolicy,
            at now: MonotonicInstant
        ) -> Bool {
            if readsLists(of: kind), due.isPaceOver(since: readAt, at: now) { return true }
            guard kind == .mergeRequest, approvals, let approvalsAt else { return false }
            return now >= approvalsAt
        }

        private func readsLists(of kind: ItemKind) -> Bool { changes || (kind == .mergeRequest && pipelines) }
    }
}
