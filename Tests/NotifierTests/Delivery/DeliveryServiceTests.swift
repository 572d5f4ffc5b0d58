import Crypto
import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

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
        _ script: @escaping @Sendable (HTTPRequest, Int) -> ScriptedServer.Answer = { _, _ in .status(200) }
    ) throws {
        server = ScriptedServer(time: world, script)
        store = StoreActor(database: try Self.makeDatabase(path), executor: nil)
        secrets = try makeSecrets()
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
    func makeService() throws -> DeliveryService {
        let log = Log(sink: log)
        let sealer = try SecretSealer(secrets.encryptionKeys, entropy: entropy)
        let signer = try ProviderTokenSigner(secrets)
        return DeliveryService(
            store: store,
            client: server,
            tokens: ProviderTokenSource(signer: signer, store: store, sealer: sealer, time: world, log: log),
            configuration: configuration,
            time: world,
            entropy: entropy,
            log: log
        )
    }

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
        service?.doorbell.ring()
        world.drain()
    }

    func states() throws -> [String] { try write { try $0.deliveryStates() } }
}

struct DeliveryServiceTests {
    @Test func `a queued push goes out with every header APNs wants (APNs facts §3, §17 item 5)`() throws {
        let bench = try DeliveryBench()
        try bench.enqueue(for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.drain()
        let request = try #require(bench.server.requests.first)
        #expect(request.method == .post && request.target == "/3/device/aa11")
        #expect(request.origin == NotifierConfiguration().productionAPNs)
        #expect(request.fields["apns-topic"] == NotifierConfiguration().apnsTopic)
        #expect(request.fields["apns-push-type"] == "alert")
        #expect(request.fields["apns-priority"] == "10")
        #expect(request.fields["apns-expiration"] == String(deliveryStart.secondsSinceEpoch + 86_400))
        #expect(request.fields["apns-id"]?.utf8.count == 36)
        #expect(request.fields["apns-collapse-id"]?.utf8.count == 36)
        #expect(request.body.count <= 4_096)
        #expect(try bench.states() == ["accepted 1 accepted"])
    }

    @Test func `the provider token is a valid ES256 JWT (APNs facts §7)`() throws {
        let bench = try DeliveryBench()
        try bench.enqueue(for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.drain()
        let field = try #require(bench.server.requests.first?.fields["authorization"])
        #expect(field.hasPrefix("bearer "))
        let parts = field.dropFirst("bearer ".count).split(separator: ".")
        #expect(parts.count == 3)
        let header = try #require(Base64URL.decode(parts[0]))
        let claims = try #require(Base64URL.decode(parts[1]))
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"ES256","kid":"KEY1234567"}"#)
        #expect(
            String(decoding: claims, as: UTF8.self)
                == #"{"iat":\#(deliveryStart.secondsSinceEpoch),"iss":"TEAM123456"}"#
        )
        let key = try ES256PrivateKey(pem: bench.secrets.apnsKeyPEM.exposedText).publicKey
        let signature = try #require(Base64URL.decode(parts[2]))
        #expect(try key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test func `a sandbox token goes to the sandbox host`() throws {
        let bench = try DeliveryBench()
        let account = try bench.write { store in
            let account = try store.makeAccount()
            _ = try store.makeDevice(of: account, environment: .sandbox)
            return account
        }
        try bench.enqueue(for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.drain()
        #expect(bench.server.requests.map(\.origin) == [NotifierConfiguration().sandboxAPNs])
    }

    @Test func `a retry reaches only the device that lacks it, with the same ids (APNs facts §17 item 6)`() throws {
        let bench = try DeliveryBench { request, count in
            request.target.hasSuffix("bb") && count < 3 ? .silence : .status(200, after: .milliseconds(50))
        }
        try bench.enqueue(for: bench.makeAccount(tokens: ["aa", "bb"]))
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .minutes(2))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
        let toB = bench.server.requests.filter { $0.target.hasSuffix("bb") }
        #expect(bench.server.requests.count { $0.target.hasSuffix("aa") } == 1)
        #expect(toB.count >= 2)
        #expect(Set(toB.map { $0.fields["apns-id"] }).count == 1)
        #expect(Set(toB.map { $0.fields["apns-collapse-id"] }).count == 1)
        #expect(bench.log.count(.deliveryUnknown) == toB.count - 1)
    }

    @Test func `a cold start sends one push, then the rest together, within the limit (APNs facts §17 item 2)`() throws
    {
        var bench = try DeliveryBench { _, _ in .status(200, after: .milliseconds(50)) }
        bench.configuration.deliveryConcurrency = 8
        try bench.enqueue(30, for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.drain()
        #expect(bench.server.requests.count == 1)
        bench.world.advance(by: .milliseconds(60))
        #expect(bench.server.requests.count == 9)
        bench.world.advance(by: .seconds(1))
        #expect(bench.server.requests.count == 30)
        #expect(bench.server.peak == 8)
    }

    @Test func `an APNs outage burns no delivery, and everything goes out after it`() throws {
        let bench = try DeliveryBench { _, _ in .refusal(503, "ServiceUnavailable") }
        let account = try bench.makeAccount()
        try bench.enqueue(40, for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(2))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("queued") })
        // Single probes, at most one a minute once the pauses have grown.
        #expect(bench.server.requests.count < 140)
        #expect(bench.log.count(.breakerOpened) == 1)
        bench.server.answer { _, _ in .status(200) }
        bench.world.advance(by: .minutes(2))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
        #expect(bench.log.count(.breakerClosed) == 1)
    }

    @Test func `an APNs that hangs burns no delivery either`() throws {
        let bench = try DeliveryBench { _, _ in .silence }
        try bench.enqueue(3, for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(1))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("queued") })
        bench.server.answer { _, _ in .status(200) }
        bench.world.advance(by: .minutes(2))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
    }

    @Test func `a push that always fails while others pass is dead after five attempts, and says so`() throws {
        let bench = try DeliveryBench()
        let account = try bench.makeAccount()
        try bench.enqueue(for: account)
        let poison = try bench.write { store in
            try store.database.first("SELECT apns_id FROM deliveries") { $0.text(0) }
        }
        bench.server.answer { request, _ in
            request.fields["apns-id"] == poison ? .refusal(500, "InternalServerError") : .status(200)
        }
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        for _ in 0..<200 {
            try bench.enqueue(for: account, service)
            bench.world.advance(by: .seconds(3))
        }
        let states = try bench.states()
        #expect(states.first == "dead 5 InternalServerError")
        #expect(states.dropFirst().allSatisfy { $0.hasPrefix("accepted") })
        #expect(bench.log.count(.deliveryDead) == 1)
    }

    @Test func `a malformed push is dead at once and no other suffers (APNs facts §6)`() throws {
        let bench = try DeliveryBench { request, _ in
            request.target.hasSuffix("aa") ? .refusal(413, "PayloadTooLarge") : .status(200)
        }
        try bench.enqueue(for: bench.makeAccount(tokens: ["aa", "bb"]))
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(1))
        #expect(try bench.states() == ["dead 1 PayloadTooLarge", "accepted 1 accepted"])
    }

    @Test func `an APNs that refuses half of everything for an hour loses nothing`() throws {
        let bench = try DeliveryBench { _, count in
            count.isMultiple(of: 2) ? .refusal(503, "ServiceUnavailable") : .status(200)
        }
        let account = try bench.makeAccount(tokens: (0..<5).map { "a\($0)" })
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        for _ in 0..<60 {
            try bench.enqueue(2, for: account, service)
            bench.world.advance(by: .minutes(1))
        }
        bench.world.advance(by: .minutes(10))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
    }

    @Test func `a crash between claim and outcome leaves a lease that the next start takes back`() throws {
        let bench = try DeliveryBench { _, count in count == 0 ? .silence : .status(200) }
        try bench.enqueue(for: bench.makeAccount())
        let crashed = try bench.makeService()
        bench.world.start { try await crashed.run() }
        bench.world.drain()
        #expect(try bench.states() == ["claimed 1 -"])
        // The first service is never heard of again: a crash runs no clean-up.
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.drain()
        #expect(try bench.states() == ["accepted 2 accepted"])
        #expect(bench.log.count(.leaseReclaimed) == 1)
        let ids = bench.server.requests.map { $0.fields["apns-id"] }
        #expect(ids.count == 2 && Set(ids).count == 1)
        #expect(Set(bench.server.requests.map { $0.fields["apns-collapse-id"] }).count == 1)
    }

    @Test func `a stop waits for the pushes under way`() throws {
        let bench = try DeliveryBench { _, _ in .status(200, after: .seconds(3)) }
        try bench.enqueue(for: bench.makeAccount())
        let service = try bench.makeService()
        let run = bench.world.start { try await service.run() }
        bench.world.drain()
        _ = try bench.world.finish { await service.stop() }
        bench.world.advance(by: .seconds(3))
        #expect(try bench.states() == ["accepted 1 accepted"])
        #expect(try bench.world.finish { try await run.value } != nil)
        #expect(bench.world.sleeperCount == 0)
    }

    @Test func `cancellation gives leases back at no cost`() throws {
        let bench = try DeliveryBench { _, _ in .silence }
        try bench.enqueue(for: bench.makeAccount())
        let service = try bench.makeService()
        let run = bench.world.start { try await service.run() }
        bench.world.drain()
        run.cancel()
        bench.world.drain()
        #expect(try bench.states() == ["queued 0 unknown.cancelled"])
        #expect(bench.world.sleeperCount == 0)
        #expect(bench.log.count(.leaseReleased) == 1)
    }

    @Test func `an idle service sleeps until the bell rings`() throws {
        let bench = try DeliveryBench()
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(5))
        #expect(bench.world.sleeperCount == 0)
        try bench.enqueue(for: account, service)
        #expect(try bench.states() == ["accepted 1 accepted"])
    }

    @Test func `a restart reuses the provider token, an hour later it is renewed once (APNs facts §17 item 3)`() throws
    {
        let bench = try DeliveryBench()
        let account = try bench.makeAccount()
        for _ in 0..<3 {
            let service = try bench.makeService()
            let run = bench.world.start { try await service.run() }
            bench.world.drain()
            try bench.enqueue(for: account, service)
            run.cancel()
            bench.world.advance(by: .minutes(1))
        }
        #expect(bench.log.count(.tokenRenewed) == 1)
        #expect(bench.log.count(.tokenReused) == 2)
        bench.world.advance(by: .minutes(50))
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        try bench.enqueue(3, for: account, service)
        #expect(bench.log.count(.tokenRenewed) == 2)
        #expect(Set(bench.server.requests.map { $0.fields["authorization"] }).count == 2)
        #expect(!bench.log.texts.contains { $0.contains("eyJ") })
    }

    @Test func `an expired provider token is renewed, the push goes again over a new connection (APNs facts §6)`()
        throws
    {
        let bench = try DeliveryBench()
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        try bench.enqueue(for: account, service)
        bench.world.advance(by: .minutes(30))
        let before = try #require(bench.server.requests.first?.fields["authorization"])
        bench.server.answer { request, _ in
            request.fields["authorization"] == before ? .refusal(403, "ExpiredProviderToken") : .status(200)
        }
        try bench.enqueue(for: account, service)
        bench.world.advance(by: .seconds(2))
        #expect(try bench.states() == ["accepted 1 accepted", "accepted 1 accepted"])
        #expect(bench.server.exchanges.last?.options.connection == .fresh)
        #expect(bench.log.count(.tokenRenewed) == 2)
    }

    @Test func `a token refused within 20 minutes pauses the queue instead of making another (APNs facts §17 item 4)`()
        throws
    {
        let bench = try DeliveryBench { _, _ in .refusal(403, "InvalidProviderToken") }
        try bench.enqueue(for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .minutes(19))
        #expect(bench.log.count(.tokenRenewed) == 1)
        #expect(bench.log.count(.queuePaused) == 1)
        #expect(bench.server.requests.count < 10)
        bench.world.advance(by: .hours(2))
        #expect(bench.log.count(.tokenRenewed) <= 8)
        #expect(try bench.states().allSatisfy { $0.hasPrefix("queued 0") })
        bench.server.answer { _, _ in .status(200) }
        bench.world.advance(by: .minutes(7))
        #expect(try bench.states() == ["accepted 1 accepted"])
    }

    @Test func `410 ends a device, and its queue (APNs facts §10)`() throws {
        let bench = try DeliveryBench { _, _ in .refusal(410, "Unregistered") }
        let account = try bench.makeAccount()
        try bench.enqueue(3, for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .minutes(1))
        #expect(bench.server.requests.count == 1)
        #expect(try bench.states().allSatisfy { $0.hasPrefix("dead") })
        #expect(try bench.write { try $0.deviceStates() } == ["dead"])
    }

    @Test func `a wave of bad device tokens holds nobody (APNs facts §10)`() throws {
        let bench = try DeliveryBench { _, _ in .refusal(400, "BadDeviceToken") }
        let account = try bench.makeAccount(tokens: (0..<6).map { "a\($0)" })
        try bench.enqueue(for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(1))
        #expect(try bench.write { try $0.deviceStates() }.allSatisfy { $0 == "active" })
        #expect(bench.server.requests.count < 40)
        bench.server.answer { _, _ in .status(200) }
        bench.world.advance(by: .minutes(7))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
    }

    @Test func `a single bad device token is held and its push waits for the registration`() throws {
        let bench = try DeliveryBench { _, _ in .refusal(400, "BadDeviceToken") }
        let account = try bench.makeAccount()
        try bench.enqueue(for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(3))
        #expect(bench.server.requests.count == 1)
        #expect(try bench.write { try $0.deviceStates() } == ["held"])
        bench.server.answer { _, _ in .status(200) }
        let now = bench.world.wallNow
        _ = try bench.write { try $0.makeDevice(of: account, at: now) }
        service.doorbell.ring()
        bench.world.drain()
        #expect(try bench.states() == ["accepted 1 accepted"])
    }

    @Test func `429 keeps every push to that device back, and no other (APNs facts §6)`() throws {
        let bench = try DeliveryBench { request, count in
            request.target.hasSuffix("aa") && count < 2 ? .refusal(429, "TooManyRequests") : .status(200)
        }
        try bench.enqueue(4, for: bench.makeAccount(tokens: ["aa", "bb"]))
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .seconds(30))
        #expect(bench.server.requests.count { $0.target.hasSuffix("bb") } == 4)
        let early = bench.server.requests.count { $0.target.hasSuffix("aa") }
        bench.world.advance(by: .seconds(10))
        #expect(bench.server.requests.count { $0.target.hasSuffix("aa") } == early)
        bench.world.advance(by: .minutes(3))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
    }

    @Test(arguments: [Duration.hours(-3), .hours(3)])
    func `a clock that is set does not move retries`(_ step: Duration) throws {
        let bench = try DeliveryBench { _, count in count == 0 ? .refusal(503, "ServiceUnavailable") : .status(200) }
        try bench.enqueue(for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .milliseconds(100))
        bench.world.stepWallClock(by: step)
        bench.world.advance(by: .seconds(3))
        #expect(bench.server.requests.count == 2)
        #expect(bench.log.count(.clockStepped) == 1)
        #expect(try bench.states() == ["accepted 2 accepted"])
    }

    @Test func `news that grew old while it waited is not sent`() throws {
        let bench = try DeliveryBench { _, _ in .refusal(503, "ServiceUnavailable") }
        try bench.enqueue(2, for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(25))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("dead") && $0.hasSuffix("expired") })
    }
}
