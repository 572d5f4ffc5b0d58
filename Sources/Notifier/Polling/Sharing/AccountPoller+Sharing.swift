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
        takeStateEventsLook(at: item, from: looks, shared)
        guard let lookedAt = item.attention.state.lookedAt else { return false }
        switch standing(of: item.notes, of: shared, since: lookedAt, in: looks) {
        case .unknown: return false
        case .outdated: return true
        case .current(let notes):
            context.metrics.count(.looksShared, 1, of: id)
            item.takeNotesLook(at: notes.at, pauses: pauses)
            return false
        }
    }

    /// Nobody looks at state events but where a change is read or settles, or where they are due from end to end.
    private func takeStateEventsLook(at item: PolledItem, from looks: SharedLooks, _ shared: SharedLooks.Item) {
        let attention = item.attention.state
        let isDue = item.reconciliation.due(at: context.time.monotonicNow).stateEvents
        guard isDue || attention.settlesAt != nil, attention.isRead, !attention.isChanged else { return }
        let since = item.reconciliation.stateEventsLookedAt
        guard case .current(let look) = standing(of: item.stateEvents, of: shared, since: since, in: looks) else {
            return
        }
        item.takeStateEventsLook(at: look.at, pauses: pauses)
    }

    /// When another's look at the state events of a changed item began that stands for one of this account; nil when it must look itself.
    func othersLookAtStateEvents(of item: PolledItem, for reason: DueReason) -> MonotonicInstant? {
        guard let looks = context.looks, let shared = shared(item), let validator = item.attention.validator else {
            return nil
        }
        let row = SharedLooks.List(item: shared, list: .row)
        let substitute = StateEventsSubstitute(
            reason: reason,
            attention: item.attention.state,
            rowSeenAt: looks.firstSight(of: validator, at: row)
        )
        let since = item.reconciliation.stateEventsLookedAt
        return substitute.take(standing(of: item.stateEvents, of: shared, since: since, in: looks))
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

    /// Of a look at a list of an item for `reason`, which comes to ask now and may wait for its turn; nil where it is needed whatever others
    /// see meanwhile. The account's own last look, or one that stands for it, began at `lookedAt`.
    func need(
        of list: PolledList,
        of item: PolledItem,
        for reason: DueReason,
        since lookedAt: MonotonicInstant?
    ) -> RequestNeed? {
        guard reason.canBeSpared, let looks = context.looks, let shared = shared(item), let memory = list.memory else {
            return nil
        }
        let page = SharedLooks.List(item: shared, list: .page(target: memory.request.target))
        guard let lookedAt else { return nil }
        let substitute = TurnSubstitute(askedAt: context.time.monotonicNow)
        let entityTag = memory.entityTag
        return RequestNeed { !substitute.take(looks.standing(of: entityTag, since: lookedAt, at: page)) }
    }

    // MARK: Taking turns

    /// Begins to look at an item that nothing but time points to; false while another account is about to.
    func beginRound(at item: PolledItem) -> Bool {
        guard let looks = context.looks, let watcher, let shared = shared(item) else { return true }
        return looks.beginRound(of: watcher.id, at: shared, at: context.time.monotonicNow)
    }

    /// Ends what ``beginRound(at:)`` began.
    func endRound(at due: DueItem) {
        guard let watcher, let shared = polled?.item(due.watch).flatMap({ shared($0) }) else { return }
        context.looks?.endRound(of: watcher.id, at: shared)
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
        guard !reading.isSpared else { return }
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
