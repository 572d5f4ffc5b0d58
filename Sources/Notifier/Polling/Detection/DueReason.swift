/// Why a cycle reads an item.
enum DueReason: String, Hashable, Sendable, CaseIterable {
    /// Every cycle reads every item: detection per item.
    case everyCycle = "every_cycle"
    /// A webhook named it.
    case named
    /// It has not been read from end to end of its news since the poller started.
    case unread
    /// A sweep showed that something was done to it.
    case changed
    /// A new to-do is about it.
    case todo
    /// Another account's look showed that its notes have changed.
    case seenElsewhere = "seen_elsewhere"
    /// It was touched so lately that a further note may not show (GitLab facts §7.1).
    case hot
    /// The time in which a note may not show is over: the reading that makes a sweep complete.
    case settled
    /// No sweep tells of it, so it is read at the pace of detection per item.
    case uncovered
    /// It has not been looked at for long, and a note on it could leave no other trace.
    case patrol
    /// Only lists that leave no trace in a sweep: pipelines, say, or the approvals.
    case metadataLists = "metadata_lists"
    /// One of its lists, or both, are due from end to end.
    case reconciliation

    /// How much it would hurt if the reading waited.
    var urgency: RequestUrgency {
        switch self {
        case .everyCycle, .named, .unread, .changed, .todo, .seenElsewhere, .hot, .settled, .uncovered: .news
        case .patrol, .metadataLists, .reconciliation: .rounds
        }
    }

    /// Why the lists are asked for of an item that is read for it.
    var ofRequests: RequestReason { .item(rawValue, urgency) }

    /// Whether others' looks may have made the reading needless between the choice of items and its turn.
    var canBeSpared: Bool {
        switch self {
        case .hot, .settled, .patrol, .metadataLists, .reconciliation: true
        case .everyCycle, .named, .unread, .changed, .todo, .seenElsewhere, .uncovered: false
        }
    }

    /// False where only a note can be what is looked for: everything else shows in the item's row.
    var readsEveryList: Bool {
        switch self {
        case .everyCycle, .named, .unread, .changed, .todo, .settled, .uncovered, .reconciliation: true
        case .seenElsewhere, .hot, .patrol, .metadataLists: false
        }
    }
}
