import Configuration
import HTTP
import Platform

/// Carries out what the cycle decides.
extension AccountPoller {
    func runCycle() async throws {
        try await run(.full(duePolicy()), at: context.time.monotonicNow)
    }

    func runProbe() async throws {
        schedule.countProbe()
        context.log.write(.pollProbe, [accountField, ("probe.count", .count(schedule.probes))])
        try await run(.probe, at: context.time.monotonicNow)
    }

    /// Begins a cycle and carries it through.
    ///
    /// - Throws: `CancellationError`, or what the store throws; then nothing is planned anew.
    func run(_ kind: PollCycle.Kind, at startedAt: MonotonicInstant) async throws {
        measureBeginning()
        cycle = PollCycle(
            kind,
            at: startedAt,
            areTodosDue: areTodosDue(kind, at: startedAt),
            mayTodosWait: mayTodosWait(at: startedAt),
            isWatchListFirst: isWatchListFirst(kind),
            areRoundsFirst: cycle.owesRounds,
            draw: context.entropy.nextUInt64()
        )
        gate.openCycle(patience: schedule.patience)
        polled?.boundNewRows()
        var actions = cycle.begin()
        while !actions.isEmpty {
            if let event = try await perform(actions.removeFirst()) { actions += take(event) }
        }
    }

    /// Tells the cycle what has happened; what it wants done because of it.
    func take(_ event: PollCycle.Event) -> [PollCycle.Action] {
        cycle.take(event, at: context.time.monotonicNow)
    }

    /// Carries out one action; what came of it, when the cycle waits for that.
    private func perform(_ action: PollCycle.Action) async throws -> PollCycle.Event? {
        switch action {
        case .renewAccess: return try await renewAccess()
        case .holdBack: gate.close()
        case .confirmToken: return await confirmToken()
        case .refreshCapabilities:
            await confirmDoubt()
            await refreshCapabilities()
        case .readTodos:
            return await RequestReason.$current.withValue(cycle.todosReason) { await readTodos() }
        case .tellParts(let rows): context.log.write(.todosInParts, [accountField, ("scan.rows", .count(rows))])
        case .reviewTodos(let listed): await reviewTodos(listed: listed)
        case .markReadElsewhere(let pending, let start):
            return .elsewhereMarked(await readElsewhere(exceptFor: pending, before: start))
        case .sweep:
            await sweep()
            return .swept(prospects())
        case .forgetNamed(let items): inbox.forgetNamed(items)
        case .readItems(let count):
            await work(on: count) { await $0.readItems() }
            return .itemsRead(gate.count)
        case .settleFallbacks(let verdicts, let isTrusted): settleFallbacks(verdicts, isTrusted: isTrusted)
        case .readFeeds:
            await readFeeds()
            return .feedsRead
        case .commitTodos(let rows): return .todosCommitted(await commitTodos(rows))
        case .rememberTodos(let page, let listed): rememberTodos(page, listing: listed)
        case .extendWatchList:
            await watchTagged()
            await followMoves()
        case .checkToken: try await checkToken()
        case .probe:
            await probe()
            return .probed
        case .end: try await end()
        }
        return nil
    }

    /// What decides which items a full cycle reads; nil with detection per item.
    private func duePolicy() -> DuePolicy? {
        guard let polled, context.configuration.changeDetection == .sweep else { return nil }
        let items = polled.items.count
        return DuePolicy(
            pace: schedule.policy.pace.interval(items: items),
            cycleInterval: schedule.policy.cycleInterval(items: items, sweeps: polled.sweeps.count),
            isCrowded: isCrowded(polled)
        )
    }

    private func areTodosDue(_ kind: PollCycle.Kind, at now: MonotonicInstant) -> Bool {
        guard case .full(let policy?) = kind else { return true }
        return isTodoReviewDue || !schedule.policy.isAnswered || policy.areTodosDue(since: todosLookedAt, at: now)
    }

    /// Under a limit, what was read a moment ago may wait, as long as the items of a short watch list do; and a list that is read in parts takes
    /// turns with items.
    private func mayTodosWait(at now: MonotonicInstant) -> Bool {
        defer { wereTodosCutOff = false }
        guard !isTodoReviewDue, let askedAt = wereTodosCutOff ? now : todosLookedAt else { return false }
        return schedule.policy.maySkip(askedAt: askedAt, at: now, items: 0)
    }

    /// Where a limit ends each cycle before its end, what is to be watched would never be read: it takes turns with all the rest.
    private func isWatchListFirst(_ kind: PollCycle.Kind) -> Bool {
        guard case .full = kind else { return false }
        defer { wereTagsHeldBack = false }
        return wereTagsHeldBack
    }

    /// How the items stand after the sweeps, in the order in which they are read.
    private func prospects() -> [ItemProspect] {
        guard let polled else { return [] }
        guard case .full(let policy?) = cycle.kind else {
            return polled.items.map { $0.prospect(at: cycle.startedAt) }
        }
        let wanted = ItemMetadata.Wanted(polled.rules.activities)
        let now = context.time.monotonicNow
        var prospects: [ItemProspect] = []
        prospects.reserveCapacity(polled.items.count)
        for list in polled.sweeps {
            let isAnswered = list.progress.isAnswered
            for item in list.items {
                let isCovered = isAnswered && !item.health.isMissing
                prospects.append(prospect(of: item, isCovered: isCovered, by: policy, wanted, now: now))
            }
        }
        return prospects
    }

    /// The item as it stands with the looks that others have had at it.
    private func prospect(
        of item: PolledItem,
        isCovered: Bool,
        by policy: DuePolicy,
        _ wanted: ItemMetadata.Wanted,
        now: MonotonicInstant
    ) -> ItemProspect {
        // They move how it stands.
        let looks = takeLooks(at: item, now: now)
        return item.prospect(
            at: cycle.startedAt,
            isCovered: isCovered,
            looks: looks,
            areMetadataListsDue: wanted.areDue(
                of: item.watched.item.kind,
                readAt: item.metadataLists.readAt,
                approvalsAt: item.metadataLists.approvalsAt,
                by: policy,
                at: cycle.startedAt
            )
        )
    }

    /// What an item is read for whose turn has come; nil when others' looks have made that needless.
    func reconsider(_ due: DueItem) -> DueItem? {
        guard due.reason.canBeSpared, case .full(let policy?) = cycle.kind, let polled,
            let item = polled.item(due.watch)
        else { return due }
        let wanted = ItemMetadata.Wanted(polled.rules.activities)
        // Whether a sweep covers it was found out when it was chosen.
        let prospect = prospect(of: item, isCovered: true, by: policy, wanted, now: context.time.monotonicNow)
        guard let reconsidered = cycle.reconsider(due, prospect) else { return nil }
        item.hasGivenWay = !item.hasGivenWay && !beginRound(at: item)
        return item.hasGivenWay ? nil : reconsidered
    }

    /// Lets as many workers take from a list of `count` as may be under way at once.
    func work(on count: Int, _ body: @escaping @Sendable (AccountPoller) async -> Void) async {
        let workers = min(max(context.configuration.itemConcurrency, 1), count)
        guard workers > 1 else { return await body(self) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<workers {
                group.addTask { await body(self) }
            }
        }
    }

    /// Asks for one page.
    private func probe() async {
        guard let polled else { return }
        do throws(GitLabError) {
            try await gate.admit()
            try await probe(polled)
            countRead()
        } catch {
            await take(error, watch: nil)
        }
    }

    private func probe(_ polled: PolledAccount) async throws(GitLabError) {
        do throws(GitLabError) {
            let client = polled.reader.client
            if let place = schedule.probedItem(of: polled.items.count) {
                let notes = polled.items[place].notes
                _ = try await client.page(1, as: NoteRow.self, by: notes.memory?.request ?? notes.list.firstPage)
            } else {
                let todos = polled.todos
                _ = try await client.page(1, as: TodoRow.self, by: todos.memory?.request ?? todos.list.firstPage)
            }
            gate.noteSuccess()
        } catch {
            gate.noteFailure(error)
            throw error
        }
    }

    /// Draws the conclusions. Nothing is learnt from a cycle that was broken off.
    private func end() async throws {
        if Task.isCancelled { _ = take(.cancelled) }
        try Task.checkCancellation()
        let ending = PollCycle.Ending(
            count: gate.count,
            items: polled?.items.count ?? 0,
            sweeps: sweepCount,
            requestInterval: gate.requestInterval
        )
        for conclusion in cycle.end(ending, at: context.time.monotonicNow) { try await draw(conclusion) }
    }

    /// Nil with detection per item.
    private var sweepCount: Int? {
        context.configuration.changeDetection == .sweep ? polled?.sweeps.count ?? 0 : nil
    }
}
