import Platform

extension MetricsRegistry {
    /// Takes over what stands in the tables, for the page that is about to be written.
    func take(_ figures: StoredFigures, at now: WallTime) {
        var depth: [Series: Int64] = [:]
        for status in ["queued", "sending", "dead"] { depth[Series(labels: [status])] = 0 }
        var oldest = [Series(): Int64(0)]
        for queue in figures.queues {
            for (status, count) in [("queued", queue.queued), ("sending", queue.sending), ("dead", queue.dead)] {
                depth[Series(labels: [status], account: queue.account)] = Int64(count) * 1_000_000
            }
            guard let since = queue.oldest else { continue }
            oldest[Series(account: queue.account)] = max(since.duration(to: now), .zero).wholeMicroseconds
        }
        replace(.outboxDepth, depth)
        replace(.outboxOldestAge, oldest)
        replace(.watchedItems, by: figures.watches)
        replace(.asksOpen, by: figures.openAsks)
        replace(.remindersDue, by: figures.dueReminders)
        replace(.remindersNextDue, figures.nextReminder.map { [Series(): $0.microseconds] } ?? [:])
        set(.activeUsers, to: figures.activeAccounts)
        takeDeliveryRate()
    }

    private func replace(_ metric: Metric, by counts: [(account: AccountID, count: Int)]) {
        let values = counts.map { (Series(account: $0.account), Int64($0.count) * 1_000_000) }
        replace(metric, Dictionary(values) { $1 }.merging([Series(): 0]) { old, _ in old })
    }

    /// Forgets what stands in the tables: they cannot be read.
    func dropFigures() {
        let metrics: [Metric] = [
            .outboxDepth, .outboxOldestAge, .watchedItems, .asksOpen, .remindersDue, .remindersNextDue, .activeUsers,
        ]
        for metric in metrics { replace(metric, [:]) }
    }

    private func takeDeliveryRate() {
        let families = snapshot
        let (sent, received) = (
            families[Metric.apnsSent.rawValue].values, families[Metric.apnsReceived.rawValue].values
        )
        let rates = sent.compactMap { series, count in
            count > 0 ? (series, (received[series] ?? 0) * 1_000_000 / count) : nil
        }
        replace(.apnsDeliveryRate, Dictionary(rates) { $1 })
    }
}
