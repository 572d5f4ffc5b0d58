import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// Which ends of deliveries are believed.
struct DeliveryEndsTests {
    /// A comment that goes to two devices; the phone was pushed to at once, and the mac by what had come before.
    private func makeBuilder(simulated: Int = 36_000) -> RecordBuilder {
        var builder = RecordBuilder(simulated: simulated)
        builder.activity(at: 20, noteID: 40)
        builder.activity(at: 100, noteID: 41)
        for (note, at) in [(40, 30.0), (41, 130)] {
            builder.log(
                "notification.queued",
                at: at,
                [
                    ("notification.id", .text("n\(note)")), ("facts", .text("note/7/\(note)")),
                    ("deliveries", .number(2)), ("account.id", .number(1)),
                ]
            )
            builder.push(["note/7/\(note)"], at: at + 1, id: "n\(note)")
        }
        builder.push(["note/7/40"], at: 31, id: "n40", device: RecordBuilder.mac)
        sent(1, "n40-phone", at: 31, &builder)
        sent(2, "n40-mac", at: 31, &builder)
        return builder
    }

    private func sent(_ device: Int64, _ id: String, at seconds: Double, _ builder: inout RecordBuilder) {
        builder.log("delivery.sent", at: seconds, [("device.id", .number(device)), ("apns.id", .text(id))])
    }

    private func end(
        _ message: StaticString,
        on device: Int64,
        _ id: String,
        at seconds: Double,
        reason: String? = nil,
        _ builder: inout RecordBuilder
    ) {
        var fields: [(key: StaticString, value: LogValue)] = [
            ("notification.id", .text("n41")), ("apns.id", .text(id)), ("device.id", .number(device)),
        ]
        if let reason { fields.append(("reason", .text(reason))) }
        builder.log(message, at: seconds, fields)
    }

    private func broken(_ builder: RecordBuilder) -> [ViolationRecord.Invariant] {
        Assessment.assess(builder.record).violations.map(\.invariant)
    }

    private func read(_ item: ItemReference, at seconds: Double, _ builder: inout RecordBuilder) {
        builder.record.preferences.append(
            PreferenceRecord(
                person: RecordBuilder.maria,
                choice: .read(item),
                requestedAt: .seconds(seconds),
                answeredAt: .seconds(seconds + 0.1)
            )
        )
    }

    @Test func `news is needed until somebody has read it`() {
        var builder = makeBuilder()
        #expect(broken(builder) == [.pairedDeviceLeftOut])
        end("delivery.moot", on: 2, "n41-mac", at: 132, &builder)
        #expect(broken(builder) == [.pairedDeviceLeftOut], "what one device has accepted is none of the other's")
        var late = builder
        read(RecordBuilder.request, at: 200, &late)
        #expect(broken(late) == [.pairedDeviceLeftOut])
        read(RecordBuilder.request, at: 131.5, &builder)
        #expect(broken(builder) == [])
    }

    @Test func `where it is unclear what was read it is believed`() {
        for kind in [nil, FaultKind.clockStep, .stall] {
            var builder = RecordBuilder()
            builder.activity(at: 100, noteID: 41)
            builder.enqueue(["note/7/41"], at: 130)
            builder.log("delivery.moot", at: 131, [("notification.id", .text("n1"))])
            if let kind { builder.fault(kind, id: "fault", from: 90, until: 95) }
            #expect(broken(builder) == (kind == nil ? [.outboxLost] : []))
        }
        var builder = makeBuilder()
        end("delivery.moot", on: 2, "n41-mac", at: 132, &builder)
        builder.record.refusedChoices = [
            RefusedChoiceRecord(
                person: RecordBuilder.maria,
                device: RecordBuilder.mac,
                what: "read",
                at: .seconds(131),
                wasKept: false
            )
        ]
        #expect(!broken(builder).contains(.pairedDeviceLeftOut))
    }

    @Test(arguments: [(600.0, false), (85_000, false), (86_000, true)])
    func `news grows old with its time`(instant: Double, isOld: Bool) {
        var builder = makeBuilder(simulated: 100_000)
        end("delivery.expired", on: 2, "n41-mac", at: instant, &builder)
        #expect(broken(builder) == (isOld ? [] : [.pairedDeviceLeftOut]))
    }

    @Test func `an end on one device is none on the other`() {
        var builder = makeBuilder(simulated: 100_000)
        end("delivery.expired", on: 1, "n41-phone", at: 86_530, &builder)
        #expect(broken(builder) == [.pairedDeviceLeftOut])
        // Of a device to which nothing was ever pushed nobody knows which it is.
        end("delivery.expired", on: 3, "n41-unknown", at: 86_530, &builder)
        #expect(broken(builder) == [])
    }

    @Test func `what is given up was refused for good, or too old before it could be tried again`() {
        func broken(_ reason: String, at instant: Double, finally status: Int = 503) -> Bool {
            var builder = makeBuilder(simulated: 100_000)
            builder.push(["note/7/41"], at: 132, id: "n41", device: RecordBuilder.mac, status: 503)
            if status != 503 {
                builder.push(["note/7/41"], at: 140, id: "n41", device: RecordBuilder.mac, status: status)
            }
            end("delivery.dead", on: 2, "n41-mac", at: instant, reason: reason, &builder)
            return self.broken(builder).contains(.outboxLost)
        }
        #expect(broken("ServiceUnavailable", at: 200))
        #expect(!broken("PayloadTooLarge", at: 200, finally: 413))
        #expect(broken("expired", at: 200))
        #expect(!broken("expired", at: 80_000))
    }
}
