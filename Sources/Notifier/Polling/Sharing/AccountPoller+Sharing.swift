import Configuration
import HTTP
import Platform

/// Takes over what other accounts' looks at the lists of the same items have shown, and lets them have this one's.
extension AccountPoller {
    /// Shares looks at what is polled now, and at nothing else.
    func joinWatchers() {
        guard let looks = context.looks, let watcher else { return }
        looks.watch(polled?.items.compactMap { shared($0) } ?? [], by: watcher)
    }

    /// Shares nothing any more.
    func leaveWatchers() {
        if let watcher { context.looks?.watch([], by: watcher) }
    }

    /// The item as all accounts of its GitLab know it.
    func shared(_ item: PolledItem) -> SharedLooks.Item? {
        (polled?.account.origin).map { SharedLooks.Item(origin: $0, item: item.watched.item) }
    }

    // MARK: Taking

    /// Lets looks of others stand for those of this account, where they saw that nothing had changed since; true when they saw that
    /// something has.
    func takeLooks(at item: PolledItem) -> Bool {
        guard let looks = context.looks, let shared = shared(item) else { return false }
        takeApprovalsLook(at: item, from: looks, shared)
        guard let lookedAt = item.attention.state.lookedAt else { return false }
        switch standing(of: item.notes, of: shared, since: lookedAt, in: looks) {
        case .unknown: return false
        case .outdated: return true
        case .current(let notes):
            context.metrics.count(.looksShared, 1, of: id)
            item.attention.takeLook(at: notes.at, patrol: pauses.patrol())
            if case .current(let events) = standing(of: item.stateEvents, of: shared, since: lookedAt, in: looks) {
                item.takeWholeLook(at: min(notes.at, events.at))
            }
            return false
        }
    }

    /// Whether others have seen a change of the item's notes or approvals that this account has not.
    func isOutdated(_ item: PolledItem) -> Bool {
        guard let looks = context.looks, let shared = shared(item) else { return false }
        if let lookedAt = item.attention.state.lookedAt,
            standing(of: item.notes, of: shared, since: lookedAt, in: looks) == .outdated
        {
            return true
        }
        return standing(ofApprovalsOf: item, shared, in: looks) == .outdated
    }

    private func standing(
        of list: PolledList,
        of item: SharedLooks.Item,
        since instant: MonotonicInstant,
        in looks: SharedLooks
    ) -> ListLooks.Standing {
        guard let memory = list.memory else { return .unknown }
        let page = SharedLooks.List(item: item, list: .page(target: memory.request.target))
        return looks.standing(of: memory.entityTag, since: instant, at: page)
    }

    private func standing(
        ofApprovalsOf item: PolledItem,
        _ shared: SharedLooks.Item,
        in looks: SharedLooks
    ) -> ListLooks.Standing {
        guard let check = item.metadataLists.approvals, let last = item.metadataLists.approvalsLook else {
            return .unknown
        }
        let approvals = SharedLooks.List(item: shared, list: .approvals)
        return looks.standing(of: check.validator, since: last.at, at: approvals)
    }

    private func takeApprovalsLook(at item: PolledItem, from looks: SharedLooks, _ shared: SharedLooks.Item) {
        switch standing(ofApprovalsOf: item, shared, in: looks) {
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

    /// Tells others what a reading of a list of the item showed that began at `start`; `memory` is what was remembered of the reading before.
    func share<Scan: ListScan>(
        _ reading: ListReading<Scan>,
        of list: ListRequest,
        of item: PolledItem,
        after memory: ListMemory?,
        from start: MonotonicInstant
    ) {
        if reading.isUnchanged, let memory {
            let page = ItemLooks.List.page(target: memory.request.target)
            share(memory.entityTag, after: memory.entityTag, at: page, of: item, from: start)
        } else if let page = reading.beginning, let entityTag = page.head.entityTag {
            let target = list.request(page: page.number).target
            let previous = memory?.page == page.number ? memory?.entityTag : nil
            share(entityTag, after: previous, at: .page(target: target), of: item, from: start)
        }
    }

    /// Tells others what a look at an item's approvals showed.
    func shareApprovals(
        _ known: [KnownApproval],
        after check: ApprovalCheck,
        _ look: ApprovalsLook,
        of item: PolledItem
    ) {
        let validator = ApprovalCheck(known: known, isRead: true).validator
        let previous = check.isRead ? check.validator : nil
        share(validator, after: previous, at: .approvals, of: item, from: look.at, look.gitlabTime)
    }

    private func share(
        _ validator: String,
        after previous: String?,
        at list: ItemLooks.List,
        of item: PolledItem,
        from start: MonotonicInstant,
        _ gitlabTime: WallTime? = nil
    ) {
        guard let looks = context.looks, let shared = shared(item) else { return }
        let list = SharedLooks.List(item: shared, list: list)
        let look = look(from: start, gitlabTime)
        looks.take([SharedLooks.Sight(list: list, validator: validator, previous: previous)], look)
    }

    /// A look of this account that began at `start` and has just been answered.
    func look(from start: MonotonicInstant, _ gitlabTime: WallTime? = nil) -> ListLooks.Look {
        let now = context.time.monotonicNow
        return ListLooks.Look(at: start, answeredAt: now, gitlabTime: gitlabTime, watcher: watcher?.id)
    }
}
