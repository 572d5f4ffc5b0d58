import Platform
import Scenarios
import Testing

@testable import Workbench

struct IncidentTimelineTests {
    private func timeline(_ more: [String]) throws -> IncidentTimeline {
        try IncidentTimeline(BundleLines.bundle(more))
    }

    private static func offset(_ at: WallTime) -> Duration {
        WallTime(microseconds: BundleLines.start).duration(to: at)
    }

    @Test func `an outage lies between what was answered well before and after`() throws {
        let timeline = try timeline([
            BundleLines.minute(59, [(200, 100)]), BundleLines.minute(60, [(502, 10)]),
            BundleLines.minute(64, [(502, 4)]),
            BundleLines.minute(67, [(200, 100)]),
        ])
        let outage = try #require(timeline.outages.first)
        #expect(timeline.outages.count == 1 && outage.status == 502 && outage.percent == 100)
        #expect(Self.offset(outage.from) == .minutes(59) + .seconds(55))
        #expect(Self.offset(outage.until) == .minutes(65) + .seconds(55))
    }

    @Test func `what fails now and then is a share, and a rare failure is nothing`() throws {
        let half = try timeline((60...66).map { BundleLines.minute($0, [(200, 50), (500, 50)]) })
        #expect(half.outages.map(\.percent) == [50])
        let rare = try timeline((60...66).map { BundleLines.minute($0, [(200, 99), (500, 1)]) })
        #expect(rare.outages.isEmpty)
    }

    @Test func `two failures with good minutes between them are two outages`() throws {
        let timeline = try timeline([
            BundleLines.minute(60, [(502, 9)]), BundleLines.minute(63, [(200, 9)]), BundleLines.minute(66, [(502, 9)]),
        ])
        #expect(timeline.outages.count == 2)
    }

    @Test func `a limit is known by the ends that it names and by what it let through`() throws {
        // Windows of five minutes; the limit lets 24 through in each.
        let timeline = try timeline([
            BundleLines.minute(58, [(200, 30)]), BundleLines.minute(60, [(200, 24), (429, 1)], wait: 270),
            BundleLines.minute(65, [(200, 24), (429, 1)], wait: 270),
            BundleLines.minute(70, [(200, 24), (429, 1)], wait: 270),
            BundleLines.minute(76, [(200, 60)]),
        ])
        let limit = try #require(timeline.limits.first)
        #expect(timeline.limits.count == 1 && limit.requests == 24 && limit.period == .minutes(5))
        #expect(Self.offset(limit.from) == .minutes(60) && Self.offset(limit.until) == .minutes(75))
    }

    @Test func `a start without an end before it was a crash, one with it a restart`() throws {
        let timeline = try timeline([
            BundleLines.minute(29, [(200, 9)]), #"{"kind":"process","what":"start","at":\#(BundleLines.at(30, 30))}"#,
            #"{"kind":"process","what":"end","at":\#(BundleLines.at(40))}"#,
            #"{"kind":"process","what":"start","at":\#(BundleLines.at(50))}"#, BundleLines.minute(55, [(200, 9)]),
            #"{"kind":"process","what":"start","at":\#(BundleLines.at(90))}"#,
        ])
        #expect(timeline.downtimes.map(\.wasOrderly) == [false, true, false])
        let lengths = timeline.downtimes.map { $0.from.duration(to: $0.until) }
        #expect(lengths[0] == .seconds(5) && lengths[1] == .minutes(10))
        // The record ended at 55m45s; the last half minute is lost.
        #expect(lengths[2] == .minutes(34) - .seconds(15))
    }

    @Test func `what APNs refused for one reason of its own is a refusal, and what it says of a device is none`() throws
    {
        func pushes(_ minute: Int64, _ status: Int64, _ reason: String?) -> String {
            let word = reason.map { #","reason":"\#($0)""# } ?? ""
            let (first, last) = (BundleLines.at(minute, 5), BundleLines.at(minute, 45))
            return
                #"{"kind":"traffic","at":\#(BundleLines.at(minute)),"service":"apns","answers":[{"status":\#(status)\#(word),"#
                + #""count":3,"first":\#(first),"last":\#(last)}],"lengths":[]}"#
        }
        let lines = [
            pushes(59, 200, nil), pushes(60, 400, "BadTopic"), pushes(61, 400, "BadTopic"),
            pushes(64, 410, "Unregistered"), pushes(65, 200, nil), pushes(70, 429, "Secret"),
        ]
        let outage = try #require(try timeline(lines).outages.first)
        #expect(try timeline(lines).outages.count == 1 && outage.reason == .badTopic && outage.percent == 100)
        #expect(Self.offset(outage.from) == .minutes(59) + .seconds(55))
        let text = try IncidentScenario(BundleLines.bundle(lines), name: "imported").text()
        #expect(text.contains(#""fault": "apns-reason""#) && text.contains(#""reason": "BadTopic""#))
    }

    @Test func `a bundle in which nothing happens has no time`() throws {
        let bundle = try IncidentBundle(bytes: Array(BundleLines.base[0].utf8))
        #expect(throws: IncidentFault.self) { try IncidentTimeline(bundle) }
    }
}
