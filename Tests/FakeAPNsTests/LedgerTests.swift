import HTTP
import Platform
import Testing

@testable import FakeAPNs

@Suite("APNs facts §15, §16.15–16.24 ledger")
struct LedgerTests {
    /// A day of one phone and one Mac with everything that can happen to them, drawn from `seed`.
    private func makeDay(seed: UInt64, ledgerLimit: Int = 1_000_000) throws -> World {
        let world = try World(seed: seed) { service, devices in
            service.responseLatency = FakeAPNs.Configuration().responseLatency
            devices = DeviceFleet.Configuration()
            devices.unregisteredDelay = .constant(.hours(2))
            devices.overwritesUnacknowledged = Ratio(1, in: 10)
            devices.keepsOlder = Ratio(1, in: 2)
            devices.ledgerLimit = ledgerLimit
        }
        let mac = DeviceID(rawValue: "mac")
        world.fleet.addDevice(mac, kind: .mac)
        world.fleet.installApp(World.bundleID, on: mac)
        world.apns.start(Fault("hole", .lostAfterAcceptance, ratio: Ratio(1, in: 30)))
        world.apns.start(Fault("lost", .acceptThenReset, ratio: Ratio(1, in: 30)))
        var random = RandomStream(seed: seed, stream: "test")
        for step in 0..<600 {
            let device = random.chance(1, in: 2) ? World.phone : mac
            disturb(world, device, &random)
            try push(world, device, step, &random)
            world.time.advance(by: .milliseconds(Int64(random.next(below: 120_000))))
        }
        return world
    }

    private func disturb(_ world: World, _ device: DeviceID, _ random: inout RandomStream) {
        let fleet = world.fleet
        switch random.next(below: 24) {
        case 0, 1: fleet.goOffline(device)
        case 2, 3, 4: fleet.comeOnline(device)
        case 5: fleet.setPowerSaving(true, on: device)
        case 6, 7: fleet.setPowerSaving(false, on: device)
        case 8: fleet.setNotificationsEnabled(false, for: World.bundleID, on: device)
        case 9, 10: fleet.setNotificationsEnabled(true, for: World.bundleID, on: device)
        case 11 where fleet.token(of: World.bundleID, on: device) != nil:
            fleet.removeApp(World.bundleID, on: device)
        case 12, 13: fleet.reinstallApp(World.bundleID, on: device, keepingToken: random.chance(1, in: 2))
        case 14: fleet.forceQuitApp(World.bundleID, on: device)
        case 15: fleet.launchApp(World.bundleID, on: device)
        default: break
        }
    }

    private func push(_ world: World, _ device: DeviceID, _ step: Int, _ random: inout RandomStream) throws {
        guard let token = world.fleet.token(of: World.bundleID, on: device) else { return }
        let isBackground = random.chance(1, in: 5)
        let expiration = random.pick([nil, "0", "\(world.time.wallNow.secondsSinceEpoch + 300)"]) ?? nil
        let provider = try world.signer.sharedToken(issuedAt: world.time.wallNow.secondsSinceEpoch / 3_000 * 3_000)
        try world.send(
            on: Int64(step),
            to: token.hex,
            fields: [
                ("apns-push-type", isBackground ? "background" : "alert"),
                ("apns-priority", isBackground || random.chance(1, in: 5) ? "5" : "10"),
                ("apns-expiration", expiration), ("apns-collapse-id", "c\(random.next(below: 3))"),
                ("authorization", "bearer " + provider),
            ]
        )
    }

    private func isFinal(_ kind: DeviceEvent.Kind) -> Bool {
        switch kind {
        case .displayed, .delivered, .discarded: true
        case .accepted, .stored, .held, .replaced: false
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `every accepted push has exactly one end, and the ledger and its events agree`(seed: UInt64) throws {
        let world = try makeDay(seed: seed)
        world.time.advance(by: .days(31))
        let events = world.fleet.devices.flatMap { world.fleet.events(of: $0) }
        let ends = Dictionary(grouping: events.filter { isFinal($0.kind) }, by: \.push.id)
        #expect(world.fleet.pushes.count > 100)
        for tracked in world.fleet.pushes {
            let end = try #require(ends[tracked.push.id])
            #expect(end.count == 1)
            switch (tracked.fate, end[0].kind) {
            case (.displayed(let at), .displayed), (.delivered(let at), .delivered): #expect(at == end[0].at)
            case (.discarded(let cause, let at), .discarded(let named)): #expect(cause == named && at == end[0].at)
            default: Issue.record("\(tracked.fate) against \(end[0].kind)")
            }
        }
        #expect(Set(events.map(\.sequence)).count == events.count)
    }

    @Test func `a day meets many causes`() throws {
        var causes: Set<String> = []
        for seed in 1...8 as ClosedRange<UInt64> {
            for tracked in try makeDay(seed: seed).fleet.undisplayed {
                if case .discarded(let cause, _) = tracked.fate {
                    causes.insert(String("\(cause)".prefix { $0 != "(" }))
                }
            }
        }
        let wanted: Set = [
            "overwritten", "overwrittenUnacknowledged", "expiredWhileStored", "notStored", "notificationsDisabled",
            "appRemoved", "tokenReplaced", "heldReplaced", "appForceQuit", "lostByFault",
        ]
        #expect(wanted.subtracting(causes).isEmpty)
    }

    @Test func `the same seed gives the same ledger, another seed another`() throws {
        func story(_ seed: UInt64) throws -> [String] {
            let world = try makeDay(seed: seed)
            let events = world.fleet.devices.flatMap { world.fleet.events(of: $0) }
            return events.map { "\($0.sequence) \($0.at.microseconds) \($0.device) \($0.kind) \($0.push.apnsID)" }
                + world.apns.requests.map {
                    "\($0.sequence) \($0.at.microseconds) \($0.status ?? 0) \($0.apnsID ?? "")"
                }
        }
        let first = try story(3)
        #expect(try story(3) == first)
        #expect(try story(4) != first)
    }

    @Test func `the ledgers are bounded and say what they dropped`() throws {
        let world = try makeDay(seed: 5, ledgerLimit: 100)
        world.time.advance(by: .days(31))
        #expect(world.fleet.pushes.count <= 125)
        for device in world.fleet.devices { #expect(world.fleet.events(of: device).count <= 100) }
        #expect(world.fleet.forgottenCount > 0)
        let newest = try #require(world.fleet.pushes.last)
        #expect(world.fleet.fate(of: newest.push.id) == newest.fate)
        #expect(world.fleet.fate(of: PushID(rawValue: 0)) == nil)
        #expect(world.fleet.fate(of: PushID(rawValue: newest.push.id.rawValue + 1)) == nil)
    }
}
