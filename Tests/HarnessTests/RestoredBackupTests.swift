import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Harness
@testable import Verdict

/// What bringing a backup back does to a world: the notifier forgets what it learned since, and tells it again.
@Suite struct RestoredBackupTests {
    /// An hour and a half in which a colleague writes every five minutes, and a backup of minute 20 is brought back at minute 50.
    private func run(_ trouble: String = "") throws -> RunRecord {
        let timeline = """
            {"every": "5m", "from": "4m", "until": "80m", "action": "comment", "by": "@lea", "on": "team/backend!1"},
            \(trouble) {"at": "20m", "fault": "restore-backup", "for": "30m"}
            """
        return try ScenarioRun.perform(makeScenario(duration: "\"90m\"", timeline: timeline).plan(seed: 1)).record
    }

    private func displayed(_ record: RunRecord, _ span: Range<Duration>) -> Int {
        record.deviceEvents.count { $0.kind == .displayed && span.contains($0.at) }
    }

    @Test func `what was told since the backup is told again, once, and nothing is lost`() throws {
        let record = try run()
        let result = Assessment.assess(record)
        #expect(result.whole.missed == 0 && result.whole.duplicates == 0 && result.whole.wrongUnreadNumbers == 0)
        #expect(result.violations.isEmpty, "\(result.violations)")
        // The comments of minutes 24 to 49 have been shown, and come again in few notifications.
        #expect(displayed(record, .minutes(20)..<(.minutes(50))) == 6)
        let again = record.deviceEvents.filter {
            $0.kind == .displayed && $0.at >= .minutes(50) && $0.at < .minutes(54)
        }
        let keys = Set(again.flatMap { $0.content?.factKeys ?? [] })
        #expect(keys.count == 6, "\(keys)")
        #expect(record.probes.contains { $0.probe == .backupRestored })
        #expect(record.downtimes.map(\.from) == [.minutes(50) - .seconds(30)])
    }

    @Test func `a block that is damaged is found before anything is written, and the backup brings all back`() throws {
        let timeline = """
            {"every": "5m", "from": "4m", "until": "80m", "action": "comment", "by": "@lea", "on": "team/backend!1"},
            {"at": "15m", "fault": "restart", "downFor": "5s"},
            {"at": "20m1s", "fault": "block-damage", "for": "30m"}
            """
        var refused = 0
        for seed in UInt64(1)...6 {
            let record = try ScenarioRun.perform(makeScenario(duration: "\"90m\"", timeline: timeline).plan(seed: seed))
                .record
            let result = Assessment.assess(record)
            #expect(result.whole.missed == 0 && result.whole.duplicates == 0 && result.violations.isEmpty)
            guard record.probes.contains(where: { $0.probe == .damageRefused }) else {
                // Nobody reads that block: it goes on after the supervisor's pause.
                #expect(record.downtimes.count == 2)
                continue
            }
            refused += 1
            #expect(record.probes.contains { $0.probe == .backupRestored })
            #expect(displayed(record, .minutes(20)..<(.minutes(50))) == 0)
        }
        #expect(refused >= 2, "\(refused) of 6")
    }

    @Test func `without room for a backup nothing is brought back`() throws {
        let record = try run(#"{"at": "19m", "fault": "disk-full", "for": "5m"},"#)
        let result = Assessment.assess(record)
        #expect(!record.probes.contains { $0.probe == .backupRestored } && record.downtimes.isEmpty)
        #expect(result.whole.missed == 0 && result.whole.duplicates == 0)
    }
}
