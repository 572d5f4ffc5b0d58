import Platform
import ScenarioFixtures
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict

/// What GitLab does by itself or by an administrator, as far as a scenario can ask for it.
@Suite struct GitLabTurnsTests {
    /// An hour in which a colleague writes now and then, with `timeline` in it.
    private func run(_ timeline: String, world: String = "") throws -> RunRecord {
        let talk = """
            {"every": "6m", "from": "3m", "until": "50m", "action": "comment", "by": "@lea", "on": "team/backend!1"}
            """
        var text = makeScenarioText(duration: "\"1h\"", timeline: timeline.isEmpty ? talk : "\(talk), \(timeline)")
        if !world.isEmpty { text = text.replacing("\"world\": {", with: "\"world\": {\(world), ", maxReplacements: 1) }
        return try ScenarioRun.perform(ScenarioReader.read(Array(text.utf8), file: "made").plan(seed: 1)).record
    }

    private func expectAllNotified(_ record: RunRecord, sourceLocation: SourceLocation = #_sourceLocation) {
        let result = Assessment.assess(record)
        #expect(result.whole.missed == 0, "\(result.causes)", sourceLocation: sourceLocation)
        #expect(result.whole.duplicates == 0 && result.whole.unexpected == 0, sourceLocation: sourceLocation)
        #expect(record.violations.isEmpty, sourceLocation: sourceLocation)
    }

    private func keys(_ record: RunRecord, _ span: Range<Duration> = .zero..<(.hours(9))) -> [String] {
        record.pushes.filter { span.contains($0.at) }.flatMap { $0.content?.factKeys ?? [] }
    }

    @Test func `an automatic merge is told to who watches, and is the doing of who armed it`() throws {
        let merge = #"{"at": "20m", "action": "pipeline", "status": "success", "by": "@ben", "on": "team/backend!1"}"#
        func timeline(_ armer: String) -> String {
            """
            {"at": "10m", "action": "pipeline", "status": "running", "by": "@ben", "on": "team/backend!1"},
            {"at": "12m", "action": "set-auto-merge", "by": "\(armer)", "on": "team/backend!1"}, \(merge)
            """
        }
        let others = try run(timeline("@lea"))
        expectAllNotified(others)
        let merged = try #require(others.activities.first { $0.kind == .merged })
        #expect(merged.actor.text == "lea")
        #expect(keys(others).contains { $0.hasPrefix("state/") })
        let own = try run(timeline("@maria"))
        expectAllNotified(own)
        #expect(!keys(own).contains { $0.hasPrefix("state/") })
    }

    @Test func `conflicts reach the author of the merge request, though the to-do names nobody else`() throws {
        let record = try run(
            """
            {"at": "5m", "action": "open-merge-request", "by": "@maria", "on": "team/backend!9", "title": "Mine"},
            {"at": "20m", "action": "conflict", "by": "@lea", "on": "team/backend!9"},
            {"at": "30m", "action": "push", "by": "@maria", "on": "team/backend!9"},
            {"at": "40m", "action": "conflict", "by": "@lea", "on": "team/backend!9"}
            """
        )
        expectAllNotified(record)
        let conflicts = record.activities.filter { $0.kind == .unmergeable }
        #expect(conflicts.flatMap(\.todos).map(\.person.text) == ["maria", "maria"])
        for todo in conflicts.flatMap(\.todos) { #expect(keys(record).contains("todo/\(todo.id)")) }
    }

    @Test func `a mention on a commit reaches a person, though there is no item`() throws {
        let record = try run(
            #"{"every": "10m", "from": "8m", "until": "50m", "action": "mention-on-commit", "by": "@lea", "user": "@maria", "project": "team/backend"}"#
        )
        expectAllNotified(record)
        let mentions = record.activities.filter { $0.kind == .other }
        #expect(mentions.count == 5)
        #expect(mentions.allSatisfy { $0.item == nil && $0.project?.text == "team/backend" })
        #expect(Assessment.assess(record).whole.expected == 13)
    }

    @Test func `who loses the project loses the mention on a commit with it`() throws {
        let record = try run(
            """
            {"at": "20m", "action": "mention-on-commit", "by": "@lea", "user": "@maria", "project": "team/backend"},
            {"at": "20m", "action": "lose-access", "user": "@maria", "project": "team/backend"}
            """
        )
        expectAllNotified(record)
    }

    @Test func `a blocked account learns of everything once it is active again (trap 22)`() throws {
        let record = try run(
            """
            {"at": "10m", "action": "block-account", "by": "@maria"},
            {"at": "25m", "action": "unblock-account", "by": "@maria"}
            """
        )
        expectAllNotified(record)
        let registration = try #require(record.registrations.first)
        #expect(registration.blocked == [Span(from: .minutes(10), until: .minutes(25))])
        #expect(keys(record, .minutes(13)..<(.minutes(25))).isEmpty)
        let truth = GroundTruth(record)
        let during = truth.pairs.filter { pair in
            (Duration.minutes(10)..<(.minutes(25))).contains(record.activities[pair.activity].at)
        }
        #expect(during.count == 2)
        #expect(during.allSatisfy { $0.readableAt == Duration.minutes(25).wholeNanoseconds })
    }

    @Test(arguments: [("maintenance", 0), ("read-only", 0), ("503-json", 1), ("401-json", 1)])
    func `a mode that answers reads excuses nothing`(mode: String, outages: Int) throws {
        let record = try run(#"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "\#(mode)"}"#)
        #expect(record.faults.count == 1)
        let held = GroundTruth(record).pairs.filter { pair in
            pair.readableAt > record.activities[pair.activity].at.wholeNanoseconds
        }
        #expect(held.isEmpty == (outages == 0))
    }

    @Test func `approvals that a push takes back can be given again, and each is told`() throws {
        let timeline = """
            {"at": "10m", "action": "approve", "by": "@lea", "on": "team/backend!1"},
            {"at": "20m", "action": "push", "by": "@ben", "on": "team/backend!1"},
            {"at": "30m", "action": "approve", "by": "@lea", "on": "team/backend!1"}
            """
        let record = try run(timeline, world: #""gitlab": {"quirks": {"resetApprovalsOnPush": true}}"#)
        expectAllNotified(record)
        #expect(record.activities.count { $0.kind == .approved } == 2)
        #expect(throws: (any Error).self) { try run(timeline) }
    }

    @Test func `a webhook that GitLab has switched off loses nothing`() throws {
        let hooks = #""gitlab": {"webhooks": true, "quirks": {"disableFailingWebhooks": true}}"#
        let refused = """
            {"at": "5m", "for": "20m", "fault": "refuse", "link": "webhook"},
            {"at": "10m", "action": "publish-review", "by": "@lea", "on": "team/backend!1", "count": 50}
            """
        let polls = try [hooks, #""gitlab": {"webhooks": true}"#].map { world in
            let record = try run(refused, world: world)
            expectAllNotified(record)
            return record.probes.first { $0.probe == .webhookPolled }?.count ?? 0
        }
        // The one before it began to fail, and all after the fault.
        #expect(polls == [1, 5])
    }
}
