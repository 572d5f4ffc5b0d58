import Platform

/// Polls items out of turn because webhooks named them. Ordinary cycles stay the truth and keep their plan.
extension AccountPoller {
    /// When a named item is polled, if before the next cycle. While GitLab limits the rate or does not answer, none is.
    func namedAt() -> MonotonicInstant? {
        guard !isResting, plan.action == .cycle, policy.isAnswered, polled?.account.state == .active else { return nil }
        return inbox.namedAt(context.time.monotonicNow).flatMap { $0 < plan.at ? $0 : nil }
    }

    /// Reads the to-dos and the named items of the watch list. A failure is dealt with as that of a cycle.
    func runNamedItems() async throws {
        let startedAt = context.time.monotonicNow
        let named = inbox.takeNamed(at: startedAt)
        let items = polled?.items.filter { named.contains($0.watched.item) && $0.health.isDue(at: startedAt) } ?? []
        guard !items.isEmpty else { return }
        openCycle()
        guard try await renewAccess() else { return try await closeCycle(.cycle, startedAt: startedAt) }
        let todos = await readTodos()
        dueItems = items.reversed().map { DueItem(item: $0, reason: .named) }
        let others = holdTodos(todos)
        await readItems()
        if !others.isEmpty { await commitTodos(others) }
        finishTodos()
        try Task.checkCancellation()
        let outcome = tally.outcome(gate.count)
        guard outcome == .answered else { return try await closeCycle(.cycle, startedAt: startedAt) }
        context.log.write(.pollNamed, [accountField, ("watch.count", .count(items.count))])
        try await settleItems(outcome, interval: policy.pace.interval(items: polled?.items.count ?? 0))
        try await settleToken()
    }

    /// A 401 among the answers may have shown that the token is dead.
    private func settleToken() async throws {
        guard tally.verdict != nil else { return }
        try await settle(.answered, action: .probe)
    }
}
