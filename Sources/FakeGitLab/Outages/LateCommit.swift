import Platform

/// A kind of row whose commit can be held back.
package enum RowKind: String, Sendable, CaseIterable {
    case note, todo, stateEvent, labelEvent, milestoneEvent, event
}

/// Rows get id and `created_at` at once but become visible later, while later rows already are (GitLab facts §16).
struct LateCommit: Sendable {
    let faultID: String
    let kind: RowKind
    let delay: Duration
    /// How many rows are still to be held; nil holds every one.
    var remaining: Int?
}

/// A row that is being held back.
struct HeldRow: Sendable {
    let faultID: String
    let source: PageSource
    let from: WallTime
    let until: WallTime
}

extension InstanceState {
    /// When the transaction that inserts a row now commits.
    mutating func commitInstant(_ kind: RowKind, in source: PageSource, at now: WallTime) -> WallTime {
        guard !lateCommits.isEmpty, let index = lateCommits.firstIndex(where: { $0.kind == kind }) else { return now }
        let fault = lateCommits[index]
        guard fault.delay > .zero, fault.remaining != 0 else { return now }
        if let remaining = fault.remaining {
            if remaining == 1 { lateCommits.remove(at: index) } else { lateCommits[index].remaining = remaining - 1 }
        }
        let from = max(now, primary.latest)
        let instant = from.advanced(by: fault.delay)
        heldRows.removeAll { $0.until.advanced(by: Row<Int>.replicaHorizon) < from }
        heldRows.append(HeldRow(faultID: fault.faultID, source: source, from: from, until: instant))
        return instant
    }

    /// The fault that keeps a row out of the list at `instant`, if one does.
    func holdingFault(on source: PageSource, at instant: WallTime) -> String? {
        heldRows.first { $0.source == source && $0.from <= instant && instant < $0.until }?.faultID
    }
}
