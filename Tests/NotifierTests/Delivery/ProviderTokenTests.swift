import Configuration
import Crypto
import HTTP
import Platform
import Testing

@testable import Notifier

/// How the delivery service makes, keeps and replaces the token that all pushes share.
struct ProviderTokenTests {
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
        let key = try ES256PrivateKey(pem: #require(bench.secrets.apnsKey).pem.exposedText).publicKey
        let signature = try #require(Base64URL.decode(parts[2]))
        #expect(try key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
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

    @Test func `a provider token from before a restart stays when the wall clock is set two hours ahead`() throws {
        let bench = try DeliveryBench()
        let account = try bench.makeAccount()
        for step in [Duration.zero, .hours(2)] {
            let service = try bench.makeService()
            let run = bench.world.start { try await service.run() }
            bench.world.drain()
            bench.world.stepWallClock(by: step)
            try bench.enqueue(for: account, service)
            run.cancel()
            bench.world.advance(by: .minutes(1))
        }
        #expect(bench.log.count(.tokenReused) == 1)
        #expect(bench.log.count(.tokenRenewed) == 1)
        #expect(try bench.states() == ["accepted 1 accepted", "accepted 1 accepted"])
    }

    @Test(arguments: [true, false])
    func `a provider token that a clock ahead has dated is used on where APNs has taken it`(_ isTaken: Bool) throws {
        let bench = try DeliveryBench { _, _ in .status(isTaken ? 200 : 503) }
        let account = try bench.makeAccount()
        bench.world.stepWallClock(by: .hours(3))
        let first = try bench.makeService()
        let run = bench.world.start { try await first.run() }
        bench.world.drain()
        try bench.enqueue(for: account, first)
        bench.world.advance(by: .seconds(1))
        run.cancel()
        bench.world.advance(by: .minutes(1))
        bench.world.stepWallClock(by: .hours(-3))
        bench.server.answer { _, _ in .status(200) }
        let count = bench.server.requests.count
        let before = try #require(bench.server.requests.first?.fields["authorization"])
        let second = try bench.makeService()
        bench.world.start { try await second.run() }
        try bench.enqueue(for: account, second)
        bench.world.advance(by: .seconds(10))
        let after = bench.server.requests.dropFirst(count).map { $0.fields["authorization"] == before }
        #expect(!after.isEmpty && Set(after) == [isTaken])
        #expect(bench.log.count(.tokenReused) == (isTaken ? 1 : 0))
        #expect(bench.log.count(.tokenRenewed) == (isTaken ? 1 : 2))
    }

    @Test func `a token that is refused once APNs is back is replaced at once, where there may be another`() throws {
        let bench = try DeliveryBench()
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        try bench.enqueue(for: account, service)
        bench.world.advance(by: .seconds(1))
        let before = try #require(bench.server.requests.first?.fields["authorization"])
        bench.server.answer { _, _ in .status(503) }
        try bench.enqueue(3, for: account, service)
        bench.world.advance(by: .minutes(30))
        bench.server.answer { request, _ in
            request.fields["authorization"] == before ? .refusal(403, "InvalidProviderToken") : .status(200)
        }
        try bench.enqueue(for: account, service)
        // A probe is made each minute, the pause for settings that are refused takes five.
        bench.world.advance(by: .minutes(2))
        #expect(try bench.acceptedCount() >= 2)
        #expect(bench.log.count(.tokenRenewed) == 2)
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

    @Test func `a token that APNs takes again after it had refused it keeps nothing back`() throws {
        let bench = try DeliveryBench { _, _ in .refusal(403, "MissingProviderToken") }
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        try bench.enqueue(3, for: account)
        bench.world.start { try await service.run() }
        bench.world.advance(by: .minutes(2))
        bench.server.answer { _, _ in .status(200) }
        bench.world.advance(by: .minutes(5))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
        #expect(bench.log.count(.tokenRenewed) == 1 && bench.log.count(.queuePaused) == 1)
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

    @Test(
        arguments: [
            (nil, false, ProviderTokenPolicy.Decision.mint), (.minutes(0), false, .use), (.minutes(35), false, .use),
            (.minutes(36), false, .mint), (.minutes(19), true, .wait), (.minutes(20), true, .mint),
        ] as [(Duration?, Bool, ProviderTokenPolicy.Decision)]
    )
    func `a service that has seen no token is shown one that lasts twenty minutes more (APNs facts §7)`(
        _ age: Duration?,
        _ isRefused: Bool,
        _ decision: ProviderTokenPolicy.Decision
    ) {
        #expect(ProviderTokenPolicy.decide(age: age, isRefused: isRefused, shown: nil) == decision)
    }

    @Test(
        arguments: [
            (49, 49, ProviderTokenPolicy.Decision.use), (50, 50, .mint), (50, 20, .mint), (50, 19, .keep),
            (54, 19, .keep), (55, 19, .mint),
        ]
    )
    func `a service keeps the newest token for 50 minutes, and longer when it has seen it late`(
        _ age: Int,
        _ since: Int,
        _ decision: ProviderTokenPolicy.Decision
    ) {
        let shown = ProviderTokenPolicy.Shown(isNewest: true, age: .minutes(age), since: .minutes(since))
        #expect(ProviderTokenPolicy.decide(age: .minutes(age), isRefused: false, shown: shown) == decision)
    }

    @Test(
        arguments: [
            (4, 54, 19, ProviderTokenPolicy.Decision.keep), (4, 54, 20, .use), (5, 55, 19, .use), (35, 54, 20, .use),
            (36, 54, 20, .mint),
        ]
    )
    func `a service is shown the newest token twenty minutes after the last change`(
        _ newest: Int,
        _ age: Int,
        _ since: Int,
        _ decision: ProviderTokenPolicy.Decision
    ) {
        let shown = ProviderTokenPolicy.Shown(isNewest: false, age: .minutes(age), since: .minutes(since))
        #expect(ProviderTokenPolicy.decide(age: .minutes(newest), isRefused: false, shown: shown) == decision)
    }

    @Test(
        arguments: [
            // The newest, refused: another one is refused as well within twenty minutes of the change.
            (21, 21, 3, true, true, true, ProviderTokenPolicy.Decision.wait), (38, 38, 20, true, true, true, .mint),
            // The first that the service was shown is no change.
            (21, 21, 3, true, true, false, .mint), (19, 19, 3, true, true, false, .wait),
            // An older one beside it, while the newest is refused elsewhere, or it is itself.
            (21, 54, 3, false, true, true, .keep), (0, 54, 3, false, false, true, .wait),
            // The first that the service was shown is good as long, unless there may be another.
            (1, 54, 3, false, true, false, .keep), (1, 55, 3, false, true, false, .wait),
            (20, 54, 3, false, true, false, .mint),
        ] as [(Int, Int, Int, Bool, Bool, Bool, ProviderTokenPolicy.Decision)]
    )
    func `a service that was shown another token a moment ago is shown no third one (APNs facts §7)`(
        _ newest: Int,
        _ age: Int,
        _ since: Int,
        _ isNewest: Bool,
        _ isNewestRefused: Bool,
        _ isChange: Bool,
        _ decision: ProviderTokenPolicy.Decision
    ) {
        let shown = ProviderTokenPolicy.Shown(
            isNewest: isNewest,
            age: .minutes(age),
            since: .minutes(since),
            // The older one where it is not the newest.
            isRefused: isNewest == isNewestRefused,
            isChange: isChange
        )
        #expect(
            ProviderTokenPolicy.decide(age: .minutes(newest), isRefused: isNewestRefused, shown: shown) == decision
        )
    }

    @Test func `a token that is refused right after a change is tried on until there may be another`() throws {
        let bench = try DeliveryBench()
        let source = try makeSource(bench)
        func ask(_ environment: PushEnvironment, refused: ProviderToken? = nil) throws -> ProviderToken? {
            try bench.world.finish { try await source.current(for: environment, refused: refused) } ?? nil
        }
        let first = try ask(.production)
        #expect(try ask(.sandbox) == first)
        bench.world.advance(by: .minutes(55))
        let second = try #require(try ask(.production))
        bench.world.advance(by: .minutes(18))
        #expect(try ask(.sandbox) == second && second != first)
        bench.world.advance(by: .minutes(3))
        #expect(try ask(.sandbox, refused: second) == nil)
        let inUse: ProviderToken? = try bench.world.finish { await source.inUse(for: .sandbox) } ?? nil
        #expect(inUse == second)
        func changeAt() throws -> MonotonicInstant? {
            try bench.world.finish { await source.changeAt(for: .sandbox) } ?? nil
        }
        #expect(try changeAt() == bench.world.monotonicNow.advanced(by: .minutes(17)))
        // The other service may be shown another one already; what this one has seen is not given up for that.
        let third = try #require(try ask(.production, refused: second))
        #expect(third != second)
        #expect(try ask(.sandbox, refused: second) == nil)
        #expect(try changeAt() == bench.world.monotonicNow.advanced(by: .minutes(17)), "one is there already")
        #expect(try ask(.sandbox) == second)
        bench.world.advance(by: .minutes(17))
        #expect(try ask(.sandbox, refused: second) == third)
    }

    @Test func `a token that one service refuses does not make the other wait that still has an older one`() throws {
        let bench = try DeliveryBench()
        let source = try makeSource(bench)
        func ask(_ environment: PushEnvironment, refused: ProviderToken? = nil) throws -> ProviderToken? {
            try bench.world.finish { try await source.current(for: environment, refused: refused) } ?? nil
        }
        let first = try #require(try ask(.production))
        bench.world.advance(by: .minutes(20))
        #expect(try ask(.sandbox) == first)
        let second = try #require(try ask(.production, refused: first))
        #expect(second != first)
        bench.world.advance(by: .minutes(1))
        #expect(try ask(.production, refused: second) == nil)
        #expect(try ask(.sandbox, refused: second) == first)
    }

    @Test func `whatever two services are asked to do, neither sees two changes within twenty minutes`() throws {
        let bench = try DeliveryBench()
        let source = try makeSource(bench)
        var (last, changedAt): ([PushEnvironment: ProviderToken], [PushEnvironment: WallTime]) = ([:], [:])
        var changes = 0
        for step in 0..<2_000 {
            let environment: PushEnvironment = step.isMultiple(of: 3) ? .sandbox : .production
            let token = try #require(try bench.world.finish { try await source.current(for: environment) } ?? nil)
            let now = bench.world.wallNow
            #expect(token.issuedAt.duration(to: now) < .minutes(56))
            if let before = last[environment], before != token {
                if let changed = changedAt[environment] { #expect(changed.duration(to: now) >= .minutes(20)) }
                changedAt[environment] = now
                changes += 1
            }
            last[environment] = token
            // Now a crowd, now nothing for an hour, as it comes.
            bench.world.advance(by: .minutes((step * step * 7 + step * 13) % 61 / 3 * (step % 4)))
        }
        #expect(changes > 100)
    }

    private func makeSource(_ bench: DeliveryBench) throws -> ProviderTokenSource {
        ProviderTokenSource(
            signer: try bench.makeSigner(),
            store: bench.store,
            sealer: try SecretSealer(bench.secrets.encryptionKeys, entropy: bench.entropy),
            time: bench.world,
            log: Log(sink: bench.log)
        )
    }
}
