import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Harness
@testable import Verdict

/// What becomes of what APNs has accepted, and of a key and a token that it knows no more.
@Suite struct AcceptedPushTests {
    /// An hour in which a colleague writes every five minutes to somebody with these devices.
    private func run(_ events: String, devices: String = #"{"name": "phone"}"#) throws -> RunRecord {
        let talk =
            #"{"every": "5m", "from": "4m", "until": "50m", "action": "comment", "by": "@lea", "on": "team/backend!1"}"#
        let text = makeScenarioText(duration: "\"1h\"", timeline: "\(talk), \(events)")
            .replacing(#""devices": [{"name": "phone"}]"#, with: "\"devices\": [\(devices)]")
        let scenario = try ScenarioReader.read(Array(text.utf8), file: "made.json")
        return try ScenarioRun.perform(scenario.plan(seed: 1)).record
    }

    private static let loss = #"{"at": "13m", "for": "12m", "fault": "apns-accepted-and-lost""#

    @Test func `what APNs loses on the way to one device the other shows`() throws {
        let record = try run(
            Self.loss + #", "person": "@maria", "device": "phone"}"#,
            devices: #"{"name": "phone"}, {"name": "mac"}"#
        )
        let lost = record.deviceEvents.filter { $0.cause == "lostByFault" }
        #expect(!lost.isEmpty && lost.allSatisfy { $0.device.text == "phone" })
        let result = Assessment.assess(record)
        #expect(result.whole.missed == 0 && result.whole.duplicates == 0)
        #expect(result.flaws.isEmpty && record.violations.isEmpty)
    }

    @Test func `what is lost on the way to the only device is nobody's fault, and stands in the app`() throws {
        let lost = Assessment.assess(try run(Self.loss + "}"))
        #expect(lost.whole.missed > 0 && lost.causes.map(\.code) == ["lost-in-apns"])
        #expect(lost.flaws.isEmpty)
        let opened = #"{"at": "40m", "action": "open-app", "by": "@maria", "for": "5m"}"#
        let found = Assessment.assess(try run(Self.loss + "}, " + opened))
        #expect(found.whole.missed == 0 && found.flaws.isEmpty)
    }

    @Test(arguments: ["apns-delivery-delay", "apns-reordering"])
    func `what APNs delivers late is no latency of the notifier's`(fault: String) throws {
        let record = try run(#"{"at": "13m", "for": "12m", "fault": "\#(fault)", "delay": "6m"}"#)
        let lines = Assessment.ledger(record).filter { $0.latencyNanoseconds != nil }
        let longest = lines.compactMap(\.latencyNanoseconds).max() ?? 0
        let excess = lines.compactMap(\.excessLatencyNanoseconds).max() ?? .max
        #expect(longest > Duration.minutes(6).wholeNanoseconds)
        #expect(excess < Duration.minutes(2).wholeNanoseconds)
        #expect(Assessment.assess(record).flaws.isEmpty)
    }

    @Test func `nobody hears what APNs answers a process that has died`() throws {
        let record = try run(#"{"at": "13m", "fault": "crash-at-step", "step": "before-push", "downFor": "2m"}"#)
        let lost = record.pushes.filter(\.answerLost)
        #expect(lost.count == 1 && lost.allSatisfy { $0.status == 200 && $0.answeredAt == nil })
        let result = Assessment.assess(record)
        #expect(result.whole.missed == 0 && result.whole.duplicates == 0 && record.violations.isEmpty)
    }

    @Test func `a key is good again when the last fault that revokes it is over`() throws {
        let record = try run(
            #"{"at": "13m", "for": "10m", "fault": "apns-key-revoked"}, {"at": "20m", "for": "12m", "fault": "apns-key-revoked"}"#
        )
        let pushes = record.pushes.filter { $0.at > .minutes(13) && $0.at < .minutes(32) }
        #expect(!pushes.isEmpty && pushes.allSatisfy { $0.reason == "InvalidProviderToken" })
        #expect(record.pushes.contains { $0.at > .minutes(32) && $0.status == 200 })
        #expect(Assessment.assess(record).flaws.isEmpty)
    }

    @Test func `an app whose token has expired asks for another when it is opened`() throws {
        let expired = #"{"at": "13m", "fault": "device-token-expired", "person": "@maria", "device": "phone"}"#
        let opened = #"{"at": "32m", "action": "open-app", "by": "@maria", "for": "2m"}"#
        let silent = try run(expired)
        #expect(silent.pushes.count { $0.reason == "ExpiredToken" } == 1)
        #expect(silent.pushTokenChanges.isEmpty && Assessment.assess(silent).flaws.isEmpty)
        let record = try run("\(expired), \(opened)")
        #expect(record.pushTokenChanges.count == 1)
        #expect(record.pushes.contains { $0.at > .minutes(34) && $0.status == 200 })
        let result = Assessment.assess(record)
        #expect(result.whole.missed == 0 && result.flaws.isEmpty && record.violations.isEmpty)
    }

    @Test func `nobody who has no app has a token that could expire, and another device has another`() throws {
        let expired = #"{"at": "13m10s", "fault": "device-token-expired", "person": "@maria", "device": "phone"}"#
        let removed = #"{"at": "13m", "action": "app-remove", "by": "@maria", "device": "phone"}"#
        #expect(try !run("\(removed), \(expired)").pushes.contains { $0.reason == "ExpiredToken" })
        let replaced = #"{"at": "13m20s", "action": "device-replace", "by": "@maria", "device": "phone"}"#
        let record = try run("\(expired), \(replaced)")
        #expect(!record.pushes.contains { $0.reason == "ExpiredToken" && $0.at > .minutes(20) })
        #expect(Assessment.assess(record).flaws.isEmpty)
    }
}
