import Configuration
import Crypto
import HTTP
import Live
import Notifier
import Platform
import SQLite
import Synchronization

/// The server as one program: the notifier on the system's clocks, a database file, libcurl and a socket.
final class DaemonService: Sendable {
    /// Where settings and secrets come from, for reading them again.
    let source: DaemonInputs.Source
    /// As they were at the start.
    let settings: DaemonSettings
    let secrets: NotifierSecrets
    let identity: HTTPServerConfiguration.Identity?
    let log: LiveLog
    let manager: LiveServiceManager
    /// What is pushed with now.
    let apnsKey: Mutex<NotifierSecrets.APNsKey?>

    /// - Throws: `DaemonError.settingsUnreadable` when the TLS certificate, its key or the authorities cannot be read; `settingsInvalid`.
    init(_ inputs: DaemonInputs, from source: DaemonInputs.Source, log: LiveLog, manager: LiveServiceManager) throws {
        self.source = source
        (settings, secrets, identity) = (inputs.settings, inputs.secrets, try inputs.settings.listen.identity())
        try inputs.settings.checkAuthorities()
        try inputs.settings.checkBackups()
        self.log = log
        self.manager = manager
        apnsKey = Mutex(inputs.secrets.apnsKey)
    }

    private enum Part {
        case server, notifier, other
    }

    /// Serves until a request to stop, then ends in order.
    ///
    /// - Throws: `DaemonError` when it cannot start; what the notifier throws when it cannot go on.
    func run(_ signals: LiveSignalStream) async throws {
        try DatabaseFiles.checkThatItIsAFile(settings.database)
        try checkUnknownDatabase()
        let lock = try DatabaseLock(settings.database)
        defer { withExtendedLifetime(lock) {} }
        try prepareDatabase()
        let meter = makeMeter()
        let notifier = try makeNotifier(meter)
        let server = try makeServer(meter.counting(notifier.api))
        lock.announce(port: server.port)
        try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask {
                await server.run()
                return .server
            }
            group.addTask {
                try await notifier.run()
                return .notifier
            }
            group.addTask {
                await self.keepWatchdogQuiet(notifier)
                return .other
            }
            group.addTask {
                await self.obey(signals, notifier, server)
                return .other
            }
            tellReady(server)
            meter.begin()
            defer { group.cancelAll() }
            // Both end when they were asked to. When the notifier ends with an error, the rest ends with it.
            var running: Set = [Part.server, .notifier]
            while !running.isEmpty, let part = try await group.next() { running.remove(part) }
            meter.end()
        }
    }

    private func tellReady(_ server: HTTPServer) {
        log.write(
            LogEntry(
                level: .notice,
                message: "daemon.ready",
                fields: [
                    ("listen.address", .text(settings.listen.address)),
                    ("listen.port", .number(Int64(server.port))),
                ]
            )
        )
        manager.notify("READY=1")
    }

    /// systemd restarts a service that falls silent: one whose database or delivery does not answer any more, whatever it answers.
    private func keepWatchdogQuiet(_ notifier: Notifier) async {
        guard let interval = LiveServiceManager.watchdogInterval else { return }
        let pause = Duration.nanoseconds(interval.wholeNanoseconds / 2)
        let origin = HTTPOrigin(scheme: "http", host: "localhost")
        let question = HTTPRequest(method: .get, origin: origin, target: "/health/ready")
        while (try? await LiveTime().sleep(for: pause)) != nil {
            _ = await notifier.api.handle(question, from: HTTPPeer(address: "watchdog", connection: 0))
            manager.notify("WATCHDOG=1")
        }
    }

    // MARK: Building

    private func makeNotifier(_ meter: TrafficMeter) throws -> Notifier {
        let path = settings.database
        do {
            return try Notifier(
                configuration: settings.notifier,
                secrets: secrets,
                instances: ServedInstances(settings.gitlabs),
                environment: NotifierEnvironment(
                    time: LiveTime(),
                    entropy: LiveEntropy(),
                    http: meter,
                    database: try Database(path: path),
                    storeExecutor: LiveSerialExecutor(label: "database"),
                    log: log,
                    timeZones: LiveTimeZones(),
                    backups: try settings.backups.map(LiveBackupFolder.init),
                    backupReader: BackupReader(executor: LiveSerialExecutor(label: "backup")) {
                        try Database(path: path)
                    },
                    pollMarks: pollMarks()
                )
            )
        } catch SQLiteError.corrupt {
            throw DaemonError(.damaged(SQLiteError.corrupt.description), settings.database)
        } catch let error as SQLiteError {
            throw DaemonError(
                .databaseUnusable,
                "the database \(settings.database) cannot be used: \(error)",
                hint: "does its folder exist, is there room, and may this user write there?"
            )
        } catch let error as ConfigurationError {
            throw DaemonError(
                .secretInvalid,
                error.description,
                hint:
                    "ENCRYPTION_KEYS_OLD names the keys that were ENCRYPTION_KEY_CURRENT before; where no key is missing, the "
                    + "database is damaged: notifierd restore --from BACKUP"
            )
        } catch is BackupError {
            throw DaemonError(
                .settingsInvalid,
                "the folder for backups \(settings.backups ?? "") cannot be made",
                hint: "does the folder above it exist, and may this user write there?"
            )
        }
    }

    /// The client, with every request and every minute of them on record for `export-incident`; without where no file can be made for it.
    private func makeMeter() -> TrafficMeter {
        let apns: Set = [settings.notifier.productionAPNs, settings.notifier.sandboxAPNs]
        let client = LiveHTTPClient(http2Origins: apns, authorityFile: settings.authorities)
        let requests = RequestRecord(.requests, beside: settings.database)
        let traffic = RequestRecord(.traffic, beside: settings.database)
        if requests == nil || traffic == nil {
            log.write(LogEntry(level: .warning, message: "daemon.requests_unrecorded", fields: []))
        }
        let recorded: any HTTPClient =
            requests.map { RecordingClient(client, record: $0, apns: apns, time: LiveTime()) } ?? client
        return TrafficMeter(recorded, apns: apns, time: LiveTime()) { traffic?.append($0) }
    }

    /// Room for what the limits allow, in header fields of the usual size, and for the head of an answer; the limits themselves are the
    /// notifier's.
    private static func connectionMemoryBytes(_ limits: NotifierConfiguration) -> Int {
        2 * (limits.requestHeaderLimitBytes + limits.requestTargetLimitBytes) + 8_192
    }

    /// Nil where no file can be made for them.
    private func pollMarks() -> PollMarksFile? {
        let marks = PollMarksFile(beside: settings.database)
        if marks == nil { log.write(LogEntry(level: .warning, message: "daemon.polls_unmarked", fields: [])) }
        return marks
    }

    private func makeServer(_ api: any HTTPHandler) throws -> HTTPServer {
        var server = HTTPServerConfiguration()
        server.address = settings.listen.address
        server.port = settings.listen.port
        server.bodyLimitBytes = settings.notifier.requestBodyLimitBytes
        server.headerLimitBytes = Self.connectionMemoryBytes(settings.notifier)
        // All of a proxy's connections come from its own address.
        if settings.listen.trustsForwardedFor { server.connectionsPerAddressLimit = server.connectionLimit }
        server.identity = identity
        do throws(HTTPServerError) {
            let isBehindProxy = settings.listen.trustsForwardedFor
            return try HTTPServer(
                server,
                handler: isBehindProxy ? ForwardedHandler(handler: api) : api
            )
        } catch {
            throw DaemonError(.cannotListen, error.description, hint: "\"listen\" in the settings says where")
        }
    }
}
