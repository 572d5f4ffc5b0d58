import HTTP
import Platform
import Testing

@testable import Notifier

struct LogOnlyTests {
    @Test func `without a key nothing is sent, and the log tells how much waits`() throws {
        let bench = try DeliveryBench()
        let service = try bench.makeService(hasKey: false)
        bench.world.start { try await service.run() }
        bench.world.drain()
        try bench.enqueue(2, for: bench.makeAccount(), service)
        bench.world.advance(by: .hours(1))
        #expect(bench.server.requests.isEmpty)
        #expect(bench.log.count(.pushNotConfigured) == 1)
        #expect(bench.log.count(.deliveriesWithheld) == 1)
        #expect(try bench.states() == ["queued 0 -", "queued 0 -"])
    }

    @Test func `with a key what is still news goes out, and what grew old is told of as expired`() throws {
        let bench = try DeliveryBench()
        let account = try bench.makeAccount()
        let service = try bench.makeService(hasKey: false)
        bench.world.start { try await service.run() }
        try bench.enqueue(for: account, service)
        bench.world.advance(by: .hours(23))
        try bench.enqueue(for: account, service)
        bench.world.advance(by: .hours(2))
        let signer = try bench.makeSigner()
        let task = bench.world.start { await service.use(signer) }
        defer { task.cancel() }
        bench.world.drain()
        #expect(bench.server.requests.count == 1)
        // It says which it was: nothing had told of this delivery before.
        let names = ["delivery.id", "device.id", "notification.id", "apns.id", "delivery.attempt"]
        #expect(bench.log.fieldNames(.deliveryExpired) == [names])
        #expect(try bench.states() == ["dead 1 expired", "accepted 1 accepted"])
    }

    @Test func `another key is used at once, also while pushes are paused for the first one`() throws {
        let bench = try DeliveryBench { _, count in count == 0 ? .refusal(403, "InvalidProviderToken") : .status(200) }
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        try bench.enqueue(for: bench.makeAccount(), service)
        bench.world.advance(by: .seconds(3))
        let before = bench.server.requests.count
        let signer = try bench.makeSigner()
        let task = bench.world.start { await service.use(signer) }
        defer { task.cancel() }
        bench.world.advance(by: .seconds(30))
        #expect(before == 1 && bench.server.requests.count == 2)
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
        let tokens = Set(bench.server.requests.compactMap { $0.fields["authorization"] })
        #expect(tokens.count == 2)
    }
}
