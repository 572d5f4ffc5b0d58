import Platform

/// Forgets what nobody needs any more, once a day.
struct RetentionPurge: Sendable {
    private static let interval: Duration = .hours(24)
    /// After a start, so that a server restarted every day cleans up too.
    private static let firstDelay: Duration = .hours(1)
    /// Rows per transaction, so that deliveries need not wait long.
    private static let batch = 500

    let store: StoreActor
    let time: any TimeSource
    let rules: [RetentionRule]
    let log: Log
    let metrics: MetricsRegistry
    /// What else is done every day; nil for nothing.
    var upkeep: DutyUpkeep?

    /// Works until the task is cancelled. On a day on which the clock has leapt ahead nothing is forgotten; the next one goes by what it shows then.
    ///
    /// - Throws: `CancellationError` when cancelled.
    func run() async throws {
        let polled = try? await store.read { try $0.newestPoll() }
        var clock = ClockTrust(wall: polled ?? time.wallNow, monotonic: time.monotonicNow)
        try await time.sleep(for: Self.firstDelay)
        while true {
            if clock.holds(wall: time.wallNow, monotonic: time.monotonicNow) {
                await work()
            } else {
                log.write(.purgePutOff)
            }
            try await time.sleep(for: Self.interval)
        }
    }

    private func work() async {
        for rule in rules { await purge(rule) }
        await upkeep?.work(at: time.wallNow)
    }

    /// Forgets everything that `rule` lets go by now.
    func purge(_ rule: RetentionRule) async {
        let end = time.wallNow.advanced(by: .zero - rule.age)
        var total = 0
        do {
            while true {
                let count = try await store.transaction { try rule.purge($0, end, Self.batch) }
                total += count
                guard count == Self.batch else { break }
            }
        } catch {
            // The next day tries again.
            log.write(.purgeFailed, [("table", .text(rule.table)), ("error", .text(String(describing: error)))])
        }
        metrics.count(.rowsPurged, total, [rule.table])
        if total > 0 { log.write(.rowsPurged, [("table", .text(rule.table)), ("rows", .count(total))]) }
    }
}
