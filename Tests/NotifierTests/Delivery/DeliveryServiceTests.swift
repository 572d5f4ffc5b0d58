import Configuration
import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

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

    @Test func `a start on a database that takes nothing waits until it does`() throws {
        let bench = try DeliveryBench()
        try bench.enqueue(for: bench.makeAccount())
        // Left claimed by a process that is gone.
        try bench.write { store in
            _ = try store.claim(
                .production,
                limit: 1,
                by: DeliveryPolicy(NotifierConfiguration()),
                at: deliveryStart,
                leaseUntil: deliveryStart.advanced(by: .hours(1))
            )
        }
        try bench.setWritable(false)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .minutes(10))
        #expect(bench.server.requests.isEmpty)
        try bench.setWritable(true)
        bench.world.advance(by: .minutes(1))
        #expect(try bench.acceptedCount() == 1)
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

    @Test func `a device that changes its environment while a push is under way stops nobody`() throws {
        let bench = try DeliveryBench { _, count in
            count == 0 ? .outcome(.unknown(.connectionReset), after: .seconds(5)) : .status(200)
        }
        let (account, other) = try (bench.makeAccount(), bench.makeOther())
        try bench.enqueue(for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .seconds(1))
        try bench.replaceToken(in: .sandbox)
        bench.world.advance(by: .minutes(1))
        #expect(bench.server.requests.map(\.origin.host).suffix(1) == [bench.configuration.sandboxAPNs.host])
        try bench.enqueue(for: other, service)
        bench.world.advance(by: .minutes(1))
        #expect(try bench.acceptedCount() == 2)
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

    @Test func `a push that always fails while others pass is tried more and more slowly until it expires`() throws {
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
        #expect(states.first == "queued 6 InternalServerError")
        #expect(states.dropFirst().allSatisfy { $0.hasPrefix("accepted") })
        for _ in 0..<300 {
            try bench.enqueue(for: account, service)
            bench.world.advance(by: .minutes(5))
        }
        let attempts = bench.server.requests.count { $0.fields["apns-id"] == poison }
        #expect((250...300).contains(attempts), "\(attempts)")
        #expect(try bench.states().first == "dead \(attempts) expired")
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

    @Test func `an idle service sleeps until it is signalled`() throws {
        let bench = try DeliveryBench()
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(5))
        #expect(bench.world.sleeperCount == 0)
        try bench.enqueue(for: account, service)
        #expect(try bench.states() == ["accepted 1 accepted"])
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

    @Test(arguments: [Duration.hours(-3), .minutes(2), .hours(2), .days(1), .days(40)])
    func `news of the moment in which a clock is set is told at once`(_ step: Duration) throws {
        let bench = try DeliveryBench()
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .minutes(5))
        bench.world.stepWallClock(by: step)
        try bench.enqueue(for: account, service)
        bench.world.advance(by: .seconds(1))
        #expect(bench.log.count(.clockStepped) == 1)
        #expect(try bench.states() == ["accepted 1 accepted"])
    }

    @Test func `a push that waits outlives a clock set ahead by days`() throws {
        let bench = try DeliveryBench { _, count in count == 0 ? .refusal(503, "ServiceUnavailable") : .status(200) }
        try bench.enqueue(for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .milliseconds(100))
        bench.world.stepWallClock(by: .days(3))
        bench.world.advance(by: .seconds(3))
        #expect(try bench.states() == ["accepted 2 accepted"])
    }

    @Test func `a start with a clock that is right again sends what a clock far ahead had put off`() throws {
        let bench = try DeliveryBench { _, count in count == 0 ? .refusal(503, "ServiceUnavailable") : .status(200) }
        let account = try bench.makeAccount()
        bench.world.stepWallClock(by: .days(1))
        let former = try bench.makeService()
        let run = bench.world.start { try await former.run() }
        try bench.enqueue(for: account, former)
        bench.world.advance(by: .milliseconds(100))
        run.cancel()
        bench.world.advance(by: .milliseconds(100))
        bench.world.stepWallClock(by: .days(-1))
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .seconds(5))
        #expect(bench.log.count(.clockStepped) == 1)
        #expect(try bench.states() == ["accepted 2 accepted"])
    }

    @Test func `half an outage gives nothing up`() throws {
        let bench = try DeliveryBench { _, count in count < 12 ? .refusal(503, "ServiceUnavailable") : .status(200) }
        try bench.enqueue(for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(3))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
    }

    @Test func `news that grew old while it waited is not sent`() throws {
        let bench = try DeliveryBench { _, _ in .refusal(503, "ServiceUnavailable") }
        try bench.enqueue(2, for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(25))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("dead") && $0.hasSuffix("expired") })
    }

    @Test func `outcomes of a crowd wait for company, and the last ones for nobody`() throws {
        let (bench, _) = try DeliveryBench.crowd()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .microseconds(101_500))
        #expect(try bench.acceptedCount() == 2, "long after the last look the first goes at once")
        bench.world.advance(by: .milliseconds(2))
        #expect(try bench.acceptedCount() == 2, "six and five of eight are under way")
        bench.world.advance(by: .milliseconds(1))
        #expect(try bench.acceptedCount() == 5, "half of the eight is left")
        bench.world.advance(by: .milliseconds(1))
        #expect(try bench.acceptedCount() == 6)
        bench.world.advance(by: .milliseconds(3))
        #expect(try bench.acceptedCount() == 9)
    }
}
