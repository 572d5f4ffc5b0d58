import Configuration
import HTTP
import Platform
import Testing

@testable import Notifier
@testable import SQLite

/// A delivery service over a real database in memory, a scripted APNs, and time that the test moves.
struct DeliveryBench {
    let world = DeliveryWorld()
    let server: ScriptedServer
    private(set) var store: StoreActor
    let log = RecordingLog()
    let entropy = SeededEntropy()
    let secrets: NotifierSecrets
    var configuration = NotifierConfiguration()

    /// With a `path`, a migrated database that others may use too.
    init(
        path: String? = nil,
        _ script: @escaping @Sendable (HTTPRequest, Int) -> ScriptedServer.Response = { _, _ in .status(200) }
    ) throws {
        server = ScriptedServer(time: world, script)
        store = StoreActor(database: try Self.makeDatabase(path), executor: nil)
        secrets = try makeSecrets()
    }

    /// Nine pushes, of which eight may be under way at a time: the first proves the connection after 50 ms, the others are answered from
    /// 101 ms on, one every millisecond.
    static func crowd() throws -> (bench: DeliveryBench, account: AccountID) {
        var bench = try DeliveryBench { _, count in .status(200, after: .milliseconds(50 + Int64(count))) }
        bench.configuration.deliveryConcurrency = 8
        let account = try bench.makeAccount()
        try bench.enqueue(9, for: account)
        return (bench, account)
    }

    /// A new process on the same database, after the world has crashed.
    mutating func restart(path: String) throws {
        store = StoreActor(database: try Self.makeDatabase(path), executor: nil)
    }

    private static func makeDatabase(_ path: String?) throws -> sending Database {
        guard let path else { return try makeDeliveryDatabase() }
        return try Database(path: path, options: DatabaseOptions(busyTimeout: .zero))
    }

    /// A service as a process would build it at its start.
    func makeService(hasKey: Bool = true) throws -> DeliveryService {
        let log = Log(sink: log)
        let sealer = try SecretSealer(secrets.encryptionKeys, entropy: entropy)
        let signer = hasKey ? try makeSigner() : nil
        return DeliveryService(
            store: store,
            client: server,
            tokens: ProviderTokenSource(signer: signer, store: store, sealer: sealer, time: world, log: log),
            deviceTokens: try makeDeviceTokenVault(),
            configuration: configuration,
            time: world,
            entropy: entropy,
            zones: FixedZones(),
            log: log
        )
    }

    /// What makes provider tokens with the key of the secrets.
    func makeSigner() throws -> ProviderTokenSigner? { try secrets.apnsKey.map(ProviderTokenSigner.init) }

    func write<T: Sendable>(_ body: @escaping @Sendable (Store) throws -> T) throws -> T {
        let store = store
        return try #require(try world.finish { try await store.transaction(body) })
    }

    /// An account with devices; returns its id.
    func makeAccount(tokens: [String] = ["aa11"]) throws -> AccountID {
        try write { store in
            let account = try store.makeAccount()
            for token in tokens { _ = try store.makeDevice(of: account, token: token) }
            return account
        }
    }

    /// An account beside the one of ``makeAccount(tokens:)``, with a device; returns its id.
    func makeOther(_ number: Int64 = 2) throws -> AccountID {
        try write { store in
            let account = try store.makeAccount("other\(number)", user: number)
            _ = try store.makeDevice(of: account, token: "other\(number)")
            return account
        }
    }

    /// The first device has another push token now, `bb22`, and says so; with an account it registers by it as well.
    func replaceToken(in environment: PushEnvironment = .production, registeredFor account: AccountID? = nil) throws {
        let device = DeviceRegistration(
            token: try makeDeviceTokenVault().seal("bb22"),
            environment: environment,
            platform: "ios",
            appVersion: nil
        )
        let now = world.wallNow
        try write { store in
            try store.changeToken(of: DeviceID(rawValue: 1), to: device, at: now)
            if let account { _ = try store.register(device, of: account, newPublicID: "x", at: now) }
        }
    }

    /// Puts `count` notifications into the outbox.
    func enqueue(_ count: Int = 1, for account: AccountID, _ service: DeliveryService? = nil) throws {
        let outbox = Outbox(entropy: entropy, expiration: configuration.expiration)
        let now = world.wallNow
        try write { store in
            for note in 1...count {
                let draft = NotificationDraft(account: account, subject: .activity([makeFact(note: Int64(note))]))
                _ = try outbox.enqueue(draft, at: now, in: store)
            }
        }
        service?.wakeSignal.send()
        world.drain()
    }

    /// Whether the database takes what is written.
    func setWritable(_ isWritable: Bool) throws {
        let (store, word) = (store, isWritable ? "OFF" : "ON")
        _ = try world.finish {
            try await store.read { try $0.database.executeScript(SQL(text: "PRAGMA query_only = \(word)")) }
        }
    }

    func states() throws -> [String] { try write { try $0.deliveryStates() } }

    func acceptedCount() throws -> Int { try states().count { $0.hasPrefix("accepted") } }
}
