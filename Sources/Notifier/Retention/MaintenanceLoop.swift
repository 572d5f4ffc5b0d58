import Platform

/// What keeps the database in order while the server runs: sealing secrets anew, forgetting, backups, and looking whether it
/// takes anything at all.
struct MaintenanceLoop: Sendable {
    private let time: any TimeSource
    private let rotation: KeyRotation
    private let purge: RetentionPurge
    /// Nil when no backups are made.
    private let backup: BackupService?
    private let prober: StoreProber

    /// Works with what polling works with; `backups` says where they go, and what copies beside the store.
    init(
        _ context: PollingContext,
        _ backups: (folder: (any BackupDestination)?, reader: BackupReader?),
        _ watch: StoreMonitor
    ) {
        let (store, time, log, metrics) = (context.store, context.time, context.log, context.metrics)
        self.time = time
        rotation = KeyRotation(store: store, sealer: context.sealer, log: log, metrics: metrics)
        purge = RetentionPurge(
            store: store,
            time: time,
            rules: RetentionRule.all(context.configuration),
            log: log,
            metrics: metrics,
            upkeep: DutyUpkeep(store: store, book: DutyBook(zones: context.zones), log: log)
        )
        prober = StoreProber(store: store, watch: watch, time: time)
        backup = backups.folder.map {
            BackupService(
                store: store,
                destination: $0,
                time: time,
                log: log,
                metrics: metrics,
                reader: backups.reader
            )
        }
    }

    /// Works until the task is cancelled.
    ///
    /// - Throws: `CancellationError` when cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let isRotated = await rotation.run()
                async let rotatesLater: Void = isRotated ? () : rotation.retry(by: time)
                try await purge.run()
                try await rotatesLater
            }
            group.addTask { try await prober.run() }
            if let backup { group.addTask { try await backup.run() } }
            try await group.waitForAll()
        }
    }
}
