import Configuration
import Crypto
import HTTP
import Platform
import SQLite
import Synchronization

@testable import Notifier

/// Draws that are all the same: zero unless a test says otherwise.
struct FixedEntropy: EntropySource {
    var value: UInt64 = 0
    func nextUInt64() -> UInt64 { value }
}

/// Counts, so that ids made from it differ.
final class CountingEntropy: EntropySource {
    private let counter = Mutex<UInt64>(0)
    func nextUInt64() -> UInt64 {
        counter.withLock { counter in
            counter += 1
            return counter
        }
    }
}

/// Keeps the messages that were written.
final class LogRecorder: LogSink {
    let minimumLevel = LogLevel.debug
    private let entries = Mutex<[LogEntry]>([])

    func write(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }

    var messages: [String] { entries.withLock { $0.map { $0.message.description } } }

    func count(of message: LogMessage) -> Int { messages.count { $0 == message.text.description } }
}

/// This server as it is registered with the tests' GitLab.
func makeApplication(scope: String = "read_api") -> NotifierSecrets.OAuthApplication {
    NotifierSecrets.OAuthApplication(
        origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
        clientID: "notifier",
        clientSecret: Secret("the-secret-of-the-application"),
        redirectURI: "com.example.notifier:/oauth",
        scope: scope
    )
}

/// One account (Alice, user 7) on a server of its own, with the items it watches in project 1. It is polled as the product does unless a
/// test says otherwise, only without chance in the intervals.
struct PollingWorld {
    let time: ManualTime
    let gitlab: MiniGitLab
    let log = LogRecorder()
    let store: StoreActor
    var context: PollingContext
    let account: AccountID
    let outboxSignal: WakeSignal
    let inbox: PollerInbox
    let digestSignal: WakeSignal

    static let todos = "/api/v4/todos"

    static let items = "/api/v4/projects/1/merge_requests"

    static func notes(_ iid: Int64) -> String { "/api/v4/projects/1/merge_requests/\(iid)/notes" }

    static func events(_ iid: Int64) -> String { "/api/v4/projects/1/merge_requests/\(iid)/resource_state_events" }

    /// A world whose changes are noticed in the way that is said, for what must hold in both.
    init(
        watching iids: [Int64] = [3],
        by detection: ChangeDetection,
        configure: (inout NotifierConfiguration) -> Void = { _ in }
    ) async throws {
        try await self.init(watching: iids) { configuration in
            configuration.changeDetection = detection
            configure(&configuration)
        }
    }

    /// A world beside `other` has an account of its own, at the same GitLab and with the same clock, and shares its looks.
    init(
        watching iids: [Int64] = [3],
        beside other: PollingWorld? = nil,
        configure: (inout NotifierConfiguration) -> Void = { _ in }
    ) async throws {
        time = other?.time ?? ManualTime()
        gitlab = other?.gitlab ?? MiniGitLab()
        var configuration = NotifierConfiguration()
        configuration.jitterPercent = 0
        configure(&configuration)
        let database = try Database(path: ":memory:")
        try Store.migrate(database, at: time.wallNow)
        let storeWatch = StoreMonitor(time: time, sink: log, metrics: MetricsRegistry(tellsPeopleApart: false))
        store = StoreActor(database: database, executor: nil, watch: storeWatch)
        let key = NotifierSecrets.EncryptionKey(version: 1, key: Secret([UInt8](repeating: 7, count: 32)))
        let sealer = try SecretSealer([key], entropy: FixedEntropy())
        outboxSignal = WakeSignal(time: time)
        digestSignal = WakeSignal(time: time)
        context = PollingContext(
            store: store,
            http: gitlab,
            time: time,
            entropy: CountingEntropy(),
            log: Log(sink: log),
            configuration: configuration,
            outbox: Outbox(entropy: CountingEntropy(), expiration: .hours(24)),
            sealer: sealer,
            outboxSignal: outboxSignal,
            grants: GrantKeeper(
                store: store,
                sealer: sealer,
                servers: OAuthServers([makeApplication()], http: gitlab, requestTimeout: .seconds(30)),
                time: time,
                log: Log(sink: log)
            ),
            instances: ServedInstances([HTTPOrigin(scheme: "https", host: "gitlab.example.com")]),
            digestSignal: digestSignal,
            zones: FixedZones(),
            looks: other?.context.looks ?? SharedLooks()
        )
        inbox = PollerInbox(
            named: NamedItems(perMinute: configuration.webhookPollsPerMinute, now: time.monotonicNow)
        )
        if other == nil { gitlab.set([], at: Self.todos) }
        account = try await Self.makeAccount(in: store, sealer: sealer, at: time.wallNow)
        for iid in iids { try await watch(iid) }
    }

    private static func makeAccount(in store: StoreActor, sealer: SecretSealer, at now: WallTime) async throws
        -> AccountID
    {
        let registration = AccountRegistration(
            publicID: "account-1",
            origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
            gitlabUserID: 7,
            username: "alice",
            token: try sealer.seal(Secret("glpat-secret"), for: "account-1"),
            tokenExpiresOn: nil,
            gitlabVersion: nil
        )
        return try await store.transaction { store in
            let account = try store.insert(registration, at: now)
            // As registration leaves it: the token was asked for its end.
            try store.setTokenExpiry(TokenExpiry(readAt: now), of: account)
            return account
        }
    }

    /// Watches a merge request with nothing in its baseline unless the server has lists for it.
    @discardableResult
    func watch(_ iid: Int64) async throws -> WatchID {
        for path in [Self.notes(iid), Self.events(iid)] where !gitlab.hasList(path) { gitlab.set([], at: path) }
        let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: iid)
        let stored = try await store.read { [account] in try $0.account(account) }
        guard let stored else { throw StoreError.unreadable(column: "account") }
        let client = try context.client(for: stored)
        let baseline = try await BaselineReader(client: client).itemBaseline(item)
        gitlab.forgetExchanges()
        let now = time.wallNow
        return try await store.transaction { [account] store in
            let watch = try store.insertWatch(
                publicID: "watch-\(iid)",
                item,
                WatchDescription(
                    title: "Fix it",
                    projectPath: "team/app",
                    webURL: "https://gitlab.example.com/mr/\(iid)"
                ),
                of: account,
                at: now
            )
            try store.storeBaseline(baseline, of: watch, at: now)
            return watch
        }
    }

    /// What the store does when the person switches these kinds of activity off or on.
    func forgetReadings(of kinds: Set<ActivityKind>) async throws {
        let now = time.wallNow
        try await store.transaction { [account] in try $0.forgetReadings(of: kinds, by: account, at: now) }
    }

    /// A poller that a test drives cycle by cycle.
    func makePoller() async throws -> AccountPoller {
        let budget = RequestBudget(limitPerHour: context.configuration.requestsPerHour, now: time.monotonicNow)
        let poller = AccountPoller(
            account,
            wakeSignal: WakeSignal(time: time),
            gate: RequestGate(budget: budget, time: time),
            inbox: inbox,
            status: PollingStatusBoard(),
            context: context
        )
        _ = try await poller.load()
        return poller
    }

    /// The keys of every notification, one array for each, in the order in which they were made.
    func notified() async throws -> [[String]] {
        try await store.read { store in
            try store.database.rows("SELECT kind, fact_keys FROM notifications ORDER BY id") { row in
                row.text(0) == "activity" ? Self.keys(row.text(1)) : [row.text(0)]
            }
        }
    }

    /// However the list is stored, a key is letters, digits and slashes.
    private static func keys(_ list: String) -> [String] {
        list.split { !$0.isLetter && !$0.isNumber && $0 != "/" }.map(String.init)
    }

    func number(_ sql: SQL) async throws -> Int64 {
        try await store.read { try $0.database.first(sql) { $0.int64(0) } ?? -1 }
    }
}
