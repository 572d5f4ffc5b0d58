import Configuration
import HTTP
import Platform

/// Takes over what other accounts' looks at the same lists have shown, and lets them have this one's.
extension AccountPoller {
    // MARK: Taking

    /// Lets looks of others stand for those of this account, where they saw that nothing had changed since; true when they saw that
    /// something has.
    func takeLooks(at item: PolledItem) -> Bool {
        guard let looks = context.looks, let origin = polled?.account.origin else { return false }
        takeApprovalsLook(at: item, from: looks, origin)
        guard let lookedAt = item.attention.state.lookedAt else { return false }
        switch standing(of: item.notes, since: lookedAt, in: looks, origin) {
        case .unknown: return false
        case .outdated: return true
        case .current(let notes):
            context.metrics.count(.looksShared, 1, of: id)
            item.attention.takeLook(at: notes.at, patrol: pauses.patrol())
            if case .current(let events) = standing(of: item.stateEvents, since: lookedAt, in: looks, origin) {
                item.takeWholeLook(at: min(notes.at, events.at))
            }
            return false
        }
    }

    private func standing(
        of list: PolledList,
        since instant: MonotonicInstant,
        in looks: SharedLooks,
        _ origin: HTTPOrigin
    ) -> ListLooks.Standing {
        guard let memory = list.memory else { return .unknown }
        let list = SharedLooks.List(origin: origin, target: memory.request.target)
        return looks.standing(of: memory.entityTag, since: instant, at: list)
    }

    private func takeApprovalsLook(at item: PolledItem, from looks: SharedLooks, _ origin: HTTPOrigin) {
        guard let check = item.metadataLists.approvals, let last = item.metadataLists.approvalsLook else { return }
        switch looks.standing(of: check.validator, since: last.at, at: approvalsList(of: item, origin)) {
        case .unknown: break
        case .outdated:
            let retryAt = item.metadataLists.readAt?.advanced(by: DuePolicy.hotInterval) ?? cycle.startedAt
            item.metadataLists.approvalsAt = max(cycle.startedAt, retryAt)
        case .current(let look):
            guard let gitlabTime = look.gitlabTime else { return }
            item.metadataLists.approvalsLook = ApprovalsLook(at: look.at, gitlabTime: gitlabTime)
            item.metadataLists.approvalsAt = look.at.advanced(by: context.configuration.approvalsEvery)
        }
    }

    // MARK: Giving

    /// Tells others what a reading of a list showed that began at `start`; `memory` is what was remembered of the reading before.
    func share<Scan: ListScan>(
        _ reading: ListReading<Scan>,
        of list: ListRequest,
        after memory: ListMemory?,
        from start: MonotonicInstant
    ) {
        guard let looks = context.looks, let origin = polled?.account.origin else { return }
        let look = ListLooks.Look(at: start, answeredAt: context.time.monotonicNow)
        if reading.isUnchanged, let memory {
            let list = SharedLooks.List(origin: origin, target: memory.request.target)
            looks.take(memory.entityTag, after: memory.entityTag, look, at: list)
        } else if let page = reading.beginning, let entityTag = page.head.entityTag {
            let target = list.request(page: page.number).target
            let previous = memory?.page == page.number ? memory?.entityTag : nil
            looks.take(entityTag, after: previous, look, at: SharedLooks.List(origin: origin, target: target))
        }
    }

    /// Tells others what a look at an item's approvals showed.
    func shareApprovals(
        _ known: [KnownApproval],
        after check: ApprovalCheck,
        _ look: ApprovalsLook,
        of item: PolledItem
    ) {
        guard let looks = context.looks, let origin = polled?.account.origin else { return }
        looks.take(
            ApprovalCheck(known: known, isRead: true).validator,
            after: check.isRead ? check.validator : nil,
            ListLooks.Look(at: look.at, answeredAt: context.time.monotonicNow, gitlabTime: look.gitlabTime),
            at: approvalsList(of: item, origin)
        )
    }

    private func approvalsList(of item: PolledItem, _ origin: HTTPOrigin) -> SharedLooks.List {
        SharedLooks.List(origin: origin, target: "\(item.watched.item.path)/approvals")
    }
}
