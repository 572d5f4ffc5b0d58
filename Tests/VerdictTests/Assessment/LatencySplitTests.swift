import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct LatencySplitTests {
    private func ledger(_ builder: RecordBuilder) -> LedgerLine? { Assessment.ledger(builder.record).first }

    private func seconds(_ line: LedgerLine?) -> [String: Int64] {
        (line?.owners ?? [:]).mapValues { $0 / 1_000_000_000 }
    }

    @Test func `visibility, poll, queue, backoff and device add up to the total`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, readableAfter: 10, noteID: 41)
        builder.enqueue(["note/7/41"], at: 150)
        builder.push(["note/7/41"], at: 153, status: 503, reason: "ServiceUnavailable")
        builder.push(["note/7/41"], at: 160)
        builder.event(.displayed, ["note/7/41"], at: 162)
        let line = ledger(builder)
        #expect(seconds(line) == ["visibility": 10, "poll": 40, "queue": 3, "backoff": 7, "device": 2])
        #expect(line?.latencyNanoseconds == 62_000_000_000)
        #expect(line?.excessLatencyNanoseconds == 52_000_000_000)
        #expect(line?.owners?.values.reduce(0, +) == line?.latencyNanoseconds)
    }

    @Test func `until the notifier has another token of a device a push waits for the device, and not of itself`() {
        func split(isHeard: Bool = true, device: DeviceName = RecordBuilder.phone) -> [String: Int64] {
            var builder = RecordBuilder()
            builder.activity(at: 100, noteID: 41)
            builder.enqueue(["note/7/41"], at: 150)
            for at in [152.0, 192] {
                builder.push(["note/7/41"], at: at, status: 410, reason: "ExpiredToken", answerLost: !isHeard)
            }
            builder.push(["note/7/41"], at: 260)
            builder.event(.displayed, ["note/7/41"], at: 261)
            builder.record.pushTokenChanges = [
                PushTokenChangeRecord(person: RecordBuilder.maria, device: device, at: .seconds(255))
            ]
            return seconds(ledger(builder))
        }
        #expect(split() == ["poll": 50, "queue": 7, "device": 104])
        #expect(split(device: RecordBuilder.mac) == ["poll": 50, "queue": 2, "backoff": 108, "device": 1])
        #expect(split(isHeard: false) == ["poll": 50, "queue": 2, "apns": 108, "device": 1])
    }

    @Test func `without a log the first push ends the detection`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 150, shown: 151)
        #expect(seconds(ledger(builder)) == ["poll": 50, "device": 1])
    }

    @Test func `an outage, a dead token and a downtime are taken out of excess`() {
        var builder = RecordBuilder()
        builder.fault(.gitlabOutage, id: "outage", from: 110, until: 200)
        builder.record.registrations[0].tokenDead = [Span(from: .seconds(190), until: .seconds(230))]
        builder.record.downtimes = [Span(from: .seconds(240), until: .seconds(250))]
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 260, shown: 261)
        let line = ledger(builder)
        #expect(seconds(line) == ["poll": 30, "outage": 90, "token": 30, "downtime": 10, "device": 1])
        #expect(line?.excessLatencyNanoseconds == 31_000_000_000)
    }

    @Test func `a fault that hits only a share of the requests excuses nothing`() {
        var builder = RecordBuilder()
        let effect = FaultEffect.gitlabOutage(.text502, ratio: Fixture.ratio("30%"))
        builder.fault(.gitlabOutage, id: "flaky", from: 110, until: 200, effect: effect)
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 260, shown: 261)
        #expect(seconds(ledger(builder)) == ["poll": 160, "device": 1])
    }

    @Test func `a wait that GitLab's limiter asked for is excused, what goes beyond it is the notifier's`() {
        var builder = RecordBuilder()
        let effect = FaultEffect.gitlabRateLimit(.a, RequestLimit(requests: 10, period: .seconds(60)))
        builder.fault(.gitlabRateLimit, id: "limit", from: 50, until: 500, effect: effect)
        builder.log("poll.rate_limited", at: 110, [("wait.ms", .number(90_000))])
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 205, shown: 206)
        #expect(seconds(ledger(builder)) == ["poll": 15, "rateLimit": 60, "backoff": 30, "device": 1])
    }

    @Test func `a notifier that only claims to be limited is not excused`() {
        var builder = RecordBuilder()
        builder.log("poll.rate_limited", at: 110, [("wait.ms", .number(90_000))])
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 205, shown: 206)
        #expect(seconds(ledger(builder)) == ["poll": 15, "backoff": 90, "device": 1])
    }

    @Test(arguments: [
        (150.0, FaultKind.apnsDeliveryDelay, 120, 1), (700, .apnsDeliveryDelay, 120, 1),
        (725, .apnsDeliveryDelay, 0, 121), (590, .apnsReordering, 120, 1), (640, .apnsReordering, 0, 121),
    ])
    func `what APNs delivers late is nobody's, and what came to it late is`(
        pushed: Double,
        kind: FaultKind,
        outage: Int,
        device: Int
    ) {
        var builder = RecordBuilder()
        let effect: FaultEffect =
            kind == .apnsReordering
            ? .apnsReordering(.minutes(2), ratio: .one) : .apnsDeliveryDelay(.minutes(2), ratio: .one)
        builder.fault(kind, id: "late", from: 120, until: 600, effect: effect)
        builder.activity(at: pushed - 50, noteID: 41)
        builder.enqueue(["note/7/41"], at: pushed - 30)
        builder.deliver(["note/7/41"], pushed: pushed, shown: pushed + 121)
        let expected = ["poll": 20, "queue": 30, "outage": Int64(outage), "device": Int64(device)]
        #expect(seconds(ledger(builder)).filter { $0.value > 0 } == expected.filter { $0.value > 0 })
    }

    @Test(arguments: [(590.0, 30), (640, 0)])
    func `of what an app showed by itself only the time after APNs took it is nobody's`(pushed: Double, outage: Int) {
        var builder = RecordBuilder()
        let effect = FaultEffect.apnsReordering(.minutes(2), ratio: .one)
        builder.fault(.apnsReordering, id: "late", from: 120, until: 600, effect: effect)
        builder.activity(at: pushed - 110, noteID: 41)
        builder.enqueue(["note/7/41"], at: pushed - 90)
        builder.push(["note/7/41"], at: pushed)
        builder.event(.displayed, ["note/7/41"], at: pushed + 30, apnsID: "")
        let expected = ["poll": 20, "outage": Int64(outage), "device": Int64(120 - outage)]
        #expect(seconds(ledger(builder)).filter { $0.value > 0 } == expected.filter { $0.value > 0 })
    }

    @Test func `an outage of APNs is nobody else's`() {
        var builder = RecordBuilder()
        builder.fault(.apnsOutage, id: "apns", from: 140, until: 300)
        builder.activity(at: 100, noteID: 41)
        builder.push(["note/7/41"], at: 150, status: 503, reason: "ServiceUnavailable", fault: "apns")
        builder.push(["note/7/41"], at: 320)
        builder.event(.displayed, ["note/7/41"], at: 321)
        let line = ledger(builder)
        #expect(seconds(line) == ["poll": 50, "outage": 150, "backoff": 20, "device": 1])
    }
}
