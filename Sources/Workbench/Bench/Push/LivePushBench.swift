import Configuration
import Crypto
import Glibc
import HTTP
import Live
import Notifier
import Platform
import SQLite

/// The notifier as `notifierd` builds it, on a database file, with what it sends measured.
struct LivePushBench {
    /// The queue was not empty in time.
    struct Unfinished: Error, CustomStringConvertible {
        var description: String { "deliveries still wait after \(LivePushBench.timeLimit)" }
    }

    private static let timeLimit = Duration.seconds(300)
    private static let watchInterval = Duration.milliseconds(10)

    let place: ServedPlace
    let arguments: PushBenchArguments
    /// Path of the database, which does not exist yet.
    let database: String

    /// Fills the outbox, then lets the notifier run until it is empty. Blocks the calling thread.
    ///
    /// - Throws: what the notifier throws, `PushQueue.Refused`, `Unfinished`.
    func run() throws -> PushFigures {
        try LiveBlocking.result { try await measure() }
    }

    private func measure() async throws -> PushFigures {
        let configuration = try configuration()
        let client = LiveHTTPClient(
            http2Origins: [configuration.productionAPNs, configuration.sandboxAPNs],
            authorityFile: place.caFile,
            usesSystemProxy: false
        )
        // Nothing is lost with the machine while the queue is filled; pushing commits as the notifier always does.
        let queue = PushQueue(api: try makeNotifier(client, DatabaseOptions(synchronous: .off)).api, place: place)
        _ = try await queue.fill(rounds: arguments.rounds)
        let meter = PushMeter(client)
        let notifier = try makeNotifier(meter, DatabaseOptions())
        let watch = try Database(path: database)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            let before = Self.processorSeconds
            group.addTask { try await notifier.run() }
            let end = try await Self.waitUntilEmpty(watch)
            let figures = PushFigures(
                meter.samples,
                until: end,
                processorSeconds: Self.processorSeconds - before
            )
            notifier.stop()
            try await group.waitForAll()
            return figures
        }
    }

    private func makeNotifier(_ client: any HTTPClient, _ options: DatabaseOptions) throws -> Notifier {
        try Notifier(
            configuration: try configuration(),
            secrets: secrets,
            instances: ServedInstances([HTTPOrigin(place.gitlab.url)].compactMap(\.self)),
            environment: NotifierEnvironment(
                time: LiveTime(),
                entropy: LiveEntropy(),
                http: client,
                database: try Database(path: database, options: options),
                storeExecutor: LiveSerialExecutor(label: "database"),
                log: LiveLog(minimumLevel: .info),
                timeZones: LiveTimeZones()
            )
        )
    }

    private func configuration() throws(ProgramError) -> NotifierConfiguration {
        guard let production = HTTPOrigin(place.apns.url), let sandbox = HTTPOrigin(place.apns.sandboxURL) else {
            throw ProgramError(.badValue, "the served world names no address of its APNs")
        }
        var configuration = NotifierConfiguration()
        configuration.productionAPNs = production
        configuration.sandboxAPNs = sandbox
        configuration.apnsTopic = place.apns.bundleID
        configuration.deviceLimit = 1_000
        configuration.requestsPerMinute = 1_000_000
        if let concurrency = arguments.concurrency { configuration.deliveryConcurrency = concurrency }
        return configuration
    }

    /// Made up, for a database that nobody keeps.
    private var secrets: NotifierSecrets {
        NotifierSecrets(
            apnsKey: NotifierSecrets.APNsKey(
                pem: Secret(place.apns.keyPEM),
                keyID: place.apns.keyID,
                teamID: place.apns.teamID
            ),
            encryptionKeys: [NotifierSecrets.EncryptionKey(Secret([UInt8](repeating: 0xA5, count: 32)))],
            sessionKey: Secret("session key of a measurement, known to all")
        )
    }

    /// When the last outcome was recorded, to the interval at which that is looked at.
    private static func waitUntilEmpty(_ database: Database) async throws -> MonotonicInstant {
        let end = LiveTime().monotonicNow.advanced(by: timeLimit)
        while true {
            // Each looks at one row of an index, so that watching costs next to nothing.
            let isQueued = try database.first("SELECT 1 FROM deliveries WHERE state = 'queued' LIMIT 1") { _ in true }
            let isClaimed = try database.first("SELECT 1 FROM deliveries WHERE state = 'claimed' LIMIT 1") { _ in true }
            let now = LiveTime().monotonicNow
            guard isQueued ?? isClaimed ?? false else { return now }
            guard now < end else { throw Unfinished() }
            try await LiveTime().sleep(for: watchInterval)
        }
    }

    /// What this process has had of the processor, on its own behalf and in the kernel.
    private static var processorSeconds: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
