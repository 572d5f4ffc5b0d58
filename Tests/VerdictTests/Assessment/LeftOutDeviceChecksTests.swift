import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// Whether each device of a person is pushed to, and soon.
struct LeftOutDeviceChecksTests {
    /// A comment that goes to two devices, of which the phone was pushed to at once.
    private func makeBuilder(macJoinsLater: Bool = false) -> RecordBuilder {
        var builder = RecordBuilder(world: RecordBuilder.makeWorld(macJoinsLater: macJoinsLater))
        builder.activity(at: 100, noteID: 41)
        builder.log(
            "notification.queued",
            at: 130,
            [
                ("notification.id", .text("n1")), ("facts", .text("note/7/41")), ("deliveries", .number(2)),
                ("account.id", .number(1)),
            ]
        )
        builder.push(["note/7/41"], at: 131)
        return builder
    }

    private func broken(_ builder: RecordBuilder) -> [ViolationRecord.Invariant] {
        Assessment.assess(builder.record).violations.map(\.invariant)
    }

    @Test(arguments: [132.0, 849, 851])
    func `a device that was there is pushed to, and soon`(instant: Double) {
        var builder = makeBuilder()
        #expect(broken(builder) == [.pairedDeviceLeftOut])
        builder.push(["note/7/41"], at: instant, device: RecordBuilder.mac)
        #expect(broken(builder) == (instant < 850 ? [] : [.pairedDeviceLeftOut]))
    }

    @Test func `nothing is said of a device that was refused, replaced, removed or there only later`() {
        var refused = makeBuilder()
        refused.push([], at: 140, id: "n0", device: RecordBuilder.mac, status: 410, reason: "Unregistered")
        var replaced = makeBuilder()
        replaced.record.deviceReplacements = [
            DeviceReplacementRecord(person: RecordBuilder.maria, device: RecordBuilder.mac, at: .seconds(500))
        ]
        var removed = makeBuilder()
        removed.record.deviceSpans[1].endRequestedAt = .seconds(300)
        var later = makeBuilder()
        later.record.deviceSpans[1].activeFrom = .seconds(200)
        for builder in [refused, replaced, removed, later] { #expect(broken(builder) == []) }
    }

    @Test func `nor where its app has shown it, the log tells of an end, or a fault is near`() {
        var shown = makeBuilder()
        shown.event(.displayed, ["note/7/41"], at: 131, apnsID: "", device: RecordBuilder.mac)
        var moot = makeBuilder()
        moot.log("delivery.moot", at: 131, [("notification.id", .text("n1"))])
        moot.record.preferences.append(
            PreferenceRecord(
                person: RecordBuilder.maria,
                choice: .read(RecordBuilder.request),
                requestedAt: .seconds(130.5),
                answeredAt: .seconds(130.6)
            )
        )
        var asked = makeBuilder()
        asked.push(["note/7/40"], at: 120, id: "n0", device: RecordBuilder.mac, status: 429, reason: "TooManyRequests")
        asked.push(["note/7/40"], at: 125, id: "n0", device: RecordBuilder.mac)
        for builder in [shown, moot, asked] { #expect(broken(builder) == []) }
        for kind in [FaultKind.apnsSlow, .latency, .diskSlow, .stall, .clockStep] {
            var builder = makeBuilder()
            builder.fault(kind, id: "near", from: 90, until: 95)
            #expect(broken(builder) == [])
        }
        var other = makeBuilder()
        other.fault(.webhookForged, id: "other", from: 90, until: 95)
        #expect(broken(other) == [.pairedDeviceLeftOut])
    }

    @Test func `a device that joined later is not left out if APNs was away until it was gone`() {
        func found(isRemoved: Bool, isDown: Bool) -> [ViolationRecord.Invariant] {
            var builder = makeBuilder(macJoinsLater: true)
            var mac = DeviceSpanRecord(
                person: RecordBuilder.maria,
                device: RecordBuilder.mac,
                activeFrom: .seconds(50)
            )
            if isRemoved { (mac.endRequestedAt, mac.endedAt) = (.seconds(600), .seconds(601)) }
            builder.record.deviceSpans.append(mac)
            if isDown { builder.fault(.apnsOutage, id: "down", from: 140, until: 700) }
            return broken(builder)
        }
        #expect(found(isRemoved: true, isDown: true) == [])
        #expect(found(isRemoved: true, isDown: false) == [.pairedDeviceLeftOut])
        #expect(found(isRemoved: false, isDown: true) == [.pairedDeviceLeftOut])
    }

    @Test func `a fault that is aimed elsewhere, and is about tokens alone, keeps nothing from a device`() {
        func broken(_ reason: APNsReason, _ person: Username, _ device: DeviceName?) -> Bool {
            var builder = makeBuilder()
            let target = PushAim(person: person, device: device)
            let effect = FaultEffect.apnsReason(reason, of: target, ratio: .one)
            builder.fault(.apnsReason, id: "aimed", from: 90, until: 95, effect: effect)
            return self.broken(builder) == [.pairedDeviceLeftOut]
        }
        #expect(broken(.badDeviceToken, RecordBuilder.jonas, nil))
        #expect(broken(.unregistered, RecordBuilder.maria, RecordBuilder.phone))
        #expect(!broken(.badDeviceToken, RecordBuilder.maria, RecordBuilder.mac))
        #expect(!broken(.badDeviceToken, RecordBuilder.maria, nil))
        #expect(!broken(.serviceUnavailable, RecordBuilder.jonas, nil), "that is said of the service")
    }
}
