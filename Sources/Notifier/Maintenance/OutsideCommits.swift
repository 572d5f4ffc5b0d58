import Platform
import SQLite

/// Notices what another process has put into the database, such as `notifierd announce`, and lets it go out.
///
/// SQLite counts commits of other connections where each connection sees them (`PRAGMA data_version`): a look reads that one number.
struct OutsideCommits: Sendable {
    /// So long what an operator announces waits at most before it goes to APNs.
    static let interval = Duration.seconds(30)

    let store: StoreActor
    let time: any TimeSource
    let outboxSignal: WakeSignal

    /// Works until the task is cancelled.
    ///
    /// - Throws: `CancellationError` when cancelled.
    func run() async throws {
        var known: Int64?
        while true {
            // What cannot be read now is looked at again; whoever writes to the database reports its faults.
            let version = try? await store.read { try $0.outsideVersion() }
            if let known, let version, version != known { outboxSignal.send() }
            known = version ?? known
            try await time.sleep(for: Self.interval)
        }
    }
}

extension Store {
    /// Another number whenever another connection has changed the database.
    fileprivate func outsideVersion() throws -> Int64? {
        try database.first("PRAGMA data_version") { $0.int64(0) }
    }
}
