import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

struct InvariantChecksTests {
    private func broken(_ builder: RecordBuilder) -> [ViolationRecord.Invariant] {
        Assessment.assess(builder.record).violations.map(\.invariant)
    }

    private func makeEnqueued(simulated: Int = 36_000) -> RecordBuilder {
        var builder = RecordBuilder(simulated: simulated)
        builder.activity(at: 100, noteID: 41)
        builder.enqueue(["note/7/41"], at: 130)
        return builder
    }

    @Test func `a committed notification that goes nowhere is lost`() {
        var builder = makeEnqueued()
        #expect(broken(builder) == [.outboxLost])
        builder.push(["note/7/41"], at: 131)
        #expect(broken(builder) == [])
    }

    @Test func `what could not be sent before its devices were removed or refused is not lost`() {
        for isRefused in [false, true] {
            var builder = makeEnqueued()
            builder.fault(.apnsOutage, id: "outage", from: 120, until: 600)
            if isRefused {
                builder.push([], at: 630, id: "n0", status: 410, reason: "Unregistered")
                builder.push([], at: 630, id: "n0", device: RecordBuilder.mac, status: 410, reason: "Unregistered")
            } else {
                for span in [0, 1] { builder.record.deviceSpans[span].endRequestedAt = .seconds(630) }
            }
            #expect(broken(builder) == [])
            #expect(Assessment.assess(builder.record).causes.map(\.code) == ["no-active-device"])
            // Without the outage there was time enough.
            builder.record.faults = []
            #expect(broken(builder) == [.outboxLost])
            #expect(Assessment.assess(builder.record).causes.map(\.code) == ["never-attempted"])
        }
    }

    @Test func `a push that is refused for now while its device is removed is not lost`() {
        for (removed, expected) in [(130.9, []), (100, [.outboxLost])] as [(Double, [ViolationRecord.Invariant])] {
            var builder = makeEnqueued()
            builder.push(["note/7/41"], at: 131, status: 500, reason: "InternalServerError")
            #expect(broken(builder) == [.outboxLost])
            builder.record.deviceSpans[0].endRequestedAt = .seconds(removed)
            builder.record.deviceSpans[0].endedAt = .seconds(removed)
            #expect(broken(builder) == expected)
        }
    }

    @Test func `a push that is refused for now is not lost with what was replaced when its person leaves`() {
        for (left, expected) in [(200, []), (100, [.outboxLost])] as [(Double, [ViolationRecord.Invariant])] {
            var builder = makeEnqueued()
            builder.push(["note/7/41"], at: 131, status: 503, reason: "ServiceUnavailable")
            // The new phone had gone before.
            builder.record.deviceSpans[0].endRequestedAt = .seconds(90)
            builder.record.deviceSpans[0].endedAt = .seconds(90)
            #expect(broken(builder) == [.outboxLost])
            builder.record.devicesEnds = [DevicesEndRecord(person: RecordBuilder.maria, at: .seconds(left))]
            #expect(broken(builder) == expected)
        }
    }

    @Test func `a committed notification may end by expiring`() {
        var builder = makeEnqueued(simulated: 100_000)
        builder.log("delivery.expired", at: 86_530, [("notification.id", .text("n1"))])
        #expect(broken(builder) == [])
    }

    @Test func `an expiry that names only its delivery is found by an earlier entry`() {
        var builder = makeEnqueued(simulated: 100_000)
        builder.push(["note/7/41"], at: 131, status: 503, reason: "ServiceUnavailable")
        builder.log("delivery.retry", at: 131, [("delivery.id", .number(5)), ("apns.id", .text("n1-phone"))])
        builder.log("delivery.expired", at: 86_530, [("delivery.id", .number(6)), ("apns.id", .text("n2-phone"))])
        #expect(broken(builder) == [.outboxLost])
        builder.log("delivery.expired", at: 86_530, [("delivery.id", .number(5))])
        #expect(broken(builder) == [])
    }

    @Test func `an end the log does not assign makes it inconclusive`() {
        var builder = makeEnqueued()
        builder.log("delivery.expired", at: 200, [("delivery.id", .number(5))])
        #expect(broken(builder) == [])
    }

    @Test func `a notification for no device cannot be lost`() {
        var builder = RecordBuilder()
        builder.record.deviceSpans = []
        builder.activity(at: 100, noteID: 41)
        let fields: [(key: StaticString, value: LogValue)] = [
            ("notification.id", .text("n1")), ("facts", .text("note/7/41")), ("deliveries", .number(0)),
        ]
        builder.log("notification.enqueued", at: 130, fields)
        #expect(broken(builder) == [])
        #expect(Assessment.assess(builder.record).causes.map(\.code) == ["no-active-device"])
        // Somebody who has a device is to get it on that.
        builder.record.deviceSpans = RecordBuilder().record.deviceSpans
        #expect(Assessment.assess(builder.record).causes.map(\.code) == ["never-attempted"])
    }

    /// Maria's mac joins by pairing at 200 s; the phone gets a notification before and one after.
    private func makePaired() -> RecordBuilder {
        var builder = RecordBuilder(world: RecordBuilder.makeWorld(macJoinsLater: true))
        for (note, at) in [(41, 100.0), (42, 300)] {
            builder.activity(at: at, noteID: Int64(note))
            builder.enqueue(["note/7/\(note)"], at: at + 30, id: "n\(note)")
            builder.push(["note/7/\(note)"], at: at + 31, id: "n\(note)")
        }
        builder.record.deviceSpans = [
            DeviceSpanRecord(person: RecordBuilder.maria, device: RecordBuilder.mac, activeFrom: .seconds(200))
        ]
        return builder
    }

    @Test func `a paired device that was sent nothing since is left out`() {
        var builder = makePaired()
        #expect(broken(builder) == [.pairedDeviceLeftOut])
        builder.push(["note/7/42"], at: 331, id: "n42", device: RecordBuilder.mac)
        #expect(broken(builder) == [])
    }

    @Test func `a paired device is left out of nothing that was made before or around its removal`() {
        var builder = makePaired()
        builder.record.deviceSpans[0].activeFrom = .seconds(400)
        #expect(broken(builder) == [])
        builder.record.deviceSpans[0].activeFrom = .seconds(200)
        builder.record.deviceSpans[0].endRequestedAt = .seconds(500)
        #expect(broken(builder) == [])
        builder.record.deviceSpans[0].endRequestedAt = .seconds(900)
        #expect(broken(builder) == [.pairedDeviceLeftOut])
    }

    @Test func `nothing is lost while the run was not drained`() {
        var builder = makeEnqueued()
        builder.record.idleSince = nil
        #expect(broken(builder) == [])
    }

    @Test func `a push refused for now has to end`() {
        var builder = makeEnqueued()
        builder.push(["note/7/41"], at: 131, status: 503, reason: "ServiceUnavailable")
        #expect(broken(builder) == [.outboxLost])
        builder.log("delivery.rejected", at: 200, [("apns.id", .text("N1-PHONE"))])
        #expect(broken(builder) == [])
    }

    @Test(arguments: [200, 400, 410, 413])
    func `a final answer ends a push`(status: Int) {
        var builder = makeEnqueued()
        builder.push(["note/7/41"], at: 131, status: 503, reason: "ServiceUnavailable")
        builder.push(["note/7/41"], at: 140, status: status, reason: status == 200 ? "" : "x")
        #expect(broken(builder) == [])
    }

    @Test(arguments: [
        (403, "InvalidProviderToken"), (403, "Forbidden"), (403, "x"), (400, "BadTopic"), (400, "IdleTimeout"),
        (429, "TooManyRequests"),
    ])
    func `what APNs says of the key, of the settings or of a connection ends no push`(status: Int, reason: String) {
        var builder = makeEnqueued()
        builder.push(["note/7/41"], at: 131, status: status, reason: reason)
        #expect(broken(builder) == [.outboxLost])
        builder.log("delivery.dead", at: 132, [("apns.id", .text("n1-phone")), ("reason", .text(reason))])
        #expect(broken(builder) == [.outboxLost], "nor is one given up for it")
    }

    @Test func `deliveries end with their device`() {
        var builder = makeEnqueued()
        builder.push(["note/7/41"], at: 131, status: 503, reason: "ServiceUnavailable")
        builder.push(["note/7/40"], at: 135, id: "n0", status: 410, reason: "Unregistered")
        #expect(broken(builder) == [])
    }

    @Test(
        arguments: [(nil, true), (0, false), (3_000, false), (80_000, false), (86_300, true)] as [(Int64?, Bool)]
    )
    func `a push is kept for as long as its news is of use`(kept: Int64?, isRight: Bool) {
        var builder = makeEnqueued()
        builder.push(["note/7/41"], at: 131)
        let start = builder.record.resolved.scenario.start.secondsSinceEpoch
        builder.record.pushes[0].expiration = kept.map { $0 == 0 ? 0 : start + 131 + $0 }
        #expect(broken(builder) == (isRight ? [] : [.outboxLost]))
        var stalled = builder
        stalled.fault(.stall, id: "stall", from: 50, until: 60)
        #expect(broken(stalled) == (isRight || kept == 80_000 ? [] : [.outboxLost]), "the log may be late")
        builder.fault(.clockStep, id: "clock", from: 50, until: 50)
        #expect(broken(builder) == (isRight || kept != 0 ? [] : [.outboxLost]))
    }

    @Test func `a push that is near its end is kept until then`() {
        var builder = RecordBuilder(simulated: 100_000)
        builder.activity(at: 100, noteID: 41)
        builder.enqueue(["note/7/41"], at: 130)
        builder.push(["note/7/41"], at: 84_800)
        let start = builder.record.resolved.scenario.start.secondsSinceEpoch
        builder.record.pushes[0].expiration = start + 130 + 86_400
        #expect(broken(builder) == [])
        builder.record.pushes[0].expiration = start + 84_900
        #expect(broken(builder) == [.outboxLost])
    }

    @Test func `a fact pushed again to a device that showed it breaks the rule`() {
        var builder = makeEnqueued()
        builder.deliver(["note/7/41"], pushed: 131, shown: 132)
        builder.deliver(["note/7/41"], pushed: 140, shown: 141, id: "n2")
        #expect(broken(builder) == [.pushedTwice])
    }

    /// Shown by the old phone, which is replaced at 135 s, and pushed again at 140 s to a thing of the same name.
    private func makeReplaced(again installation: Int) -> RecordBuilder {
        var builder = makeEnqueued()
        builder.deliver(["note/7/41"], pushed: 131, shown: 132)
        builder.record.deviceReplacements = [
            DeviceReplacementRecord(person: RecordBuilder.maria, device: RecordBuilder.phone, at: .seconds(135))
        ]
        builder.deliver(["note/7/41"], pushed: 140, shown: 141, id: "n2")
        builder.record.pushes[1].installation = installation
        builder.record.deviceEvents[1].installation = installation
        return builder
    }

    @Test func `what was known to be taken before a phone was replaced must not go to the new one`() {
        let builder = makeReplaced(again: 1)
        #expect(broken(builder) == [.pushedTwice])
        #expect(Assessment.assess(builder.record).whole.duplicates == 1)
    }

    @Test func `what nobody knew to be taken goes to the new phone as well`() {
        var late = makeReplaced(again: 1)
        late.record.pushes[0].answeredAt = .seconds(136)
        var lost = makeReplaced(again: 1)
        lost.record.pushes[0].answerLost = true
        for builder in [late, lost] {
            #expect(broken(builder) == [])
            #expect(Assessment.assess(builder.record).whole.duplicates == 0)
        }
    }

    @Test func `a push to the phone that was replaced reaches nobody again`() {
        var builder = makeEnqueued()
        builder.record.deviceReplacements = [
            DeviceReplacementRecord(person: RecordBuilder.maria, device: RecordBuilder.phone, at: .seconds(110))
        ]
        builder.deliver(["note/7/41"], pushed: 131, shown: 132)
        builder.record.pushes[0].installation = 1
        builder.record.deviceEvents[0].installation = 1
        builder.push(["note/7/41"], at: 140, apnsID: "to-the-old-phone")
        #expect(broken(builder) == [])
    }

    @Test func `a repeated send after a lost answer does not`() {
        var builder = makeEnqueued()
        builder.deliver(["note/7/41"], pushed: 131, shown: 132)
        builder.record.pushes[0].answerLost = true
        builder.push(["note/7/41"], at: 140)
        builder.event(.replaced, ["note/7/41"], at: 141)
        #expect(broken(builder) == [])
    }

    @Test func `each device is pushed to once without harm`() {
        var builder = makeEnqueued()
        builder.deliver(["note/7/41"], pushed: 131, shown: 132)
        builder.deliver(["note/7/41"], pushed: 133, shown: 134, device: RecordBuilder.mac)
        #expect(broken(builder) == [])
    }

    @Test func `an unknown route breaks a rule`() {
        var builder = RecordBuilder()
        builder.record.unknownRoutes = ["GET /api/v4/nothing"]
        #expect(broken(builder) == [.unknownRoute])
    }

    @Test func `what the run saw itself is kept, bounded and counted`() {
        var builder = RecordBuilder()
        let violation = ViolationRecord(invariant: .secretLeaked, at: .seconds(5), detail: "in a push")
        builder.record.violations = Array(repeating: violation, count: 150)
        let result = Assessment.assess(builder.record)
        #expect(result.violations.count == RunLimits.violations && result.violationsInAll == 150)
        let other = ViolationRecord(invariant: .dutyUnfair, at: .seconds(6), detail: "two turns more")
        builder.record.violations.append(other)
        let both = Assessment.assess(builder.record).violations
        #expect(both.count == RunLimits.violations && both.last?.invariant == .dutyUnfair, "none hides another")
    }
}
