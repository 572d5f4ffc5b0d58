import Platform

/// Forgets what nobody needs any more, once a day: the history's end.
struct Housekeeping: Sendable {
    private static let interval: Duration = .hours(24)
    /// After a start, so that a server restarted every day cleans up too.
    private static let firstDelay: Duration = .hours(1)
    /// Rows per transaction, so that deliveries need not wait long.
    private static let batch = 500

    let store: StoreActor
    let time: any TimeSource
    let retention: Duration
    let log: Log

    /// Works until the task is cancelled.
    ///
    /// - Throws: `CancellationError` when cancelled.
    func run() async throws {
        try await time.sleep(for: Self.firstDelay)
        while true {
            await purge()
            try await time.sleep(for: Self.interval)
        }
    }

    /// How long receipts are kept; the figures they are for look back a day.
    private static let receiptRetention: Duration = .days(7)

    private func purge() async {
        let now = time.wallNow
        do {
            let notifications = try await purge { [end = now.advanced(by: .zero - retention)] store in
                try store.purgeNotifications(before: end, limit: Self.batch)
            }
            if notifications > 0 { log.write(.notificationsPurged, [("notifications", .count(notifications))]) }
            let receipts = try await purge { [end = now.advanced(by: .zero - Self.receiptRetention)] store in
                try store.purgeReceipts(before: end, limit: Self.batch)
            }
            if receipts > 0 { log.write(.receiptsPurged, [("receipts", .count(receipts))]) }
        } catch {
            // The next day tries again.
            log.write(.housekeepingFailed, [("error", .text(String(describing: error)))])
        }
    }

    /// Purges batch by batch; returns how many rows went.
    private func purge(_ batch: @Sendable (Store) throws -> Int) async throws -> Int {
        var total = 0
        while true {
            let count = try await store.transaction { try batch($0) }
            total += count
            guard count == Self.batch else { return total }
        }
    }
}
