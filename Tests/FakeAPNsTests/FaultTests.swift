import HTTP
import Platform
import Testing

@testable import FakeAPNs

@Suite("APNs facts §13, §16.21 faults")
struct FaultTests {
    @Test func `any status, body and reason can be answered, and the fault is named`() throws {
        let world = try World()
        let cases: [(Fault.Kind, Int, String)] = [
            (.refuse(.forbidden), 403, #"{"reason":"Forbidden"}"#),
            (.answer(status: 418, .reason("Teapot \"/\"")), 418, #"{"reason":"Teapot \"/\""}"#),
            (.answer(status: 500, .empty), 500, ""), (.answer(status: 502, .text("<html>")), 502, "<html>"),
            (.outage, 503, #"{"reason":"ServiceUnavailable"}"#),
        ]
        for (kind, status, text) in cases {
            world.apns.start(Fault("trouble", kind))
            let reply = try world.send()
            #expect(reply.response.status == status)
            #expect(reply.text == text)
            #expect(reply.faultID == "trouble")
            #expect(reply.response.fields["apns-id"] != nil)
        }
        #expect(world.fleet.pushes.isEmpty)
        #expect(world.apns.counters.faulted == 5)
        world.apns.stopFault("trouble")
        #expect(try world.send().faultID == nil)
    }

    @Test func `never answered means nothing accepted`() throws {
        let world = try World()
        world.apns.start(Fault("silence", .neverAnswer))
        let reply = try world.send()
        #expect(reply.travel == .never)
        #expect(reply.faultID == "silence")
        #expect(world.fleet.pushes.isEmpty)
        #expect(world.apns.requests.map(\.status) == [nil])
    }

    @Test func `reset before acting means nothing accepted`() throws {
        let world = try World()
        world.apns.start(Fault("reset", .resetBeforeActing))
        #expect(try world.send().travel == .reset)
        #expect(world.fleet.pushes.isEmpty)
    }

    @Test(arguments: [(Fault.Kind.acceptThenReset, SentResponse.Travel.reset), (.acceptThenSilence, .never)])
    func `an answer can be lost after the push was accepted`(kind: Fault.Kind, travel: SentResponse.Travel) throws {
        let world = try World()
        world.apns.start(Fault("lost", kind))
        let reply = try world.send()
        #expect(reply.travel == travel)
        #expect(reply.faultID == "lost")
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.count == 1)
        #expect(try world.send { $0.body = [] }.travel == .whole)
    }

    @Test(arguments: [
        (Fault.Kind.stickyInternalServerError, 500, "InternalServerError"),
        (.stickyServiceUnavailable, 503, "ServiceUnavailable"),
    ])
    func `500 and 503 stick to their connection until the client leaves`(
        kind: Fault.Kind,
        status: Int,
        reason: String
    ) throws {
        let world = try World()
        world.apns.start(Fault("sticky", kind, ratio: Ratio(1, in: 1)))
        #expect(try world.send().response.status == status)
        world.apns.start(Fault("sticky", kind, ratio: .never))
        for _ in 1...3 { #expect(try world.send().reason == reason) }
        #expect(try world.send(on: 2).response.status == 200)
        world.apns.stopFault("sticky")
        #expect(try world.send().response.status == 200)
    }

    @Test func `shutdown closes the connection`() throws {
        let world = try World()
        world.apns.start(Fault("drain", .shutdown))
        let reply = try world.send()
        #expect(reply.reason == "Shutdown")
        #expect(reply.closesConnection)
        #expect(world.apns.counters.connectionsClosed == 1)
    }

    @Test func `slow answers and late deliveries`() throws {
        let world = try World()
        world.apns.start(Fault("slow", .slow(.seconds(3))))
        world.apns.start(Fault("late", .deliveryDelay(.seconds(30))))
        let reply = try world.send()
        #expect(reply.serviceTime == .milliseconds(3_050))
        #expect(reply.faultID == "late")
        world.time.advance(by: .seconds(30))
        #expect(world.notifications.isEmpty)
        world.time.advance(by: .seconds(1))
        #expect(world.notifications.count == 1)
    }

    @Test func `reordering lets later pushes pass`() throws {
        let world = try World()
        world.apns.start(Fault("swap", .reordering(.seconds(6))))
        try world.send()
        world.apns.stopFault("swap")
        try world.send()
        world.time.advance(by: .seconds(10))
        #expect(world.notifications.map(\.id.rawValue) == [1, 0])
    }

    @Test func `a push lost after acceptance names the fault as its cause`() throws {
        let world = try World()
        world.apns.start(Fault("hole", .lostAfterAcceptance))
        let reply = try world.send()
        #expect(reply.response.status == 200)
        #expect(reply.faultID == "hole")
        guard case .discarded(.lostByFault("hole"), _) = world.lastFate else {
            Issue.record("the loss has no cause")
            return
        }
    }

    @Test func `a fault strikes its target only`() throws {
        let world = try World { service, _ in service.backendCount = 2 }
        let second = DeviceID(rawValue: "second")
        world.fleet.addDevice(second)
        let other = world.fleet.installApp(World.bundleID, on: second)
        world.apns.start(Fault("one", .outage, target: .token(other)))
        #expect(try world.send().response.status == 200)
        #expect(try world.send(to: other.hex.uppercased()).response.status == 503)
        world.apns.stopFault("one")
        world.apns.start(Fault("sick", .outage, target: .backend(0)))
        let statuses = try (1...40).map { try world.send(on: 100 + Int64($0)).response.status }
        #expect((8...32).contains(statuses.count { $0 == 503 }))
        #expect(statuses.count { $0 == 200 } == 40 - statuses.count { $0 == 503 })
    }

    @Test func `a fault that is aimed at devices follows what comes in their place, and leaves the others alone`()
        throws
    {
        let world = try World()
        let (second, third) = (DeviceID(rawValue: "second"), DeviceID(rawValue: "third"))
        world.fleet.addDevice(second)
        let other = world.fleet.installApp(World.bundleID, on: second)
        world.apns.start(Fault("aimed", .refuse(.badDeviceToken), target: .devices([second])))
        #expect(try world.send().response.status == 200)
        #expect(try world.send(to: other.hex).reason == "BadDeviceToken")
        #expect(try world.send(to: "00").faultID == nil, "nobody has that token")
        let moved = world.fleet.replaceDevice(second, with: third)
        let again = world.fleet.replaceDevice(third, with: DeviceID(rawValue: "fourth"))
        for token in (moved + again).map(\.token) { #expect(try world.send(to: token.hex).faultID == "aimed") }
    }

    @Test func `probability 0 is a no-op`() throws {
        func story(_ faults: [Fault]) throws -> [String] {
            let world = try World { service, devices in
                service.responseLatency = FakeAPNs.Configuration().responseLatency
                devices.deliveryLatency = DeviceFleet.Configuration().deliveryLatency
            }
            faults.forEach(world.apns.start)
            let times = try (1...50).map { _ in try world.send().serviceTime }
            world.time.advance(by: .minutes(1))
            return times.map { "\($0)" }
                + world.fleet.events(of: World.phone).map { "\($0.at.microseconds) \($0.kind)" }
        }
        let kinds: [Fault.Kind] = [.outage, .acceptThenReset, .slow(.seconds(1)), .deliveryDelay(.seconds(1))]
        let faults = kinds.enumerated().map { Fault("f\($0.offset)", $0.element, ratio: .never) }
        #expect(try story([]) == story(faults))
    }

    @Test func `a ratio strikes about as often as it says, and the same way for the same seed`() throws {
        func strikes(_ seed: UInt64) throws -> [Bool] {
            let world = try World(seed: seed) { _, devices in
                devices.deviceRateLimit = RateLimit(count: 100_000, window: .seconds(1))
            }
            world.apns.start(Fault("some", .outage, ratio: Ratio(1, in: 4)))
            return try (1...1_000).map { _ in try world.send().response.status == 503 }
        }
        let first = try strikes(1)
        #expect((200...300).contains(first.count { $0 }))
        #expect(try strikes(1) == first)
        #expect(try strikes(2) != first)
    }
}
