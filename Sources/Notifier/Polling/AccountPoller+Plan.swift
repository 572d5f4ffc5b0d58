import Platform

/// Plans what comes after a cycle, and says so.
extension AccountPoller {
    /// Learns from the cycle and plans the next.
    func plan(after report: PollPolicy.Report, _ count: RequestGate.Count) {
        let draw = context.entropy.nextUInt64()
        let isRecovered = schedule.take(report, isGivenUp: count.isGivenUp, draw: draw)
        log(report, count)
        measure(report)
        if isRecovered {
            polled?.forgive()
            context.log.write(.pollRecovered, [accountField])
        }
        tellPace(items: report.items, sweeps: report.sweeps)
        planTodos()
    }

    /// In a crowd the next cycle comes no later than the to-dos are due.
    private func planTodos() {
        guard case .full(let policy?) = cycle.kind, let todosLookedAt,
            let dueAt = policy.crowdedTodosDueAt(since: todosLookedAt), dueAt > context.time.monotonicNow
        else { return }
        schedule.bringForward(to: dueAt)
    }

    /// Says when the watch list has grown or shrunk into another pace, and how that compares with a short one's.
    private func tellPace(items: Int, sweeps: Int?) {
        guard let pace = schedule.newPace(items: items, sweeps: sweeps) else { return }
        let base = sweeps == nil ? schedule.policy.pace.small : schedule.policy.pace.sweep
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
                    ("poll.retry_after_ms", .milliseconds(retryAfter ?? schedule.policy.pace.rateLimitPause)),
                ]
            )
        case .failed: log.write(count.isGivenUp ? .pollGivenUp : .pollFailed, [accountField, pause])
        case .refused: log.write(.pollRefused, [accountField, pause])
        }
        if count.waits > 0 { log.write(.budgetWaited, [accountField, ("budget.waits", .count(count.waits))]) }
        let wait = report.startedAt.duration(to: plan.at)
        if wait == report.quotaInterval, wait > .zero {
            log.write(.quotaSpread, [accountField, ("wait.ms", .milliseconds(wait))])
            context.metrics.count(.quotaSpread, 1, of: id)
        }
        log.write(.pollInterval, [accountField, ("poll.interval_ms", .milliseconds(wait))])
    }
}
