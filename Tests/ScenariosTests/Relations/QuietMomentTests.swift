import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios

struct QuietMomentTests {
    private static func moment(_ timeline: [String]) throws -> Duration? {
        let scenario = try makeScenario(duration: "\"10h\"", timeline: timeline.joined(separator: ","))
        return try scenario.plan(seed: 1).quietMoment
    }

    private static func comment(_ at: String) -> String {
        #"{ "at": "\#(at)", "action": "comment", "by": "@ben", "on": "team/backend!1" }"#
    }

    @Test func `it is a minute before the end of the longest rest, and what follows the last thing is none`() throws {
        let comments = ["5m", "30m", "1h", "1h10m"].map(Self.comment)
        #expect(try Self.moment(comments) == .minutes(59))
    }

    @Test func `of equally long rests it is the first, and the beginning is one`() throws {
        #expect(try Self.moment(["20m", "40m", "1h"].map(Self.comment)) == .minutes(19))
    }

    @Test func `a rest begins when a fault ends, whatever ends before`() throws {
        let outage = #"{ "at": "10m", "for": "30m", "fault": "gitlab-outage", "mode": "502-text", "id": "out" }"#
        #expect(
            try Self.moment([Self.comment("9m"), outage, Self.comment("20m"), Self.comment("56m")]) == .minutes(55)
        )
        #expect(try Self.moment([Self.comment("9m"), outage, Self.comment("54m59s")]) == nil)
        #expect(try Self.moment([Self.comment("9m"), outage, Self.comment("55m")]) == .minutes(54))
    }

    @Test func `nothing is quiet once a crash waits for its step, and nothing without a next thing`() throws {
        let crash = #"{ "at": "16m", "fault": "crash-at-step", "step": "after-push", "downFor": "1m", "id": "step" }"#
        #expect(try Self.moment([crash, Self.comment("3h")]) == .minutes(15))
        #expect(try Self.moment([Self.comment("2m"), crash.replacing("16m", with: "4m"), Self.comment("3h")]) == nil)
        #expect(try Self.moment([]) == nil)
    }
}
