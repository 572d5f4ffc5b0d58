import HTTP
import Platform
import Testing

@testable import FakeAPNs

@Suite("APNs facts §10 device tokens")
struct DeviceTokenTests {
    /// A world in which APNs notices a dead token 30 minutes after the first push to it.
    private func makeWorld(never: Ratio = .never) throws -> World {
        try World { _, devices in
            devices.neverUnregistered = never
            devices.unregisteredDelay = .constant(.minutes(30))
        }
    }

    @Test func `a token has 64 hex digits by default and is unique`() throws {
        let world = try World()
        let tokens = (0..<50).map { index in
            let device = DeviceID(rawValue: "device \(index)")
            world.fleet.addDevice(device, kind: index.isMultiple(of: 2) ? .phone : .mac)
            return world.fleet.installApp(World.bundleID, on: device)
        }
        #expect(Set(tokens).count == 50)
        #expect(tokens.allSatisfy { $0.hex.utf8.count == 64 && DeviceToken($0.hex) == $0 })
    }

    @Test(arguments: ["xyz", "0", "00 11", "0g", "00fff"])
    func `text that is no token and a token nobody has get the same answer`(text: String) throws {
        #expect(DeviceToken(text) == nil)
        #expect(try World().send(to: text).reason == "BadDeviceToken")
        #expect(try World().send(to: String(repeating: "0", count: 64)).reason == "BadDeviceToken")
    }

    @Test func `two environments share a fleet and a token belongs to one`() throws {
        let world = try World()
        var configuration = FakeAPNs.Configuration()
        configuration.environment = .sandbox
        let sandbox = FakeAPNs(configuration, fleet: world.fleet, time: world.time, seed: 1)
        sandbox.register(world.signer.key())
        let request = HTTPRequest(
            method: .post,
            origin: HTTPOrigin(scheme: "https", host: "api.sandbox.push.apple.com"),
            target: "/3/device/" + world.deviceToken.hex,
            fields: [
                "authorization": "bearer " + (try world.signer.currentToken(at: world.time.wallNow)),
                "apns-topic": World.bundleID,
            ],
            body: Array(#"{"aps":{"alert":"x"}}"#.utf8)
        )
        let peer = HTTPPeer(address: "10.0.0.1", connection: 1)
        #expect(sandbox.respond(to: request, from: peer).reason == "BadDeviceToken")
        #expect(world.apns.respond(to: request, from: peer).response.status == 200)
    }

    @Test func `a token of another app is not for this topic`() throws {
        let world = try World()
        let other = world.fleet.installApp("com.example.other", on: World.phone)
        #expect(try world.send(to: other.hex).reason == "DeviceTokenNotForTopic")
    }

    @Test func `removal is noticed only after a push was tried, and late`() throws {
        let world = try makeWorld()
        world.fleet.removeApp(World.bundleID, on: World.phone)
        world.time.advance(by: .minutes(20))
        #expect(try world.send().response.status == 200)
        guard case .discarded(.appRemoved, _) = world.lastFate else {
            Issue.record("a push reached a removed app")
            return
        }
        world.time.advance(by: .minutes(30) - .milliseconds(61))
        #expect(try world.send(after: .zero).response.status == 200)
        world.time.advance(by: .milliseconds(1))
        let gone = try world.send()
        #expect(gone.response.status == 410)
        #expect(gone.text == #"{"reason":"Unregistered","timestamp":1800003000000}"#)
    }

    @Test func `removal may never be noticed`() throws {
        let world = try makeWorld(never: .always)
        world.fleet.removeApp(World.bundleID, on: World.phone)
        for _ in 1...5 {
            #expect(try world.send().response.status == 200)
            world.time.advance(by: .minutes(10))
        }
    }

    @Test func `registering again after the timestamp revives the token`() throws {
        let world = try makeWorld()
        world.fleet.removeApp(World.bundleID, on: World.phone)
        try world.send()
        world.time.advance(by: .minutes(31))
        #expect(try world.send().reason == "Unregistered")
        #expect(world.fleet.reinstallApp(World.bundleID, on: World.phone, keepingToken: true) == world.deviceToken)
        #expect(try world.send().response.status == 200)
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.count == 1)
        #expect(world.fleet.history(of: world.deviceToken).map(\.state) == [.active, .removed, .active])
        world.fleet.removeApp(World.bundleID, on: World.phone)
        #expect(try world.send().response.status == 200)
    }

    @Test func `reinstalling gives a new token and the old one keeps answering 200 for a while`() throws {
        let world = try makeWorld()
        world.fleet.removeApp(World.bundleID, on: World.phone)
        let new = world.fleet.reinstallApp(World.bundleID, on: World.phone)
        #expect(new != world.deviceToken)
        #expect(try world.send().response.status == 200)
        #expect(try world.send(to: new.hex).response.status == 200)
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.map(\.token) == [new])
        world.time.advance(by: .minutes(31))
        #expect(try world.send().reason == "Unregistered")
        #expect(try world.send(to: new.hex).response.status == 200)
    }

    @Test func `rotating the token kills the old one, late`() throws {
        let world = try makeWorld()
        let new = world.fleet.rotateToken(World.bundleID, on: World.phone)
        #expect(world.fleet.token(of: World.bundleID, on: World.phone) == new)
        #expect(try world.send().response.status == 200)
        guard case .discarded(.tokenReplaced, _) = world.lastFate else {
            Issue.record("a push reached a replaced token")
            return
        }
        world.time.advance(by: .minutes(31))
        #expect(try world.send().reason == "Unregistered")
        #expect(world.fleet.history(of: world.deviceToken).map(\.state) == [.active, .replaced])
    }

    @Test func `a build for the other environment has a token of its own, and the former one dies in its own`() throws {
        let world = try makeWorld()
        let new = world.fleet.installApp(World.bundleID, on: World.phone, environment: .sandbox)
        #expect(try world.send(to: new.hex).reason == "BadDeviceToken")
        #expect(try world.send().response.status == 200)
        world.time.advance(by: .minutes(31))
        #expect(try world.send().reason == "Unregistered")
        #expect(world.fleet.history(of: new).map(\.state) == [.active])
    }

    @Test func `a replaced device moves its apps to new tokens and loses what was waiting`() throws {
        let world = try makeWorld()
        world.fleet.goOffline(World.phone)
        try world.send()
        let new = DeviceID(rawValue: "new phone")
        let moved = world.fleet.replaceDevice(World.phone, with: new)
        #expect(moved.map(\.bundleID) == [World.bundleID])
        guard case .discarded(.deviceReplaced, _) = world.lastFate else {
            Issue.record("a push survived the replacement of its device")
            return
        }
        #expect(try world.send(to: moved[0].token.hex).response.status == 200)
        world.time.advance(by: .seconds(2))
        #expect(world.fleet.notifications(of: World.bundleID, on: new).count == 1)
        #expect(try world.send().response.status == 200)
        world.time.advance(by: .minutes(31))
        #expect(try world.send().reason == "Unregistered")
    }

    @Test func `removing the app discards what is on its way and what is stored`() throws {
        let world = try makeWorld()
        try world.send()
        world.fleet.goOffline(World.phone)
        try world.send()
        world.fleet.removeApp(World.bundleID, on: World.phone)
        let causes = world.fleet.undisplayed.map { tracked in
            if case .discarded(let cause, _) = tracked.fate { cause } else { DiscardCause.expiredWhileStored }
        }
        #expect(causes == [.appRemoved, .appRemoved])
    }

    @Test func `too many in a row to one device are refused, other devices are not`() throws {
        let world = try World { _, devices in devices.deviceRateLimit = RateLimit(count: 5, window: .minutes(1)) }
        let second = DeviceID(rawValue: "second")
        world.fleet.addDevice(second)
        let other = world.fleet.installApp(World.bundleID, on: second)
        let reasons = try (1...6).map { _ in try world.send(after: .zero).reason }
        #expect(reasons == [nil, nil, nil, nil, nil, "TooManyRequests"])
        #expect(try world.send(to: other.hex).reason == nil)
        world.time.advance(by: .seconds(12))
        #expect(try world.send(after: .zero).reason == nil)
        #expect(try world.send(after: .zero).reason == "TooManyRequests")
    }

    @Test func `a provider that does not stop is blocked for a while`() throws {
        let world = try World { service, devices in
            devices.deviceRateLimit = RateLimit(count: 1, window: .minutes(1))
            service.penalty.refusals = 3
            service.badAnswerLimit = 100
        }
        let second = DeviceID(rawValue: "second")
        world.fleet.addDevice(second)
        let other = world.fleet.installApp(World.bundleID, on: second)
        for _ in 1...4 { try world.send() }
        #expect(try world.send(to: other.hex).reason == "TooManyRequests")
        world.time.advance(by: .minutes(15))
        #expect(try world.send(to: other.hex).reason == nil)
    }
}

@Suite("APNs facts §11 duplicates")
struct DuplicateTests {
    private static let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

    @Test func `a repeated apns-id is a second notification`() throws {
        let world = try World()
        for _ in 1...2 { try world.send(fields: [("apns-id", Self.id)]) }
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.count == 2)
        #expect(world.apns.counters.repeatedMessageIDs == 1)
    }

    @Test func `a switch drops it behind a 200`() throws {
        let world = try World { service, _ in service.dropsRepeatedMessageIDs = true }
        for _ in 1...2 {
            #expect(try world.send(fields: [("apns-id", Self.id)]).response.status == 200)
        }
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.count == 1)
        guard case .discarded(.repeatedMessageID, _) = world.lastFate else {
            Issue.record("the repetition has no cause")
            return
        }
    }
}
