import Platform

/// What the poller measures.
extension AccountPoller {
    /// The gauges that speak of a person who is polled.
    private static let gauges: [Metric] = [
        .pollLoopHeartbeat, .pollConsecutiveFailures, .pollInterval, .clockOffset, .accountsSetAside,
    ]

    /// A cycle or probe begins.
    func measureBeginning() {
        context.metrics.set(.pollLoopHeartbeat, to: context.time.wallNow, of: id)
    }

    /// A cycle or probe ended.
    func measure(_ report: PollPolicy.Report) {
        let metrics = context.metrics
        if report.action == .cycle {
            metrics.observe(.pollCycleDuration, report.startedAt.duration(to: report.endedAt), of: id)
        }
        metrics.set(.pollConsecutiveFailures, to: schedule.consecutiveFailures, of: id)
        metrics.set(.pollInterval, to: report.startedAt.duration(to: plan.at), of: id)
    }

    /// The account is not polled any more, for now or for good: nobody waits for its next cycle.
    func measureEnd() {
        context.metrics.forgetGauges(Self.gauges, of: id)
    }

    /// News about the service itself went into the outbox.
    func measureNotice() {
        context.metrics.count(.notificationsQueued, 1, ["service"], of: id)
    }
}
