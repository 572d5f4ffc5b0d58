import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// What excuses a miss on one device of a person excuses it on no other.
struct GoodDeviceTests {
    private func cause(_ builder: RecordBuilder) -> String? {
        Assessment.ledger(builder.record).first { $0.abnormal.contains("missed") }?.cause
    }

    /// A comment that APNs took for the phone and threw away; a fault keeps it from taking anything for the mac.
    private func makeMiss(thrownAway word: String = "expiredWhileStored") -> RecordBuilder {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        let target = PushAim(person: RecordBuilder.maria, device: RecordBuilder.mac)
        let effect = FaultEffect.apnsReason(.tooManyRequests, of: target, ratio: .one)
        builder.fault(.apnsReason, id: "aimed", from: 50, until: 14_400, effect: effect)
        builder.push(["note/7/41"], at: 130)
        builder.event(.discarded, ["note/7/41"], at: 3_730, cause: word)
        return builder
    }

    private func makeRefused(thrownAway word: String = "expiredWhileStored") -> RecordBuilder {
        var builder = makeMiss(thrownAway: word)
        for instant in [130.0, 190, 500] {
            builder.push(
                ["note/7/41"],
                at: instant,
                device: RecordBuilder.mac,
                status: 429,
                reason: "TooManyRequests",
                fault: "aimed"
            )
        }
        return builder
    }

    @Test(arguments: [
        "expiredWhileStored", "overwritten", "appRemoved", "notificationsOff", "tokenReplaced", "lostByFault",
    ])
    func `a device that is away excuses no other`(word: String) {
        #expect(cause(makeRefused(thrownAway: word)) == "lost-by-fault")
    }

    @Test func `nor does one that APNs has refused for good`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.push(["note/7/41"], at: 130, device: RecordBuilder.mac, status: 400, reason: "BadTopic")
        builder.push(["note/7/41"], at: 131, status: 410, reason: "Unregistered")
        #expect(cause(builder) == "rejected")
    }

    @Test func `a device of which it is unclear whether it could be pushed to excuses as before`() {
        var removed = makeRefused()
        removed.record.deviceSpans[1].endRequestedAt = .seconds(600)
        var late = makeRefused()
        late.record.deviceSpans[1].activeFrom = .seconds(131)
        var replaced = makeRefused()
        replaced.record.deviceReplacements = [
            DeviceReplacementRecord(person: RecordBuilder.maria, device: RecordBuilder.mac, at: .seconds(20))
        ]
        var refused = makeRefused()
        refused.push([], at: 10, id: "n0", device: RecordBuilder.mac, status: 410, reason: "Unregistered")
        refused.push([], at: 900, id: "n0", device: RecordBuilder.mac)
        var busy = makeRefused()
        busy.record.idleSince = nil
        for builder in [removed, late, replaced, refused, busy] { #expect(cause(builder) == "expired-in-mailbox") }
    }

    @Test func `a device that is away as well excuses`() {
        var builder = makeMiss()
        builder.push(["note/7/41"], at: 130, device: RecordBuilder.mac)
        #expect(cause(builder) == "accepted-not-displayed")
        builder.event(.stored, ["note/7/41"], at: 130, device: RecordBuilder.mac)
        #expect(cause(builder) == "device-away")
    }

    @Test func `what was never tried on a good device, and has no end, is lost there`() {
        var builder = makeMiss()
        #expect(cause(builder) == "expired-in-mailbox", "the log is silent")
        builder.log(
            "notification.queued",
            at: 129,
            [
                ("notification.id", .text("n1")), ("facts", .text("note/7/41")), ("deliveries", .number(2)),
                ("account.id", .number(1)),
            ]
        )
        #expect(cause(builder) == "never-attempted")
        builder.log("delivery.rejected", at: 3_730, [("notification.id", .text("n1"))])
        #expect(cause(builder) == "expired-in-mailbox")
    }
}
