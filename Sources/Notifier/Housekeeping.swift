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

    private func purge() async {
        let end = time.wallNow.advanced(by: .zero - retention)
        var total = 0
        do {
            while true {
                let count = try await store.transaction { try $0.purgeNotifications(before: end, limit: Self.batch) }
                total += count
                guard count == Self.batch else { break }
            }
        } catch {
            // The next day tries again.
            log.write(.housekeepingFailed, [("error", .text(String(describing: error)))])
        }
        if total > 0 { log.write(.notificationsPurged, [("notifications", .count(total))]) }
    }
}
