import Platform

/// One cycle of an account: takes what has happened and says what is done next. It asks nobody and waits for nothing; the poller
/// carries its actions out, one after the other, and tells it what came of them.
///
/// A full cycle goes from the access token over the to-dos and the sweeps to the items that are due, a few at a time, each committed
/// as soon as it is read; then the last resorts, and what is done once a cycle. Whatever fails is counted, and the end draws the
/// conclusions. Between the beginning and ``end(_:at:)`` any event may come, so every order of answers ends well.
struct PollCycle: Sendable {
    /// What the cycle is about.
    enum Kind: Hashable, Sendable {
        /// Everything: the items by the policy, or every one of them where there are no sweeps.
        case full(DuePolicy?)
        /// The to-dos, and items that webhooks named.
        case named([DueItem])
        /// One request, to see whether GitLab answers.
        case probe
    }

    private enum Phase { case opening, reading, ended }

    let kind: Kind
    let startedAt: MonotonicInstant
    /// The to-dos are asked for though nothing points to one.
    private let areTodosDue: Bool
    /// They may wait for another cycle where items are to be read.
    private let mayTodosWait: Bool
    /// What is to be watched is read before all else, and not at the end.
    let isWatchListFirst: Bool
    /// Rounds come before items that have news.
    private let areRoundsFirst: Bool
    /// Decides with which of its rounds the cycle begins.
    private let draw: UInt64
    private var phase = Phase.opening
    private var tally = CycleTally()
    /// A sweep showed a change or a to-do came.
    private var hasNews = false
    /// Others were shown changes.
    private var wasHinted = false
    /// True while a 401 is looked into.
    private var isConfirming = false
    private var sweepsAsked = 0
    /// The last is read first.
    private var waiting: [DueItem] = []
    /// How the items stand while the to-dos are read.
    private var prospects: [ItemProspect] = []
    /// How the items stood that are read, when they were chosen.
    private var chosen: [WatchID: ItemProspect] = [:]
    /// To-dos on items that this cycle reads, so that both make one notification.
    private var heldTodos: [ItemReference: [TodoRow]] = [:]
    private var otherTodos: [TodoRow] = []
    /// Kept for its room until the next cycle.
    private var todosReading: ListReading<TodosScan>?
    /// The to-dos are more than any list may be.
    private var areTodosBeyondBounds = false
    private var areTodosCommitted = true
    private var readings: [ItemVerdict] = []
    private var listReadings: [ListVerdict] = []
    /// GitLab has answered about an item that has news, and about one on rounds.
    private var hasReadNews = false
    private var hasReadRounds = false
    /// A limit has held back a list that is asked for on rounds.
    private var areRoundsHeldBack = false

    /// - Parameters:
    ///   - kind: what it is about.
    ///   - startedAt: when it begins.
    ///   - areTodosDue: whether it asks for the to-dos though no sweep points to one; without sweeps it does unless they may wait.
    ///   - mayTodosWait: whether it leaves them to another where items are to be read: a limit may let through one of both.
    ///   - isWatchListFirst: whether it begins with what is to be watched, from which a limit has kept the cycle before.
    ///   - areRoundsFirst: whether rounds come before items that have news, which a limit has let through alone in the cycle before.
    ///   - draw: any 64 random bits.
    init(
        _ kind: Kind,
        at startedAt: MonotonicInstant,
        areTodosDue: Bool = true,
        mayTodosWait: Bool = false,
        isWatchListFirst: Bool = false,
        areRoundsFirst: Bool = false,
        draw: UInt64 = 0
    ) {
        self.kind = kind
        self.startedAt = startedAt
        self.areTodosDue = areTodosDue
        self.mayTodosWait = mayTodosWait
        self.isWatchListFirst = isWatchListFirst
        self.areRoundsFirst = areRoundsFirst
        self.draw = draw
    }

    /// What the cycle begins with.
    func begin() -> [Action] { [.renewAccess] }

    /// Takes what has happened at `now`; what is to be done because of it, in this order.
    mutating func take(_ event: Event, at now: MonotonicInstant) -> [Action] {
        guard phase != .ended else { return [] }
        switch event {
        case .accessRenewed: return open()
        case .accessEnded: return deny(.unauthorized(.revoked), verdict: .tokenDead(.revoked))
        case .accessUnavailable(let error): return deny(error, verdict: nil)
        case .answered: tally.countRead()
        case .failed(let error): return takeFailure(error)
        case .tokenJudged(let verdict): return takeJudgement(verdict)
        case .todosRead(let reading): return takeTodos(reading)
        case .todosFailed(let error):
            areTodosBeyondBounds = error.isBeyondBounds
            return goOn(with: [])
        case .elsewhereMarked(let isKept): areTodosCommitted = areTodosCommitted && isKept
        case .changesSwept: hasNews = true
        case .hinted: wasHinted = true
        case .swept(let prospects): return takeSwept(prospects)
        case .itemRefused(let hadTodos): areTodosCommitted = areTodosCommitted && !hadTodos
        case .itemsRead(let count): return takeItems(count)
        case .feedsRead: return commitOthers()
        case .todosCommitted(let isCommitted):
            areTodosCommitted = areTodosCommitted && isCommitted
            return finish()
        case .probed: return [.end]
        case .cancelled: phase = .ended
        }
        return []
    }

    /// The next item to read, for whoever has time to; nil when all are read or being read.
    mutating func nextItem() -> DueItem? { waiting.popLast() }

    /// The place of the next of `count` sweeps, for whoever has time to ask it; nil when all have been asked.
    mutating func nextSweep(of count: Int) -> Int? {
        guard sweepsAsked < count else { return nil }
        defer { sweepsAsked += 1 }
        return sweepsAsked
    }

    /// Why an item whose turn has come is read after all, given how it stands now: others may have looked at it since it was chosen.
    /// Nil when there is no reason any more.
    func reconsider(_ due: DueItem, _ now: ItemProspect) -> DueItem? {
        guard due.reason.canBeSpared, let before = chosen[due.watch], heldTodos[due.item] == nil else { return due }
        var prospect = now
        prospect.isCovered = before.isCovered
        return reason(for: prospect).map { DueItem(watch: due.watch, item: due.item, reason: $0) }
    }

    // MARK: Access

    private mutating func open() -> [Action] {
        guard phase == .opening else { return [] }
        phase = .reading
        let first: [Action] = isWatchListFirst ? [.refreshCapabilities, .extendWatchList] : [.refreshCapabilities]
        return switch kind {
        case .full(nil): first + [mayTodosWait ? .sweep : .readTodos]
        case .full: first + [.sweep]
        case .named: [.readTodos]
        case .probe: [.probe]
        }
    }

    /// Requests have nothing to show: without it nothing is asked any more, and a cycle that has not begun ends.
    private mutating func deny(_ error: GitLabError?, verdict: AccountHealth.Verdict?) -> [Action] {
        if let error { tally.count(error) }
        if let verdict { tally.verdict = verdict }
        isConfirming = false
        return phase == .opening ? [.holdBack, .end] : [.holdBack]
    }

    /// A 401 is looked into at once, but once in a cycle.
    private mutating func takeFailure(_ error: GitLabError) -> [Action] {
        tally.count(error)
        guard case .unauthorized = error, tally.verdict == nil, !isConfirming else { return [] }
        isConfirming = true
        return [.confirmToken]
    }

    /// With a token that does not work, or may not, the cycle's other questions are pointless.
    private mutating func takeJudgement(_ verdict: AccountHealth.Verdict?) -> [Action] {
        isConfirming = false
        guard let verdict else { return [] }
        tally.verdict = verdict
        return switch verdict {
        case .tokenWorks, .undecided: []
        case .askAgain, .tokenDead: [.holdBack]
        }
    }

    // MARK: To-dos

    /// Why the to-dos are asked for, where they are.
    var todosReason: RequestReason { areTodosDue ? .todosDue : .todosPointedTo }

    /// What sweeps show comes before the to-dos, since it decides whether there may be new ones.
    private mutating func takeSwept(_ prospects: [ItemProspect]) -> [Action] {
        guard case .full(_?) = kind, areTodosDue || hasNews || prospects.contains(where: \.mayHaveTodos),
            !mustTodosWait(for: prospects)
        else {
            return choose(from: prospects)
        }
        self.prospects = prospects
        return [.readTodos]
    }

    /// For rounds as well: where a limit lets through one request a cycle, the to-dos would leave them none as long as there is no news.
    private func mustTodosWait(for prospects: [ItemProspect]) -> Bool {
        mayTodosWait && prospects.contains { reason(for: $0) != nil }
    }

    private mutating func takeTodos(_ todos: TodosReading) -> [Action] {
        let reading = todos.reading
        let found = reading.scan.found
        todosReading = reading
        hasNews = hasNews || reading.isPartial || !found.isEmpty
        if reading.isPartial { return [.tellParts(rows: found.count)] + goOn(with: found) }
        var actions: [Action] = []
        let listed = reading.scan.listedIDs
        if todos.isReviewDue { actions.append(.reviewTodos(listed: listed)) }
        if !reading.isWholeUnchanged { actions.append(.markReadElsewhere(exceptFor: listed, before: todos.askedAt)) }
        return actions + goOn(with: found)
    }

    private mutating func goOn(with todos: [TodoRow]) -> [Action] {
        otherTodos = todos
        switch kind {
        case .full(nil): return [.sweep]
        case .full:
            defer { prospects = [] }
            return choose(from: prospects)
        case .named(let items): return read(items)
        case .probe: return [.end]
        }
    }

    // MARK: Items

    /// Whether the next cycle is to begin with rounds: a limit that ends each cycle behind news would never let one through. So is the one behind
    /// a cycle that was to, and came to no item.
    var owesRounds: Bool { areRoundsHeldBack && (hasReadNews || (areRoundsFirst && !hasReadRounds)) }

    private mutating func choose(from prospects: [ItemProspect]) -> [Action] {
        let items = prospects.compactMap { prospect -> DueItem? in
            guard let reason = reason(for: prospect) else { return nil }
            chosen[prospect.watch] = prospect
            return DueItem(watch: prospect.watch, item: prospect.item, reason: reason)
        }
        return [.forgetNamed(items.map(\.item))] + read(inTurn(items))
    }

    /// What news points to comes first. Rounds begin anywhere among them: accounts that make theirs at the same time share more looks
    /// when each begins elsewhere.
    private func inTurn(_ items: [DueItem]) -> [DueItem] {
        let news = inTurnUnderLimit(items.filter { $0.reason.urgency == .news })
        let rounds = items.filter { $0.reason.urgency == .rounds }
        let first = Int(draw.multipliedFullWidth(by: UInt64(rounds.count)).high)
        let inTurn = Array(rounds[first...] + rounds[..<first])
        return areRoundsFirst ? inTurn + news : news + inTurn
    }

    /// Where a limit ends cycles early, the items behind would never be read: whoever has waited longest comes first.
    private func inTurnUnderLimit(_ items: [DueItem]) -> [DueItem] {
        guard items.contains(where: { chosen[$0.watch]?.isHeldBack ?? false }) else { return items }
        let readAt = items.map { chosen[$0.watch]?.readAt }
        let order = items.indices.sorted { one, other in
            guard let first = readAt[one], let second = readAt[other] else {
                return (readAt[one] == nil) == (readAt[other] == nil) ? one < other : readAt[one] == nil
            }
            return first == second ? one < other : first < second
        }
        return order.map { items[$0] }
    }

    private func reason(for prospect: ItemProspect) -> DueReason? {
        guard prospect.isAdmitted, case .full(let policy) = kind else { return nil }
        guard let policy else { return .everyCycle }
        let circumstances = DuePolicy.Circumstances(
            isCovered: prospect.isCovered,
            hasTodo: otherTodos.contains { $0.item == prospect.item },
            mustReconcile: prospect.mustReconcile,
            isOutdated: prospect.isOutdated,
            watchers: prospect.watchers
        )
        return policy.reason(prospect.attention, circumstances, at: startedAt)
            ?? (prospect.areMetadataListsDue ? .metadataLists : nil)
    }

    /// To-dos on these items wait for them.
    private mutating func read(_ items: [DueItem]) -> [Action] {
        waiting = items.reversed()
        let todos = otherTodos
        otherTodos = []
        for row in todos {
            if let item = row.item, items.contains(where: { $0.item == item }) {
                heldTodos[item, default: []].append(row)
            } else {
                otherTodos.append(row)
            }
        }
        return [.readItems(count: items.count)]
    }

    /// All that an item was asked for has come, or has failed; returns the to-dos to commit with what it has brought.
    mutating func take(_ reading: ItemReading) -> [TodoRow] {
        guard phase != .ended else { return [] }
        let due = reading.due
        switch due.reason.urgency {
        case .news: hasReadNews = hasReadNews || reading.isAnswered
        case .rounds:
            hasReadRounds = hasReadRounds || reading.isAnswered
            areRoundsHeldBack = areRoundsHeldBack || reading.isHeldBack || reading.areMetadataListsHeldBack
        case .person: break
        }
        if due.reason != .metadataLists { readings.append(ItemVerdict(watch: due.watch, reading: reading.health)) }
        listReadings.append(ListVerdict(watch: due.watch, readings: reading.lists))
        return heldTodos.removeValue(forKey: due.item) ?? []
    }

    /// To-dos whose item was not read after all, since it is gone or the cycle was broken off, are read again.
    private mutating func takeItems(_ count: RequestGate.Count) -> [Action] {
        areTodosCommitted = areTodosCommitted && heldTodos.isEmpty
        guard case .full = kind else { return commitOthers() }
        let isTrusted = tally.outcome(count) == .answered
        defer { listReadings = [] }
        return [.settleFallbacks(listReadings, isTrusted: isTrusted), .readFeeds]
    }

    private mutating func commitOthers() -> [Action] {
        guard !otherTodos.isEmpty else { return finish() }
        return [.commitTodos(otherTodos)]
    }

    /// The to-dos count as read once all of them are committed.
    private func finish() -> [Action] {
        var actions: [Action] = []
        if areTodosCommitted, let reading = todosReading, !reading.isPartial {
            actions.append(.rememberTodos(reading.beginning, listing: reading.scan.firstPageIDs))
        }
        if case .full = kind {
            if !isWatchListFirst { actions.append(.extendWatchList) }
            actions.append(.checkToken)
        }
        return actions + [.end]
    }

    // MARK: End

    /// All is done that the cycle asked for; nothing follows from one that was cancelled or has ended before.
    mutating func end(_ ending: Ending, at now: MonotonicInstant) -> [Conclusion] {
        guard phase != .ended else { return [] }
        let wasDenied = phase == .opening
        phase = .ended
        let outcome = tally.outcome(ending.count)
        // A failure says nothing about its item while GitLab as a whole is in trouble, nor does a refusal where everything is refused.
        let settled = readings.filter { verdict in
            switch verdict.reading {
            case .failed: outcome == .answered
            case .missing: !tally.isShutOut
            case .read, .interrupted: true
            }
        }
        if case .named(let items) = kind, outcome == .answered, !wasDenied {
            return [.logNamed(count: items.count), .settleItems(settled)] + verdictConclusions
        }
        let report = PollPolicy.Report(
            outcome: outcome,
            action: kind == .probe ? .probe : .cycle,
            startedAt: startedAt,
            endedAt: now,
            items: ending.items,
            sweeps: ending.sweeps,
            hasNews: hasNews || wasHinted,
            budgetInterval: .nanoseconds(ending.requestInterval.wholeNanoseconds * Int64(ending.count.requests)),
            quotaInterval: quotaInterval(ending.count.quotaWait, at: now),
            answers: ending.count.answers
        )
        return [.plan(report, ending.count), .settleItems(settled)] + conclusions(of: outcome)
    }

    /// From the beginning of the cycle, while what GitLab says counts from its end.
    private func quotaInterval(_ wait: Duration, at now: MonotonicInstant) -> Duration {
        wait > .zero ? startedAt.duration(to: now) + wait : .zero
    }

    /// What a token that was doubted leads to; nothing for one that works.
    private var verdictConclusions: [Conclusion] {
        switch tally.verdict {
        case .tokenDead(let rejection): [.expire(rejection)]
        case .askAgain(let at): [.probeAgain(at: at)]
        case .tokenWorks, .undecided, nil: []
        }
    }

    private func conclusions(of outcome: PollPolicy.Outcome) -> [Conclusion] {
        let conclusions = verdictConclusions
        guard conclusions.isEmpty else { return conclusions }
        switch outcome {
        case .failed, .refused: return [.settleTrouble(isAnswered: false)]
        case .answered where kind != .probe && tally.read > 0:
            return [.clearDeaths, .settleTrouble(isAnswered: !areTodosBeyondBounds), .recordPoll]
        case .answered, .rateLimited: return []
        }
    }
}
