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
        let watches = figures.watches.map { (Series(account: $0.account), Int64($0.count) * 1_000_000) }
        replace(.watchedItems, Dictionary(watches) { $1 }.merging([Series(): 0]) { old, _ in old })
        set(.activeUsers, to: figures.activeAccounts)
        takeDeliveryRate()
    }

    /// Forgets what stands in the tables: they cannot be read.
    func dropFigures() {
        for metric in [Metric.outboxDepth, .outboxOldestAge, .watchedItems, .activeUsers] { replace(metric, [:]) }
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
