import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Harness
@testable import Verdict

/// An app that gets another push token and keeps its session: after a restore from a backup, or when a build is installed over it.
@Suite struct PushTokenChangeTests {
    /// An hour in which a colleague writes every five minutes, and something happens to the only phone after half of it.
    private func run(_ events: String) throws -> RunRecord {
        let timeline = """
            {"every": "5m", "from": "4m", "until": "50m", "action": "comment", "by": "@lea", "on": "team/backend!1"}, \(events)
            """
        return try ScenarioRun.perform(makeScenario(duration: "\"1h\"", timeline: timeline).plan(seed: 1)).record
    }

    private func change(_ members: String = "") -> String {
        #"{"at": "31m30s", "action": "push-token-change", "by": "@maria", "device": "phone"\#(members)}"#
    }

    private func displayed(_ record: RunRecord, from instant: Duration) -> Int {
        record.deviceEvents.count { $0.kind == .displayed && $0.at > instant }
    }

    @Test(arguments: ["", #", "environment": "sandbox""#, #", "environment": "production""#])
    func `it is pushed to by its new token, in whichever environment`(environment: String) throws {
        let record = try run(change(environment))
        #expect(displayed(record, from: .minutes(32)) == 4)
        #expect(record.pushTokenChanges.map(\.person.text) == ["maria"])
        #expect(record.pushTokenChanges.map(\.isOfNewSession) == [false])
        #expect(record.deviceReplacements.isEmpty && record.deviceSpans.count == 1)
        let result = Assessment.assess(record)
        #expect(result.whole.missed == 0, "\(result.causes)")
        #expect(result.whole.duplicates == 0 && result.whole.unexpected == 0)
        #expect(record.violations.isEmpty)
    }

    @Test(arguments: [
        #"{"at": "30m", "action": "device-offline", "by": "@maria", "device": "phone"}"#,
        #"{"at": "30m", "action": "app-remove", "by": "@maria", "device": "phone"}"#,
    ])
    func `without a network or without the app there is no new token`(event: String) throws {
        let record = try run("\(event), \(change())")
        #expect(record.pushTokenChanges.isEmpty && record.violations.isEmpty)
    }
}
