import HTTP
import Platform
import Testing

@testable import FakeAPNs

@Suite("APNs facts §8 connections and streams")
struct ConnectionTests {
    @Test func `a cold connection has one stream: more wait for its first success and are counted`() throws {
        let world = try World()
        let times = try (1...4).map { _ in try world.send(after: .zero).serviceTime }
        #expect(times == [50, 100, 100, 100].map { .milliseconds($0) })
        #expect(world.apns.counters.refusedStreams == 3)
        #expect(world.apns.counters.peakStreams == 1)
    }

    @Test func `while every answer is an error they come one after the other`() throws {
        let world = try World()
        let times = try (1...4).map { _ in try world.send(after: .zero) { $0.body = [] }.serviceTime }
        #expect(times == [50, 100, 150, 200].map { .milliseconds($0) })
    }

    @Test func `after one answered request the connection has its streams`() throws {
        let world = try World { service, _ in service.streamLimit = 10 }
        try world.send()
        let times = try (1...11).map { _ in try world.send(after: .zero).serviceTime }
        #expect(times.dropLast().allSatisfy { $0 == .milliseconds(50) })
        #expect(times.last == .milliseconds(100))
        #expect(world.apns.counters.refusedStreams == 1)
        #expect(world.apns.counters.peakStreams == 10)
    }

    @Test func `a refused request takes the streams away until the next success`() throws {
        let world = try World()
        try world.send()
        try world.send { $0.fields["apns-topic"] = nil }
        try world.send(after: .zero)
        try world.send(after: .zero)
        #expect(world.apns.counters.refusedStreams == 1)
        world.time.advance(by: .milliseconds(200))
        try world.send(after: .zero)
        try world.send(after: .zero)
        #expect(world.apns.counters.refusedStreams == 1)
    }

    @Test func `410 leaves the streams alone`() throws {
        let world = try World()
        let second = DeviceID(rawValue: "second")
        world.fleet.addDevice(second)
        let gone = world.fleet.installApp(World.bundleID, on: second)
        world.fleet.expireToken(gone)
        try world.send()
        try world.send(to: gone.hex)
        for _ in 1...3 { try world.send(after: .zero) }
        #expect(world.apns.counters.refusedStreams == 0)
    }

    @Test func `in strict mode too many streams cost the connection, and nothing is accepted`() throws {
        let world = try World { service, _ in service.excessStreams = .closeConnection }
        try world.send(after: .zero)
        let reply = try world.send(after: .zero)
        #expect(reply.travel == .reset)
        #expect(reply.closesConnection)
        #expect(world.fleet.pushes.count == 1)
        #expect(world.apns.counters.connectionsClosed == 1)
    }

    @Test func `connections are counted, and each starts slowly`() throws {
        let world = try World { service, _ in service.slowStart = .milliseconds(100) }
        #expect(try world.send(on: 1).serviceTime == .milliseconds(150))
        world.time.advance(by: .seconds(1))
        #expect(try world.send(on: 1).serviceTime == .milliseconds(50))
        #expect(try world.send(on: 2).serviceTime == .milliseconds(150))
        #expect(world.apns.counters.connectionsOpened == 2)
    }

    @Test func `answers take as long as published: median 45 ms, 99 % under 300 ms (§12)`() throws {
        let world = try World { service, devices in
            service.responseLatency = FakeAPNs.Configuration().responseLatency
            devices.deviceRateLimit = RateLimit(count: 100_000, window: .seconds(1))
        }
        let times = try (1...4_000).map { _ in try world.send(after: .seconds(6)).serviceTime }
        // Shares of 4,000 draws, within three standard deviations of what the table says.
        func share(within limit: Duration) -> Int { times.count { $0 <= limit } }
        #expect((1_905...2_095).contains(share(within: .milliseconds(45))))
        #expect((3_543...3_657).contains(share(within: .milliseconds(90))))
        #expect((3_941...3_979).contains(share(within: .milliseconds(300))))
        #expect(share(within: .milliseconds(20) - .nanoseconds(1)) == 0)
        #expect(share(within: .seconds(5)) == 4_000)
    }

    @Test func `counters name every answer, and the ledger keeps the requests`() throws {
        let world = try World { service, _ in service.requestLedgerLimit = 4 }
        for _ in 1...3 { try world.send() }
        try world.send { $0.body = [] }
        let counters = world.apns.counters
        #expect(counters.requests == 4)
        #expect(counters.accepted == 3)
        #expect(counters.answers.map(\.count) == [3, 1])
        #expect(counters.answers.map(\.answer) == [.init(status: 200), .init(status: 400, reason: "PayloadEmpty")])
        #expect(counters.headerBytes > 0)
        #expect(world.apns.requests.map(\.status) == [200, 200, 200, 400])
        #expect(world.apns.requests.map(\.push?.rawValue) == [0, 1, 2, nil])
        for _ in 1...20 { try world.send() }
        #expect(world.apns.requests.count <= 6)
        #expect(world.apns.requests.last?.sequence == 23)
    }

    @Test func `a client that opens too many connections is turned away for a while, and no other`() throws {
        let world = try World { service, _ in
            service.churn.connections = 3
            service.churn.block = .minutes(2)
        }
        func travel(_ connection: Int64, from address: String = "10.0.0.1") throws -> SentResponse.Travel {
            try world.send(on: connection, from: address).travel
        }
        #expect(try (1...5).map { try travel($0) } == [.whole, .whole, .whole, .reset, .reset])
        #expect(try travel(1) == .whole, "what is open stays open")
        #expect(try travel(6, from: "10.0.0.2") == .whole)
        #expect(world.apns.counters.refusedConnections == 2)
        world.time.advance(by: .minutes(2))
        #expect(try travel(7) == .whole)
        #expect(world.fleet.pushes.count == 6)
    }

    @Test func `connections that are opened slowly are never too many`() throws {
        let world = try World { service, _ in service.churn.connections = 3 }
        for connection in 1...30 {
            #expect(try world.send(on: Int64(connection), after: .seconds(20)).travel == .whole)
        }
    }

    @Test func `a header list that is too long is refused with a reason and the sender's id`() throws {
        let world = try World()
        let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        func reply(_ bytes: Int) throws -> SentResponse {
            try world.send { request in
                request.fields["apns-id"] = id
                request.fields["x-long"] = String(repeating: "x", count: bytes)
            }
        }
        let long = try reply(8_000)
        #expect([long.response.status, Int(long.response.fields["apns-id"] == id ? 1 : 0)] == [431, 1])
        #expect(long.reason == "RequestHeaderFieldsTooLarge")
        #expect(try reply(7_000).response.status == 200)
    }
}
