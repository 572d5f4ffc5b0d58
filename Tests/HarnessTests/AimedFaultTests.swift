import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Harness
@testable import Verdict

/// What APNs says of single pushes, of one person's or of those to one device.
@Suite struct AimedFaultTests {
    /// An hour in which a colleague writes every five minutes to somebody with a phone and a Mac.
    private func run(_ fault: String) throws -> RunRecord {
        let talk =
            #"{"every": "5m", "from": "4m", "until": "50m", "action": "comment", "by": "@lea", "on": "team/backend!1"}"#
        let text = makeScenarioText(duration: "\"1h\"", timeline: "\(talk), \(fault)")
            .replacing(#""devices": [{"name": "phone"}]"#, with: #""devices": [{"name": "phone"}, {"name": "mac"}]"#)
        let scenario = try ScenarioReader.read(Array(text.utf8), file: "made.json")
        return try ScenarioRun.perform(scenario.plan(seed: 1)).record
    }

    @Test func `a fault that is aimed at a device strikes no other`() throws {
        let record = try run(
            #"{"at": "13m", "for": "4m", "fault": "apns-reason", "reason": "TooManyRequests", "person": "@maria", "device": "mac"}"#
        )
        let refused = record.pushes.filter { $0.status == 429 }
        #expect(!refused.isEmpty && refused.allSatisfy { $0.device?.text == "mac" })
        #expect(record.pushes.contains { $0.device?.text == "phone" && $0.at > .minutes(13) && $0.at < .minutes(17) })
        #expect(Assessment.assess(record).whole.missed == 0 && record.violations.isEmpty)
    }

    @Test func `one that is aimed at a person strikes all of their devices`() throws {
        let record = try run(#"{"at": "13m", "for": "4m", "fault": "apns-never-answers", "person": "@maria"}"#)
        let struck = record.pushes.filter { $0.at > .minutes(13) && $0.at < .minutes(17) && $0.status == 200 }
        #expect(struck.isEmpty)
        #expect(Assessment.assess(record).whole.missed == 0 && record.violations.isEmpty)
    }
}
