import Platform
import ScenarioFixtures
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict

/// What a device learns that was away while APNs kept one push for it.
@Suite struct ReturnToNetworkTests {
    /// Six hours with news every five minutes of the first; the only device is away from the tenth minute to the fiftieth.
    private func run(_ device: String, _ events: String = "", seed: UInt64 = 1) throws -> RunRecord {
        let timeline = """
            {"every": "5m", "from": "4m", "until": "1h", "action": "comment", "by": "@lea", "on": "team/backend!1"},
            {"at": "10m", "action": "device-offline", "by": "@maria", "device": "phone"},
            {"at": "50m", "action": "device-online", "by": "@maria", "device": "phone"}\(events)
            """
        let text = makeScenarioText(duration: "\"6h\"", timeline: timeline)
            .replacing(#"{"name": "phone"}"#, with: device)
        let scenario = try ScenarioReader.read(Array(text.utf8), file: "made.json")
        return try ScenarioRun.perform(scenario.plan(seed: seed)).record
    }

    private static let phone = #"{"name": "phone"}"#
    private static let mac = #"{"name": "phone", "platform": "macos"}"#

    private func isSound(_ record: RunRecord) -> Bool {
        record.violations.isEmpty && Assessment.assess(record).whole.missed == 0
    }

    @Test(arguments: UInt64(1)...4)
    func `iOS lets the app refresh in its own time`(seed: UInt64) throws {
        let record = try run(Self.phone, seed: seed)
        let first = try #require(record.catchUps.first?.at)
        #expect((Duration.minutes(65)..<(.minutes(291))).contains(first))
        #expect(isSound(record))
    }

    @Test(arguments: [UInt64(1), 4])
    func `what the system meant to do after an earlier return is not done soon after the last`(seed: UInt64) throws {
        let again = """
            , {"at": "60m", "action": "device-offline", "by": "@maria", "device": "phone"},
            {"at": "100m", "action": "device-online", "by": "@maria", "device": "phone"}
            """
        let record = try run(Self.phone, again, seed: seed)
        let first = try #require(record.catchUps.first?.at)
        #expect((Duration.minutes(115)..<(.minutes(341))).contains(first))
        #expect(isSound(record))
    }

    @Test func `the app on a Mac runs, and fetches at once`() throws {
        let record = try run(Self.mac)
        let first = try #require(record.catchUps.first?.at)
        #expect((Duration.minutes(50)..<(.minutes(51))).contains(first))
        #expect(isSound(record))
    }

    @Test func `a device that saves power puts it off`() throws {
        let saves = #", {"at": "5m", "action": "power-saving-on", "by": "@maria", "device": "phone"}"#
        let record = try run(Self.phone, saves)
        #expect(record.catchUps.isEmpty && record.violations.isEmpty)
    }

    @Test func `an app that was closed for good is there again once its person marks something as read in it`() throws {
        let events = """
            , {"at": "5m", "action": "quit-app", "by": "@maria", "device": "phone"},
            {"at": "52m", "action": "mark-read", "by": "@maria", "on": "team/backend!1"},
            {"at": "70m", "action": "device-offline", "by": "@maria", "device": "phone"},
            {"at": "80m", "action": "device-online", "by": "@maria", "device": "phone"}
            """
        let record = try run(Self.phone, events)
        #expect(record.preferences.count == 1)
        #expect(record.catchUps.contains { $0.at > .minutes(80) }, "it refreshes again after its return")
        #expect(isSound(record))
    }

    @Test func `what an app never fetches that was closed for good is lost in the mailbox, and excused`() throws {
        let quit = #", {"at": "5m", "action": "quit-app", "by": "@maria", "device": "phone"}"#
        let record = try run(Self.phone, quit)
        #expect(record.catchUps.isEmpty && record.violations.isEmpty)
        let causes = Assessment.assess(record).causes.map(\.code)
        #expect(causes == [MissCause.overwrittenInMailbox.code])
        #expect(causes.allSatisfy { Excuse.reasons[$0] != nil })
    }
}
