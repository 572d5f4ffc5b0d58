import Configuration
import HTTP
import Platform

/// Takes over what other accounts' looks at the lists of the same items have shown, and lets them have this one's.
extension AccountPoller {
    /// Shares looks at what is polled now, and at nothing else.
    func joinWatchers() {
        guard let looks = context.looks, let watcher else { return }
        let items = polled?.items ?? []
        for (item, place) in zip(items, looks.watch(items.map(\.shared), by: watcher)) { item.place = place }
    }

    /// Shares nothing any more.
    func leaveWatchers() {
        if let watcher { context.looks?.watch([], by: watcher) }
    }

    /// Whether many share their looks at something that this account watches.
    func isCrowded(_ polled: PolledAccount) -> Bool {
        guard let looks = context.looks else { return false }
        return polled.items.contains { looks.watcherCount(of: $0.shared) >= DuePolicy.crowd }
    }

    // MARK: Taking

    /// Lets looks of others stand for those of this account, where they saw that nothing had changed since. Returns whether they saw that
    /// something has, and how many share looks at the item.
    func takeLooks(at item: PolledItem, now: MonotonicInstant) -> (areOutdating: Bool, watchers: Int) {
        if let silence = item.silence, silence.holds(at: now) { return (false, silence.watchers) }
        guard let looks = context.looks else { return (false, 1) }
        let isStateEventsLookOfUse = isStateEventsLookOfUse(at: item, now: now)
        let standings = looks.look(at: item.shared, in: item.place) { known in
            (
                approvals: Self.approvals(of: item, in: known),
                stateEvents: isStateEventsLookOfUse ? Self.stateEvents(of: item, in: known) : .unknown,
                notes: Self.notes(of: item, in: known),
                watchers: known.watchers.count,
                mark: known.listsMark
            )
        }
        guard let standings else { return (false, 1) }
        if standings.approvals == .unknown, standings.stateEvents == .unknown, standings.notes == .unknown {
            let until = isStateEventsLookOfUse ? nil : item.reconciliation.stateEventsDueAt
            item.silence = LooksSilence(mark: standings.mark, watchers: standings.watchers, until: until)
        }
        takeApprovalsLook(at: item, standings.approvals)
        if case .current(let look) = standings.stateEvents { item.takeStateEventsLook(at: look.at, pauses: pauses) }
        switch standings.notes {
        case .unknown: return (false, standings.watchers)
        case .outdated: return (true, standings.watchers)
        case .current(let notes):
            context.metrics.count(.looksShared, 1, of: id)
            item.takeNotesLook(at: notes.at, pauses: pauses)
            return (false, standings.watchers)
        }
    }

    /// Nobody looks at state events but where a change is read or settles, or where they are due from end to end.
    private func isStateEventsLookOfUse(at item: PolledItem, now: MonotonicInstant) -> Bool {
        guard item.attention.state.isRead, !item.attention.state.isChanged else { return false }
        return item.attention.state.settlesAt != nil || item.reconciliation.due(at: now).stateEvents
    }

    /// When another's look at the state events of a changed item began that stands for one of this account; nil when it must look itself.
    /// Waits for one that is under way.
    func othersLookAtStateEvents(of item: PolledItem, for reason: DueReason) async -> MonotonicInstant? {
        guard let looks = context.looks, let validator = item.attention.validator else { return nil }
        let row = SharedLooks.List(item: item.shared, list: .row)
        let substitute = StateEventsSubstitute(
            reason: reason,
            attention: item.attention.state,
            rowSeenAt: looks.firstSight(of: validator, at: row)
        )
        func taken() -> MonotonicInstant? {
            substitute.take(
                looks.look(at: item.shared, in: item.place) { Self.stateEvents(of: item, in: $0) } ?? .unknown
            )
        }
        if let lookedAt = taken() { return lookedAt }
        guard let rowSeenAt = substitute.rowSeenAt, await waitForLook(at: item.stateEvents, of: item, since: rowSeenAt)
        else { return nil }
        return taken()
    }

    /// Waits for the look of another account at a list of an item that began at `instant` or later; false when there is none.
    private func waitForLook(at list: PolledList, of item: PolledItem, since instant: MonotonicInstant) async -> Bool {
        guard let looks = context.looks, let own = look(at: list, since: instant) else { return false }
        let signal = WakeSignal(time: context.time)
        guard let until = looks.join(own, at: item.shared, signal) else { return false }
        // Who is cancelled meanwhile asks nobody anything.
        _ = try? await signal.wait(until: until)
        return true
    }

    /// Looks at a list of an item, in a reading that began at `start`: others may wait for that.
    func lookForOthers(
        at list: PolledList,
        of item: PolledItem,
        from start: MonotonicInstant,
        _ body: () async -> Void
    ) async {
        guard let looks = context.looks, let own = look(at: list, since: start) else { return await body() }
        looks.begin(own, at: item.shared)
        defer { looks.end(own, at: item.shared) }
        await body()
    }

    /// A look that this account begins now, for others that know the list as it does; nil before it has read the list.
    private func look(at list: PolledList, since start: MonotonicInstant) -> LooksUnderWay.Look? {
        guard let watcher, let target = list.memory?.request.target, let entityTag = list.memory?.entityTag else {
            return nil
        }
        return LooksUnderWay.Look(
            list: .page(target: target),
            validator: entityTag,
            watcher: watcher.id,
            since: start,
            begunAt: context.time.monotonicNow
        )
    }

    /// Whether others have seen a change of the item's notes or approvals that this account has not.
    func isOutdated(_ item: PolledItem) -> Bool {
        context.looks?.look(at: item.shared, in: item.place) { known in
            Self.notes(of: item, in: known) == .outdated || Self.approvals(of: item, in: known) == .outdated
        } ?? false
    }

    // An item is asked about in every cycle: nothing of it is copied but what is compared.

    private static func notes(of item: PolledItem, in looks: borrowing ItemLooks) -> ListLooks.Standing {
        guard let lookedAt = item.attention.state.lookedAt, looks.isSeen(since: lookedAt),
            let target = item.notes.memory?.request.target, let entityTag = item.notes.memory?.entityTag
        else { return .unknown }
        return looks.standing(of: entityTag, since: lookedAt, at: .page(target: target))
    }

    private static func stateEvents(of item: PolledItem, in looks: borrowing ItemLooks) -> ListLooks.Standing {
        let since = item.reconciliation.stateEventsLookedAt
        guard looks.isSeen(since: since), let target = item.stateEvents.memory?.request.target,
            let entityTag = item.stateEvents.memory?.entityTag
        else { return .unknown }
        return looks.standing(of: entityTag, since: since, at: .page(target: target))
    }

    private static func approvals(of item: PolledItem, in looks: borrowing ItemLooks) -> ListLooks.Standing {
        guard let since = item.metadataLists.approvalsSince, looks.isSeen(since: since),
            let check = item.metadataLists.approvals, check.isRead
        else { return .unknown }
        return looks.standing(of: check.validator, since: since, at: .approvals)
    }

    /// What becomes known of the approvals where another's look showed just what the item's notes have told this account; nil when that is
    /// nothing, or this account must look itself.
    func othersLookAtToldApprovals(of item: PolledItem, _ check: ApprovalCheck) -> MetadataReading? {
        let told = check.taking(item.metadataLists.toldApprovals)
        guard check.isRead, told.known != check.known, let looks = context.looks,
            let since = item.metadataLists.approvalsSince,
            case .current(let look) = looks.standing(
                of: told.validator,
                since: since,
                at: SharedLooks.List(item: item.shared, list: .approvals)
            ), let gitlabTime = look.gitlabTime
        else { return nil }
        item.metadataLists.approvalsAt = look.at.advanced(by: context.configuration.approvalsEvery)
        return .approvals(
            ApprovalCheck.Result(appeared: [], known: told.known),
            look: ApprovalsLook(at: look.at, gitlabTime: gitlabTime),
            since: gitlabTime,
            serverTime: nil
        )
    }

    private func takeApprovalsLook(at item: PolledItem, _ standing: ListLooks.Standing) {
        switch standing {
        case .unknown: break
        case .outdated:
            let retryAt = item.metadataLists.readAt?.advanced(by: DuePolicy.hotInterval) ?? cycle.startedAt
            item.metadataLists.approvalsAt = max(cycle.startedAt, retryAt)
        case .current(let look):
            guard let gitlabTime = look.gitlabTime else { return }
            item.metadataLists.confirmApprovals(ApprovalsLook(at: look.at, gitlabTime: gitlabTime))
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
        guard reason.canBeSpared, let looks = context.looks, let memory = list.memory, let lookedAt else { return nil }
        let page = SharedLooks.List(item: item.shared, list: .page(target: memory.request.target))
        let substitute = TurnSubstitute(askedAt: context.time.monotonicNow)
        let entityTag = memory.entityTag
        return RequestNeed { !substitute.take(looks.standing(of: entityTag, since: lookedAt, at: page)) }
    }

    // MARK: Taking turns

    /// Begins to look at an item that nothing but time points to; false while another account is about to.
    func beginRound(at item: PolledItem) -> Bool {
        guard let looks = context.looks, let watcher else { return true }
        return looks.beginRound(of: watcher.id, at: item.shared, at: context.time.monotonicNow)
    }

    /// Ends what ``beginRound(at:)`` began.
    func endRound(at due: DueItem) {
        guard let watcher, let shared = polled?.item(due.watch)?.shared else { return }
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
        guard let looks = context.looks else { return }
        let list = SharedLooks.List(item: item.shared, list: list)
        let look = look(from: start, gitlabTime)
        looks.take([SharedLooks.Sight(list: list, validator: validator, previous: previous)], look)
    }

    /// A look of this account that began at `start` and has just been answered.
    func look(from start: MonotonicInstant, _ gitlabTime: WallTime? = nil) -> ListLooks.Look {
        let now = context.time.monotonicNow
        return ListLooks.Look(at: start, answeredAt: now, gitlabTime: gitlabTime, watcher: watcher?.id)
    }
}
