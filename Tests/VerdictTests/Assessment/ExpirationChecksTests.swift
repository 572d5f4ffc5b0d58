import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// For how long APNs is told to keep what is no news of activities, of use for a day.
struct ExpirationChecksTests {
    /// A push that is to be kept until that many seconds after the start.
    private func makeBuilder(_ type: String, at seconds: Double, until end: Int64) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.push([], at: seconds, id: "n1")
        builder.record.pushes[0].content?.type = type
        builder.record.pushes[0].content?.title = "Announcement 1"
        builder.record.pushes[0].expiration = builder.record.resolved.scenario.start.secondsSinceEpoch + end
        return builder
    }

    private func isBroken(_ builder: RecordBuilder) -> Bool {
        Assessment.assess(builder.record).violations.contains { $0.invariant == .outboxLost }
    }

    @Test(arguments: ["auth_expired", "token_expiring", "service_trouble", "service_recovered", "watch_list_full"])
    func `news about the service is kept for as long as it is of use`(type: String) {
        #expect(!isBroken(makeBuilder(type, at: 20_000, until: 106_390)))
        #expect(isBroken(makeBuilder(type, at: 20_000, until: 100_000)), "too short")
        #expect(isBroken(makeBuilder(type, at: 20_000, until: 110_000)), "too long")
    }

    @Test func `what waited for something was made before`() {
        let builder = makeBuilder("service_trouble", at: 20_000, until: 100_000)
        var struck = builder
        struck.fault(.apnsOutage, id: "outage", from: 15_000, until: 19_000)
        #expect(!isBroken(struck))
        var refused = builder
        refused.record.pushes.insert(refused.record.pushes[0], at: 0)
        refused.record.pushes[0].at = .seconds(1_000)
        refused.record.pushes[0].status = 503
        refused.record.pushes[0].content = nil
        #expect(!isBroken(refused))
        var late = builder
        for index in late.record.deviceSpans.indices { late.record.deviceSpans[index].activeFrom = .seconds(19_990) }
        #expect(!isBroken(late))
        var again = makeBuilder("service_trouble", at: 20_000, until: 106_390)
        again.record.pushes.append(again.record.pushes[0])
        again.record.pushes[1].at = .seconds(30_000)
        #expect(!isBroken(again), "the same push a second time")
        var clock = builder
        clock.fault(.clockStep, id: "clock", from: 50, until: 50)
        #expect(!isBroken(clock))
    }

    @Test func `a test is kept from when it was asked for, whatever held it up`() {
        func builder(until end: Int64) -> RecordBuilder {
            var builder = makeBuilder("test", at: 20_000, until: end)
            builder.record.tests = [
                TestRecord(
                    person: RecordBuilder.maria,
                    notificationID: "n1",
                    askedAt: .seconds(10_000),
                    answeredAt: .seconds(10_001),
                    targets: 2
                )
            ]
            builder.fault(.apnsOutage, id: "outage", from: 9_000, until: 19_990)
            return builder
        }
        #expect(!isBroken(builder(until: 96_400)))
        #expect(isBroken(builder(until: 95_000)))
    }

    @Test func `an announcement is kept from when it was made, or from the end of quiet hours`() {
        func builder(until end: Int64, isHeld: Bool) -> RecordBuilder {
            var builder = makeBuilder("announcement", at: 20_000, until: end)
            builder.record.announcements = [
                AnnouncementRecord(
                    person: RecordBuilder.maria,
                    title: "Announcement 1",
                    at: .seconds(isHeld ? 10_000 : 19_990),
                    targets: 1,
                    isHeld: isHeld
                )
            ]
            return builder
        }
        #expect(!isBroken(builder(until: 106_390, isHeld: false)))
        #expect(isBroken(builder(until: 105_000, isHeld: false)))
        #expect(isBroken(builder(until: 110_000, isHeld: false)))
        #expect(!isBroken(builder(until: 110_000, isHeld: true)), "the quiet hours may have ended later")
        #expect(isBroken(builder(until: 95_000, isHeld: true)))
    }
}
