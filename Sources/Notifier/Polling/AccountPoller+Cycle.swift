import HTTP
import Platform

/// One cycle: the to-dos, the sweeps, then the items that are due, a few at a time, each committed as soon as it is read.
extension AccountPoller {
    /// So many failures in a row, over all sources, end a cycle.
    private static let patience = 5

    func runCycle() async throws {
        let startedAt = context.time.monotonicNow
        openCycle()
        guard try await renewAccess() else { return try await closeCycle(.cycle, startedAt: startedAt) }
        await refreshCapabilities()
        let todos = await readTodos()
        await sweep()
        chooseItems(at: startedAt, todos: todos)
        inbox.forgetNamed(dueItems.map(\.item.watched.item))
        let others = holdTodos(todos)
        await readItems()
        await readFeeds()
        if !others.isEmpty { await commitTodos(others) }
        finishTodos()
        await watchTagged()
        try await checkToken()
        try Task.checkCancellation()
        try await closeCycle(.cycle, startedAt: startedAt)
    }

    func openCycle() {
        measureBeginning()
        gate.openCycle(patience: isPatient ? .max : Self.patience)
        tally = CycleTally()
        hasNews = false
        sweepsToAsk = []
        dueItems = []
        todosByItem = [:]
        todosCommitted = true
        readings = []
        listReadings = []
        todosReading = nil
        partOfTodos = nil
        areTodosBeyondBounds = false
        polled?.boundNewRows()
    }

    /// The new to-dos.
    func readTodos() async -> [TodoRow] {
        guard let polled else { return [] }
        let startedAt = context.time.wallNow
        polled.todos.seen.raiseFloor(at: context.time.monotonicNow, overlap: context.configuration.overlap)
        do {
            let reading = try await polled.reader.read(
                polled.todos.list,
                by: TodosScan(limits: Self.todoLimits),
                known: polled.todos.seen.ids,
                memory: isTodoReviewDue ? nil : polled.todos.memory
            )
            note(reading, of: polled.todos, watch: nil)
            if reading.isPartial { return takePart(reading) }
            todosReadAt = context.time.wallNow
            if isTodoReviewDue { await reviewTodos(reading) }
            if reading.isUnchanged, reading.scan.found.isEmpty { return [] }
            if !reading.isUnchanged { await readElsewhere(exceptFor: reading.scan.listedIDs, before: startedAt) }
            todosReading = reading
            hasNews = hasNews || !reading.scan.found.isEmpty
            return reading.scan.found
        } catch {
            polled.todos.take(error)
            areTodosBeyondBounds = error.isBeyondBounds
            await take(error, watch: nil)
            return []
        }
    }

    /// Twenty thousand pending to-dos: GitLab itself counts half as many (GitLab facts §4).
    private static let todoLimits = ScanLimits(pages: 200)

    /// So many are new that they are dealt with a part at a time: the next cycle, which comes at once, goes on behind them.
    private func takePart(_ reading: ListReading<TodosScan>) -> [TodoRow] {
        context.log.write(.todosInParts, [accountField, ("scan.rows", .count(reading.scan.found.count))])
        hasNews = true
        partOfTodos = reading
        return reading.scan.found
    }

    /// Decides which items this cycle reads, and why; the last of the list is read first.
    private func chooseItems(at now: MonotonicInstant, todos: [TodoRow]) {
        guard let polled else { return }
        guard context.configuration.changeDetection == .sweep else {
            dueItems = polled.items.reversed().compactMap { item in
                item.health.isDue(at: now) ? DueItem(item: item, reason: .everyCycle) : nil
            }
            return
        }
        let items = polled.items.count
        let due = DuePolicy(
            pace: policy.pace.interval(items: items),
            cycleInterval: policy.cycleInterval(items: items, sweeps: polled.sweeps.count)
        )
        for list in polled.sweeps.reversed() {
            for item in list.items.reversed() where item.health.isDue(at: now) {
                let circumstances = DuePolicy.Circumstances(
                    isCovered: list.progress.isAnswered && !item.health.isMissing,
                    hasTodo: todos.contains { $0.item == item.watched.item },
                    mustReconcile: now >= item.reconcileAt
                )
                let reason = due.reason(item.attention, circumstances, at: now) ?? extrasReason(item, due, at: now)
                guard let reason else { continue }
                dueItems.append(DueItem(item: item, reason: reason))
            }
        }
    }

    /// To-dos on items of this cycle wait for them, so that both make one notification; the others are returned.
    func holdTodos(_ rows: [TodoRow]) -> [TodoRow] {
        var others: [TodoRow] = []
        for row in rows {
            if let item = row.item, dueItems.contains(where: { $0.item.watched.item == item }) {
                todosByItem[item, default: []].append(row)
            } else {
                others.append(row)
            }
        }
        return others
    }

    func readItems() async {
        await work(on: dueItems.count) { await $0.readDueItems() }
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

    private func readDueItems() async {
        while let due = dueItems.popLast(), !Task.isCancelled {
            await read(due)
        }
    }

    func commitTodos(_ rows: [TodoRow]) async {
        var commit = FactCommit(account: id)
        add(rows, to: &commit)
        todosCommitted = await store(commit) && todosCommitted
    }

    /// The to-dos of a cycle are remembered as read once all of them are committed.
    func finishTodos() {
        guard todosCommitted, let page = todosReading?.beginning, let polled else { return }
        polled.todos.memory = ListMemory(page, of: polled.todos.list)
    }

    func runProbe() async throws {
        let startedAt = context.time.monotonicNow
        openCycle()
        probes += 1
        context.log.write(.pollProbe, [accountField, ("probe.count", .count(probes))])
        guard try await renewAccess() else { return try await closeCycle(.probe, startedAt: startedAt) }
        do {
            try await probe()
            tally.countRead()
        } catch {
            await take(error, watch: nil)
        }
        try Task.checkCancellation()
        try await closeCycle(.probe, startedAt: startedAt)
    }

    /// Asks for one page: the to-dos, and every other time one of the items, in case it is the to-dos alone that fail.
    private func probe() async throws(GitLabError) {
        guard let polled else { return }
        try await gate.admit()
        do throws(GitLabError) {
            if probes.isMultiple(of: 2), !polled.items.isEmpty {
                let item = polled.items[probes / 2 % polled.items.count]
                _ = try await polled.reader.client
                    .page(1, as: NoteRow.self, by: item.notes.memory?.request ?? item.notes.list.firstPage)
            } else {
                _ = try await polled.reader.client
                    .page(1, as: TodoRow.self, by: polled.todos.memory?.request ?? polled.todos.list.firstPage)
            }
            gate.noteSuccess()
        } catch {
            gate.noteFailure(error)
            throw error
        }
    }

    /// Learns from the cycle and plans the next.
    func closeCycle(_ action: PollPolicy.Action, startedAt: MonotonicInstant) async throws {
        let now = context.time.monotonicNow
        let count = gate.count
        let outcome = tally.outcome(count)
        let wasProbing = policy.isProbing
        let items = polled?.items.count ?? 0
        let report = PollPolicy.Report(
            outcome: outcome,
            action: action,
            startedAt: startedAt,
            endedAt: now,
            items: items,
            sweeps: sweepCount,
            hasNews: hasNews,
            budgetInterval: .nanoseconds(gate.requestInterval.wholeNanoseconds * Int64(count.requests))
        )
        plan = policy.next(after: report, draw: context.entropy.nextUInt64())
        if action == .cycle { isPatient = count.isGivenUp && lastProbeAnswered }
        lastProbeAnswered = action == .probe && outcome == .answered
        log(report, count)
        measure(report)
        if wasProbing, outcome == .answered {
            polled?.items.forEach { $0.health.forgive() }
            polled?.capabilityWatch.noteRecovery()
            polled?.sweeps.forEach { $0.progress.forgive() }
            context.log.write(.pollRecovered, [accountField])
        }
        tellPace(items: items)
        try await settleItems(outcome, interval: policy.pace.interval(items: items))
        try await settle(outcome, action: action)
    }

    /// Nil with detection per item.
    private var sweepCount: Int? {
        context.configuration.changeDetection == .sweep ? polled?.sweeps.count ?? 0 : nil
    }

    /// Says when the watch list has grown or shrunk into another pace, and how that compares with a short one's.
    private func tellPace(items: Int) {
        let pace = policy.pace.cycleInterval(items: items, sweeps: sweepCount)
        guard pace != toldPace else { return }
        toldPace = pace
        let base = sweepCount == nil ? policy.pace.small : policy.pace.sweep
        context.log.write(
            .pollPace,
            [
                accountField, ("poll.interval_ms", .milliseconds(pace)), ("poll.base_ms", .milliseconds(base)),
                ("watch.count", .count(items)),
            ]
        )
    }

    private func log(_ report: PollPolicy.Report, _ count: RequestGate.Count) {
        let log = context.log
        let pause = Log.Field("wait.ms", .milliseconds(report.endedAt.duration(to: plan.at)))
        switch report.outcome {
        case .answered: log.write(.pollCycle, [accountField, ("poll.requests", .count(count.requests))])
        case .rateLimited(let retryAfter):
            log.write(
                .pollRateLimited,
                [
                    accountField, pause,
                    ("poll.retry_after_ms", .milliseconds(retryAfter ?? policy.pace.rateLimitPause)),
                ]
            )
        case .failed: log.write(count.isGivenUp ? .pollGivenUp : .pollFailed, [accountField, pause])
        case .refused: log.write(.pollRefused, [accountField, pause])
        }
        if count.waits > 0 { log.write(.budgetWaited, [accountField, ("budget.waits", .count(count.waits))]) }
        let wait = report.startedAt.duration(to: plan.at)
        log.write(.pollInterval, [accountField, ("poll.interval_ms", .milliseconds(wait))])
    }
}
