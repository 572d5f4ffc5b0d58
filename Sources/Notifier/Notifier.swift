package import Configuration
package import HTTP
package import Platform
package import SQLite

/// What the notifier needs from the world it runs in, live or simulated. It never learns which one it is.
package struct NotifierEnvironment {
    var time: any TimeSource
    var entropy: any EntropySource
    /// Reaches GitLab and APNs.
    var http: any HTTPClient
    /// Handed over: nobody else may use it afterwards.
    var database: Database
    /// Where the database is used; nil for wherever the tasks run.
    var storeExecutor: (any SerialExecutor)?
    var log: any LogSink
    /// The rules of the time zones that people may name for their quiet hours.
    var timeZones: any TimeZoneSource
    /// Where backups of the database go; nil for none.
    var backups: (any BackupDestination)?
    /// Copies the database beside ``database``; nil where that is the only connection it may have.
    var backupReader: BackupReader?
    /// Remembers beyond the death of the process which accounts were being read; without it none is ever set aside.
    var pollMarks: (any PollMarks)?

    package init(
        time: any TimeSource,
        entropy: any EntropySource,
        http: any HTTPClient,
        database: Database,
        storeExecutor: (any SerialExecutor)?,
        log: any LogSink,
        timeZones: any TimeZoneSource,
        backups: (any BackupDestination)? = nil,
        backupReader: BackupReader? = nil,
        pollMarks: (any PollMarks)? = nil
    ) {
        self.time = time
        self.entropy = entropy
        self.http = http
        self.database = database
        self.storeExecutor = storeExecutor
        self.log = log
        self.timeZones = timeZones
        self.backups = backups
        self.backupReader = backupReader
        self.pollMarks = pollMarks
    }
}

/// The whole server: polls GitLab, keeps the outbox, pushes through APNs, and answers its REST API.
///
/// The same builder serves the live server, simulations and tests. Dropping it without ``run()`` having returned is a crash: the next
/// one on the same database takes up what was under way.
package final class Notifier: Sendable {
    /// The REST API; works before, during and after ``run()``, though nothing is polled or pushed outside of it.
    package let api: any HTTPHandler

    private let polling: PollingService
    private let delivery: DeliveryService
    private let maintenance: MaintenanceLoop
    private let digests: DigestService
    private let outsideCommits: OutsideCommits
    private let reminders: ReminderService
    private let stopSignal: WakeSignal
    private let time: any TimeSource
    private let shutdownTimeout: Duration
    private let log: Log

    /// Brings the database up to date and puts the parts together. Sends nothing.
    ///
    /// - Parameters:
    ///   - configuration: what can be chosen.
    ///   - secrets: what nobody else may know.
    ///   - instances: the GitLabs that people may use it with.
    ///   - environment: the world.
    /// - Throws: `ConfigurationError`, `CryptoError` for a key that is none, `SQLiteError`; also when
    ///   the database was sealed with a key that is not among the secrets.
    package init(
        configuration: NotifierConfiguration,
        secrets: NotifierSecrets,
        instances: ServedInstances,
        environment: sending NotifierEnvironment
    ) throws {
        try configuration.validate()
        try secrets.validate()
        let (time, entropy, http) = (environment.time, environment.entropy, environment.http)
        let watches = Watches(configuration, time, environment.log)
        let (log, metrics) = (watches.log, watches.metrics)
        try Store.migrate(environment.database, at: time.wallNow)
        let sealer = try SecretSealer(secrets.encryptionKeys, entropy: entropy)
        let vault = try DeviceTokenVault.open(in: Store(environment.database), sealer: sealer, entropy: entropy)
        let (database, executor) = (environment.database, environment.storeExecutor)
        let store = StoreActor(database: database, executor: executor, watch: watches.store)
        let servers = OAuthServers(secrets.oauthApplications, http: http, requestTimeout: configuration.requestTimeout)
        let grants = GrantKeeper(store: store, sealer: sealer, servers: servers, time: time, log: log)
        let signer = try secrets.apnsKey.map(ProviderTokenSigner.init)
        let delivery = DeliveryService(
            store: store,
            client: http,
            tokens: ProviderTokenSource(signer: signer, store: store, sealer: sealer, time: time, log: log),
            deviceTokens: vault,
            configuration: configuration,
            time: time,
            entropy: entropy,
            zones: environment.timeZones,
            log: log,
            metrics: metrics
        )
        let pollingContext = PollingContext(
            store: store,
            http: http,
            time: time,
            entropy: entropy,
            log: log,
            configuration: configuration,
            outbox: Outbox(entropy: entropy, configuration),
            sealer: sealer,
            outboxSignal: delivery.wakeSignal,
            grants: grants,
            instances: instances,
            digestSignal: WakeSignal(time: time),
            zones: environment.timeZones,
            metrics: metrics,
            marks: environment.pollMarks,
            looks: configuration.changeDetection == .sweep ? SharedLooks() : nil,
            answers: ResponseBudget(time: time),
            decoded: DecodedAnswers(),
            gates: InstanceGates(configuration, time: time, log: log, metrics: metrics)
        )
        (polling, self.delivery, self.time, self.log) = (PollingService(pollingContext), delivery, time, log)
        (digests, reminders) = (DigestService(pollingContext), ReminderService(pollingContext, status: polling.status))
        outsideCommits = OutsideCommits(store: store, time: time, outboxSignal: delivery.wakeSignal)
        maintenance = MaintenanceLoop(pollingContext, (environment.backups, environment.backupReader), watches.store)
        (stopSignal, shutdownTimeout) = (WakeSignal(time: time), configuration.shutdownTimeout)
        api = RESTAPI(
            APIContext(
                pollingContext,
                deviceTokens: vault,
                sessions: SessionIssuer(configuration, key: secrets.sessionKey, entropy: entropy),
                oauth: servers,
                webhookSecret: secrets.webhookSecret,
                polling: polling,
                delivery: delivery
            )
        )
    }

    /// What tells the operator how the server and its machine are.
    private struct Watches {
        let metrics: MetricsRegistry
        let store: StoreMonitor
        let log: Log

        init(_ configuration: NotifierConfiguration, _ time: any TimeSource, _ sink: any LogSink) {
            metrics = MetricsRegistry(tellsPeopleApart: configuration.metricsByUser)
            metrics.set(.notifierInfo, to: 1, [NotifierVersion.current])
            metrics.set(.notifierStart, to: time.wallNow)
            store = StoreMonitor(time: time, sink: sink, metrics: metrics)
            log = Log(sink: sink, watch: store)
        }
    }

    /// Polls and delivers until ``stop()`` or cancellation, then returns; may run once.
    ///
    /// After ``stop()`` polling ends first, then pushes under way get their outcome, at most for the configured shutdown timeout.
    /// When cancelled, or at that deadline, their leases are given back at once. No task is left behind.
    ///
    /// - Throws: `SQLiteError` when the database cannot be read at the start.
    package func run() async throws {
        log.write(.notifierStarted, [("version", .text(NotifierVersion.current))])
        defer { log.write(.notifierStopped) }
        do {
            try await runParts()
        } catch is CancellationError {
            // Asked for.
        }
    }

    /// Pushes from now on with another key; with nil it pushes nothing any more.
    ///
    /// - Throws: `ConfigurationError.badSecret`, `CryptoError` for a key that is none; then the one before stays.
    package func use(_ key: NotifierSecrets.APNsKey?) async throws {
        try key?.validate()
        await delivery.use(try key.map(ProviderTokenSigner.init))
    }

    /// Asks ``run()`` to end in order.
    package func stop() {
        stopSignal.send()
    }

    private enum Ending {
        case intake, delivery, deadline
    }

    private func runParts() async throws {
        try await withThrowingTaskGroup(of: Ending.self) { group in
            group.addTask {
                try await self.runIntake()
                return .intake
            }
            group.addTask {
                try await self.delivery.run()
                return .delivery
            }
            while let ending = try await group.next() {
                switch ending {
                case .intake:
                    await delivery.stop()
                    group.addTask {
                        try await self.time.sleep(for: self.shutdownTimeout)
                        return .deadline
                    }
                case .delivery, .deadline: group.cancelAll()
                }
            }
        }
    }

    /// Everything that makes new work, until the stop signal is sent.
    private func runIntake() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.polling.run() }
            group.addTask { try await self.maintenance.run() }
            group.addTask { try await self.digests.run() }
            group.addTask { try await self.outsideCommits.run() }
            group.addTask { try await self.reminders.run() }
            group.addTask { _ = try await self.stopSignal.wait(until: nil) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
