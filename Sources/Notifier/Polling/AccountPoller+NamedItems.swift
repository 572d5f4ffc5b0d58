import Platform

/// Polls items out of turn because webhooks named them. Ordinary cycles stay the truth and keep their plan.
extension AccountPoller {
    /// When a named item is polled, if before the next cycle. While GitLab limits the rate or does not answer, none is.
    func namedAt() -> MonotonicInstant? {
        guard !isResting, plan.action == .cycle, schedule.policy.isAnswered, polled?.account.state == .active else {
            return nil
        }
        return inbox.namedAt(context.time.monotonicNow).flatMap { $0 < plan.at ? $0 : nil }
    }

    /// Reads the to-dos and the named items of the watch list. A failure is dealt with as that of a cycle.
    func runNamedItems() async throws {
        let startedAt = context.time.monotonicNow
        let named = inbox.takeNamed(at: startedAt)
        let items = polled?.items.filter { named.contains($0.watched.item) && $0.health.isDue(at: startedAt) } ?? []
        guard !items.isEmpty else { return }
        try await run(.named(items.map { $0.due(.named) }), at: startedAt)
    }
}
