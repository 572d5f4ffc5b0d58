import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Harness
@testable import Verdict

/// What opening the app changes: it tells the server its push token, and reads what it has missed.
@Suite struct OpenAppTests {
    /// An hour in which a colleague writes every five minutes and the only phone opens the app after forty.
    private func run(_ trouble: String) throws -> RunRecord {
        let timeline = """
            {"every": "5m", "from": "4m", "until": "50m", "action": "comment", "by": "@lea", "on": "team/backend!1"},
            {"at": "40m", "action": "open-app", "by": "@maria", "device": "phone"}, \(trouble)
            """
        return try ScenarioRun.perform(makeScenario(duration: "\"1h\"", timeline: timeline).plan(seed: 1)).record
    }

    private func displayed(_ record: RunRecord, _ span: Range<Duration>) -> Int {
        record.deviceEvents.count { $0.kind == .displayed && span.contains($0.at) }
    }

    @Test func `a phone whose token was refused is pushed to again, with what has waited, once its app is opened`()
        throws
    {
        let record = try run(#"{"at": "13m", "for": "20m", "fault": "apns-reason", "reason": "BadDeviceToken"}"#)
        #expect(displayed(record, .zero..<(.minutes(13))) == 2)
        #expect(displayed(record, .minutes(13)..<(.minutes(40))) == 0)
        #expect(displayed(record, .minutes(40)..<(.minutes(41))) == 6, "each comment that waited is shown by itself")
        let result = Assessment.assess(record)
        #expect(result.whole.missed == 0, "\(result.causes)")
        #expect(result.whole.displayed == result.whole.expected)
        #expect(result.whole.duplicates == 0)
        #expect(record.violations.isEmpty)
        #expect(record.probes.contains { $0.probe == .deviceHeld })
        #expect(record.probes.contains { $0.probe == .deviceRevived })
    }

    @Test func `a token that APNs had called dead may be used again once the app has told it anew`() throws {
        let record = try run(#"{"at": "13m", "for": "4m", "fault": "apns-reason", "reason": "Unregistered"}"#)
        #expect(displayed(record, .minutes(13)..<(.minutes(40))) == 0)
        #expect(displayed(record, .minutes(41)..<(.hours(1))) == 2)
        let result = Assessment.assess(record)
        #expect(result.whole.missed == 0, "what was not pushed was read on opening: \(result.causes)")
        #expect(record.violations.isEmpty)
    }

    @Test func `an app that was deleted neither registers nor reads`() throws {
        let record = try run(#"{"at": "13m", "action": "app-remove", "by": "@maria", "device": "phone"}"#)
        #expect(record.catchUps.isEmpty)
        #expect(displayed(record, .minutes(13)..<(.hours(1))) == 0)
        #expect(Assessment.assess(record).whole.missed > 0)
    }
}
