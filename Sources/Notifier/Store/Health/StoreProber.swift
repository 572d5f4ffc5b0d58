import Platform
import SQLite

/// Sees to it that a database that fails is noticed within a minute, and one that works again too, whether anything else is written or
/// not: a server without people, or with a GitLab that is down, writes nothing for hours.
struct StoreProber: Sendable {
    let store: StoreActor
    let watch: StoreMonitor
    let time: any TimeSource

    /// Works until the task is cancelled.
    ///
    /// - Throws: `CancellationError` when cancelled.
    func run() async throws {
        while true {
            let due = watch.nextProbe
            guard due <= time.monotonicNow else {
                try await time.sleep(until: due)
                continue
            }
            // Its outcome goes to the watch, as that of every transaction does.
            try? await store.transaction { try $0.probeWrite() }
            // Failed for a reason that says nothing of the disk, it must not be repeated without a pause.
            if watch.nextProbe <= time.monotonicNow { try await time.sleep(for: StoreHealth.probeAgainAfter) }
        }
    }
}

extension Store {
    /// Makes the next commit write a page, and changes nothing: the row is gone when anybody else looks. No account has its number.
    func probeWrite() throws {
        try database.execute("INSERT INTO removed_accounts (account_id, removed_at) VALUES (-1, 0)")
        try database.execute("DELETE FROM removed_accounts WHERE account_id = -1")
    }
}
