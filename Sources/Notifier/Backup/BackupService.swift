import Platform
import SQLite

/// Copies the database once a day while it is in use (`VACUUM INTO`, which sees one consistent state), looks whether the copy is
/// good, and keeps the newest seven. Secrets are sealed in the copy as they are in the database.
///
/// With a reader of its own the server goes on meanwhile. Without, nothing else uses the database while the copy is written.
struct BackupService: Sendable {
    let store: StoreActor
    let destination: any BackupDestination
    let time: any TimeSource
    let log: Log
    let metrics: MetricsRegistry
    /// Copies over another connection than the store's.
    var reader: BackupReader?

    /// Works until the task is cancelled.
    ///
    /// - Throws: `CancellationError` when cancelled.
    func run() async throws {
        noteNewest()
        try await time.sleep(for: BackupSchedule.firstDelay)
        while true {
            var wait = BackupSchedule.retryDelay
            do {
                wait = BackupSchedule.wait(names: try destination.names(), at: time.wallNow)
                if wait == .zero {
                    try await make()
                    wait = BackupSchedule.interval
                }
            } catch {
                // Tried again in an hour, and told of by an alert when that goes on. The wait so far is that for one that was due.
                wait = BackupSchedule.retryDelay
                metrics.count(.backupFailures)
                log.write(.backupFailed, [("error", .text(String(describing: error)))])
            }
            try await time.sleep(for: wait)
        }
    }

    /// Makes a backup now, and removes those that are too many. A copy that is not good never gets its name.
    ///
    /// - Throws: `BackupError`, `SQLiteError`, or what the destination throws.
    func make() async throws {
        let now = time.wallNow
        let name = BackupSchedule.name(at: now)
        let path = try destination.begin(name)
        do {
            try await write(name, to: path)
            let size = try destination.finish(name)
            metrics.set(.backupLastSuccess, to: now)
            metrics.set(.backupSize, to: size)
            log.write(.backupMade, [("backup", .text(name)), ("bytes", .count(size))])
        } catch {
            // The error that led here is the one to report; the next backup takes the place anew.
            try? destination.remove(name)
            throw error
        }
        let names = try destination.names()
        for old in BackupSchedule.expired(names: names, at: now) { try destination.remove(old) }
        for left in BackupSchedule.abandoned(names: try destination.unfinished(), at: now) where !names.contains(left) {
            try destination.remove(left)
        }
    }

    /// Writes a copy, and looks whether it is good.
    private func write(_ name: String, to path: String) async throws {
        guard let reader else {
            let expected = try await store.copy(to: path)
            return try Store(try destination.open(name)).verify(expected)
        }
        do {
            try await reader.copy(to: path)
        } catch SQLiteError.corrupt {
            store.watch?.failed(.corrupt)
            throw SQLiteError.corrupt
        }
        try await reader.check(name, in: destination)
    }

    /// After a restart the newest backup is as old as its name says.
    private func noteNewest() {
        // A folder that cannot be read fails the first backup, which tells of it.
        guard let names = try? destination.names() else { return }
        let newest = names.compactMap(BackupSchedule.instant).filter { $0 <= time.wallNow }.max()
        if let newest { metrics.set(.backupLastSuccess, to: newest) }
    }
}
