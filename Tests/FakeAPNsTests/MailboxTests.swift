import HTTP
import Platform
import Testing

@testable import FakeAPNs

@Suite("APNs facts §9 mailbox")
struct MailboxTests {
    private func kinds(_ world: World, _ index: Int) -> [DeviceEvent.Kind] {
        world.fleet.events(of: World.phone).filter { $0.push.id == PushID(rawValue: Int64(index)) }.map(\.kind)
    }

    private func reference(_ world: World, _ index: Int) -> PushReference {
        let push = world.fleet.pushes[index].push
        return PushReference(id: push.id, apnsID: push.apnsID)
    }

    @Test func `accepted is not delivered: the device sees it after the drawn latency`() throws {
        let world = try World()
        try world.send()
        #expect(world.lastFate == .inFlight)
        world.time.advance(by: .milliseconds(939))
        #expect(world.notifications.isEmpty)
        world.time.advance(by: .milliseconds(1))
        #expect(world.notifications.count == 1)
        #expect(world.lastFate == .displayed(at: WallTime(microseconds: 1_800_000_001_000_000)))
        #expect(kinds(world, 0) == [.accepted, .displayed])
    }

    @Test func `an offline device keeps one notification per app, the newest`() throws {
        let world = try World()
        world.fleet.goOffline(World.phone)
        for index in 0..<3 { try world.send(fields: [("apns-collapse-id", "c\(index)")]) }
        world.time.advance(by: .minutes(5))
        world.fleet.comeOnline(World.phone)
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.map(\.collapseID) == ["c2"])
        #expect(
            kinds(world, 0) == [
                .accepted, .stored(.deviceOffline), .discarded(.overwritten(by: reference(world, 1))),
            ]
        )
        #expect(kinds(world, 2) == [.accepted, .stored(.deviceOffline), .displayed])
        #expect(world.fleet.undisplayed.count == 2)
    }

    @Test func `each app has its own slot`() throws {
        let world = try World()
        let other = world.fleet.installApp("com.example.other", on: World.phone)
        world.fleet.goOffline(World.phone)
        try world.send()
        try world.send(to: other.hex, fields: [("apns-topic", "com.example.other")])
        world.fleet.comeOnline(World.phone)
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.count == 1)
        #expect(world.fleet.notifications(of: "com.example.other", on: World.phone).count == 1)
    }

    @Test func `the older survives in quick succession when the seed says so`() throws {
        let world = try World { _, devices in devices.keepsOlder = .always }
        world.fleet.goOffline(World.phone)
        try world.send()
        try world.send()
        #expect(kinds(world, 1) == [.accepted, .discarded(.overwritten(by: reference(world, 0)))])
        world.time.advance(by: .seconds(5))
        try world.send()
        #expect(world.lastFate == .stored(.deviceOffline))
    }

    @Test func `a push still on its way when the device leaves is stored, and does not displace a newer one`() throws {
        let world = try World()
        try world.send()
        world.fleet.goOffline(World.phone)
        try world.send()
        #expect(world.lastFate == .stored(.deviceOffline))
        world.time.advance(by: .seconds(2))
        #expect(kinds(world, 0) == [.accepted, .discarded(.overwritten(by: reference(world, 1)))])
    }

    @Test func `expiration 0 is one attempt and never stored`() throws {
        let world = try World()
        world.fleet.goOffline(World.phone)
        try world.send(fields: [("apns-expiration", "0")])
        #expect(kinds(world, 0) == [.accepted, .discarded(.notStored(.deviceOffline))])
        world.fleet.comeOnline(World.phone)
        try world.send(fields: [("apns-expiration", "0")])
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.count == 1)
    }

    @Test func `what is stored ends at its expiration`() throws {
        let world = try World()
        world.fleet.goOffline(World.phone)
        try world.send(fields: [("apns-expiration", "1800000060")])
        world.time.advance(by: .milliseconds(59_939))
        #expect(world.lastFate == .stored(.deviceOffline))
        world.time.advance(by: .milliseconds(1))
        let end = WallTime(secondsSinceEpoch: 1_800_000_060)
        #expect(world.lastFate == .discarded(.expiredWhileStored, at: end))
        world.fleet.comeOnline(World.phone)
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.isEmpty)
    }

    @Test func `nothing is stored longer than 30 days`() throws {
        let world = try World()
        world.fleet.goOffline(World.phone)
        try world.send(fields: [("apns-expiration", "1900000000")])
        world.time.advance(by: .days(30) - .milliseconds(61))
        #expect(world.lastFate == .stored(.deviceOffline))
        world.time.advance(by: .milliseconds(1))
        let end = WallTime(secondsSinceEpoch: 1_800_000_000).advanced(by: .days(30))
        #expect(world.lastFate == .discarded(.storedTooLong, at: end))
    }

    @Test func `power saving lets low priorities wait and 10 through`() throws {
        let world = try World()
        world.fleet.setPowerSaving(true, on: World.phone)
        try world.send(fields: [("apns-priority", "5"), ("apns-collapse-id", "low")])
        try world.send(fields: [("apns-collapse-id", "high")])
        world.time.advance(by: .seconds(5))
        #expect(world.notifications.map(\.collapseID) == ["high"])
        #expect(kinds(world, 0) == [.accepted, .stored(.powerSaving)])
        world.fleet.setPowerSaving(false, on: World.phone)
        world.time.advance(by: .seconds(5))
        #expect(world.notifications.map(\.collapseID) == ["high", "low"])
    }

    @Test func `a token that has expired stays so, whatever is switched on its device`() throws {
        let world = try World()
        world.fleet.expireToken(world.deviceToken)
        for isOn in [false, true] {
            world.fleet.setNotificationsEnabled(isOn, for: World.bundleID, on: World.phone)
            #expect(try world.send().response.status == 410)
        }
    }

    @Test func `alerts for an app without notifications are accepted and discarded`() throws {
        let world = try World()
        world.fleet.setNotificationsEnabled(false, for: World.bundleID, on: World.phone)
        #expect(try world.send().response.status == 200)
        #expect(kinds(world, 0) == [.accepted, .discarded(.notificationsDisabled)])
        world.fleet.setNotificationsEnabled(true, for: World.bundleID, on: World.phone)
        try world.send()
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.count == 1)
        #expect(
            world.fleet.history(of: world.deviceToken).map(\.state) == [.active, .notificationsOff, .active]
        )
    }

    @Test func `a collapse id replaces what is displayed`() throws {
        let world = try World()
        for body in ["1", "2"] {
            try world.send(fields: [("apns-collapse-id", "item")], body: #"{"aps":{"alert":"\#(body)"}}"#)
            world.time.advance(by: .seconds(2))
        }
        try world.send(fields: [("apns-collapse-id", "another")])
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.map(\.id.rawValue) == [1, 2])
        #expect(kinds(world, 0) == [.accepted, .displayed, .replaced(by: reference(world, 1))])
        #expect(world.fleet.undisplayed.isEmpty)
    }

    @Test func `without a collapse id nothing is replaced`() throws {
        let world = try World()
        for _ in 1...3 { try world.send() }
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.count == 3)
    }

    @Test func `pushes arrive in order unless they overtake`() throws {
        func order(_ reordering: Ratio) throws -> [Int64] {
            let world = try World { _, devices in
                devices.reordering = reordering
                devices.deliveryLatency = QuantileTable([
                    .init(perMille: 0, value: .zero), .init(perMille: 1_000, value: .seconds(60)),
                ])
            }
            for _ in 1...20 { try world.send() }
            world.time.advance(by: .minutes(2))
            return world.notifications.map(\.id.rawValue)
        }
        #expect(try order(.never) == Array(0..<20))
        let shuffled = try order(.always)
        #expect(shuffled != Array(0..<20))
        #expect(shuffled.sorted() == Array(0..<20))
    }

    @Test func `what goes at once does not wait behind what saves power`() throws {
        let world = try World()
        try world.send(fields: [("apns-priority", "5")])
        try world.send()
        world.time.advance(by: .seconds(4))
        #expect(world.notifications.map(\.id.rawValue) == [1, 0])
    }

    @Test func `a push faster than the acknowledgement displaces the one before by a switch`() throws {
        let world = try World { _, devices in devices.overwritesUnacknowledged = .always }
        try world.send()
        try world.send()
        #expect(kinds(world, 0) == [.accepted, .discarded(.overwrittenUnacknowledged(by: reference(world, 1)))])
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.count == 1)
    }

    @Test func `the observer hears every event once, in order, and may read the fleet`() throws {
        let world = try World()
        let heard = Heard()
        let fleet = world.fleet
        fleet.observe { heard.append("\($0.sequence) \($0.kind) \(fleet.pushes.count)") }
        try world.send()
        world.time.advance(by: .seconds(2))
        #expect(heard.lines == ["0 accepted 1", "1 displayed 1"])
    }
}

@Suite("APNs facts §9 background pushes")
struct BackgroundTests {
    private func sendBackground(_ world: World) throws {
        let fields = [("apns-push-type", "background"), ("apns-priority", "5")]
        #expect(try world.send(fields: fields, body: #"{"aps":{"content-available":1}}"#).response.status == 200)
        world.time.advance(by: .seconds(10))
    }

    private func fates(_ world: World) -> [String] {
        world.fleet.pushes.map { tracked in
            switch tracked.fate {
            case .delivered: "delivered"
            case .held: "held"
            case .discarded(.heldReplaced, _): "heldReplaced"
            case .discarded(.appForceQuit, _): "appForceQuit"
            default: "\(tracked.fate)"
            }
        }
    }

    @Test func `three an hour are delivered, of the rest the newest is held until the budget allows it`() throws {
        let world = try World()
        for _ in 1...5 { try sendBackground(world) }
        #expect(fates(world) == ["delivered", "delivered", "delivered", "heldReplaced", "held"])
        world.time.advance(by: .hours(1))
        #expect(fates(world).last == "delivered")
        #expect(world.notifications.isEmpty)
    }

    @Test func `force-quitting the app discards background pushes until it is launched`() throws {
        let world = try World()
        for _ in 1...4 { try sendBackground(world) }
        world.fleet.forceQuitApp(World.bundleID, on: World.phone)
        #expect(fates(world).last == "appForceQuit")
        world.time.advance(by: .minutes(50))
        try sendBackground(world)
        #expect(fates(world).last == "appForceQuit")
        world.fleet.launchApp(World.bundleID, on: World.phone)
        world.time.advance(by: .minutes(9))
        try sendBackground(world)
        #expect(fates(world).last == "delivered" || fates(world).last == "held")
    }

    @Test func `alerts are not throttled`() throws {
        let world = try World()
        for _ in 1...10 { try world.send() }
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.count == 10)
    }
}
