import Platform

/// What keeps the database in order while the server runs: sealing secrets anew, forgetting, backups.
struct Upkeep: Sendable {
    private let rotation: KeyRotation
    private let housekeeping: Housekeeping
    /// Nil when no backups are made.
    private let backup: BackupService?

    /// Works with what polling works with.
    init(_ context: PollingContext, backups: (any BackupDestination)?) {
        let (store, time, log, metrics) = (context.store, context.time, context.log, context.metrics)
        rotation = KeyRotation(store: store, sealer: context.sealer, log: log, metrics: metrics)
        housekeeping = Housekeeping(
            store: store,
            time: time,
            rules: RetentionRule.all(context.configuration),
            log: log,
            metrics: metrics
        )
        backup = backups.map {
            BackupService(store: store, destination: $0, time: time, log: log, metrics: metrics)
        }
    }

    /// Works until the task is cancelled.
    ///
    /// - Throws: `CancellationError` when cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await rotation.run()
                try await housekeeping.run()
            }
            if let backup { group.addTask { try await backup.run() } }
            try await group.waitForAll()
        }
    }
}
