import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Harness
@testable import Verdict

/// The app of a simulated device, which is the kit's: in the foreground, in the background, killed.
@Suite struct ForegroundAppTests {
    /// Two hours in which a colleague writes every five minutes.
    private func run(_ events: String, notifier: String = "", seed: UInt64 = 1) throws -> RunRecord {
        let timeline = """
            {"every": "5m", "from": "4m", "until": "115m", "action": "comment", "by": "@lea", "on": "team/backend!1"}, \(events)
            """
        let scenario = try makeScenario(duration: "\"2h\"", timeline: timeline, extra: notifier)
        return try ScenarioRun.perform(scenario.plan(seed: seed)).record
    }

    private static let withoutPushes = #", "notifier": {"pushEnabled": false}"#
    private static let open = #"{"at": "3m", "action": "open-app", "by": "@maria", "device": "phone", "for": "116m"}"#

    private func shown(_ record: RunRecord, byApp: Bool) -> Int {
        record.deviceEvents.count { $0.kind == .displayed && $0.apnsID.isEmpty == byApp }
    }

    private func count(_ probe: Probe, _ record: RunRecord) -> Int {
        record.probes.first { $0.probe == probe }?.count ?? 0
    }

    @Test func `an open app shows everything once although nothing is pushed`() throws {
        let record = try run(Self.open, notifier: Self.withoutPushes)
        let whole = Assessment.assess(record).whole
        #expect(whole.missed == 0 && whole.duplicates == 0 && whole.unexpected == 0)
        #expect(whole.displayed == whole.expected && whole.expected > 20)
        #expect(record.pushes.isEmpty && record.violations.isEmpty)
        #expect(count(.pingUnchanged, record) > 600)
        #expect(count(.pullShown, record) == shown(record, byApp: true))
    }

    @Test func `a closed app asks nothing, and a killed one shows afterwards what it has missed`() throws {
        let closed = try run(
            Self.open + #", {"at": "30m", "action": "close-app", "by": "@maria", "device": "phone"}"#,
            notifier: Self.withoutPushes
        )
        #expect(closed.deviceEvents.allSatisfy { $0.at < .minutes(31) } && !closed.deviceEvents.isEmpty)
        let killed = try run(
            Self.open + #", {"at": "30m", "action": "kill-app", "by": "@maria", "device": "phone"}"#
                + #", {"at": "60m", "action": "open-app", "by": "@maria", "device": "phone", "for": "1h"}"#,
            notifier: Self.withoutPushes
        )
        #expect(!killed.deviceEvents.contains { (Duration.minutes(31)..<(.minutes(60))).contains($0.at) })
        let whole = Assessment.assess(killed).whole
        #expect(whole.missed == 0 && whole.duplicates == 0 && whole.displayed == whole.expected)
    }

    @Test func `what a push has shown the app does not show, and the other way round`() throws {
        var suppressed = 0
        for seed: UInt64 in 1...4 {
            let record = try run(Self.open, seed: seed)
            let whole = Assessment.assess(record).whole
            #expect(whole.missed == 0 && whole.duplicates == 0 && whole.displayed == whole.expected)
            #expect(record.violations.isEmpty && shown(record, byApp: false) > 0)
            suppressed += count(.pushSuppressed, record)
        }
        #expect(suppressed > 0)
    }

    @Test func `the same seed opens, kills and shows the same`() throws {
        let events =
            Self.open + #", {"at": "30m", "action": "kill-app", "by": "@maria", "device": "phone"}"#
            + #", {"at": "31m", "action": "open-app", "by": "@maria", "device": "phone", "for": "1h"}"#
        let (first, second) = (try run(events), try run(events))
        #expect(first.digest == second.digest && first.deviceEvents == second.deviceEvents)
    }

    @Test func `what is marked as read is read`() throws {
        let record = try run(
            Self.open + #", {"at": "50m", "action": "mark-read", "by": "@maria", "on": "team/backend!1"}"#
        )
        #expect(record.preferences.map { "\($0.choice)" } == ["read(team/backend!1)"])
    }
}
