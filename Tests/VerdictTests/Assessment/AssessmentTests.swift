import FoundationEssentials
import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct AssessmentTests {
    private func whole(_ builder: RecordBuilder) -> SliceResult { Assessment.assess(builder.record).whole }

    @Test func `a push that a device displayed is accepted, displayed and known`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 130, shown: 131)
        let result = whole(builder)
        #expect(result.expected == 1 && result.accepted == 1 && result.displayed == 1 && result.known == 1)
        #expect(result.missed == 0 && result.duplicates == 0 && result.unexpected == 0)
        #expect(result.latency.maximum == 31_000)
    }

    @Test func `a catch-up makes known without being displayed`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.record.catchUps.append(
            CatchUpRecord(
                person: RecordBuilder.maria,
                device: RecordBuilder.phone,
                at: .seconds(400),
                factKeys: ["note/7/41"]
            )
        )
        let result = Assessment.assess(builder.record)
        #expect(result.whole.displayed == 0 && result.whole.known == 1 && result.whole.missed == 0)
        #expect(result.knownLatency.maximum == 300_000)
        #expect(result.whole.latency.count == 0)
    }

    @Test func `a key of another person proves nothing`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 130, shown: 131, to: RecordBuilder.jonas)
        #expect(whole(builder).missed == 1)
        #expect(whole(builder).unexpected == 1)
    }

    @Test func `what a device showed before the deed does not count`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 90, shown: 91)
        #expect(whole(builder).missed == 1)
    }

    @Test func `a second new notification on one device is a duplicate, on another device it is not`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 130, shown: 131)
        builder.deliver(["note/7/41"], pushed: 130, shown: 131, device: RecordBuilder.mac)
        #expect(whole(builder).duplicates == 0)
        builder.deliver(["note/7/41"], pushed: 140, shown: 141, id: "n2")
        #expect(whole(builder).duplicates == 1)
    }

    @Test func `a replacement of the same collapse id is no duplicate`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 130, shown: 131)
        builder.event(.replaced, ["note/7/41"], at: 140)
        #expect(whole(builder).duplicates == 0)
    }

    @Test func `a mention told as note and as to-do is told twice`() {
        var builder = RecordBuilder()
        let todo = ActivityRecord.Todo(person: RecordBuilder.maria, id: 5, action: "mentioned")
        builder.activity(at: 100, noteID: 41, todos: [todo], mentions: [RecordBuilder.maria])
        builder.deliver(["note/7/41"], pushed: 130, shown: 131, id: "n1")
        builder.deliver(["todo/5"], pushed: 132, shown: 133, id: "n2")
        #expect(whole(builder).duplicates == 1)
        #expect(whole(builder).unexpected == 0)
    }

    @Test func `the comment's own push does not tell of a later edit, one made afterwards does`() {
        var builder = RecordBuilder()
        let todo = ActivityRecord.Todo(person: RecordBuilder.maria, id: 5, action: "mentioned")
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 130, shown: 131)
        builder.activity(.editedComment, at: 150, noteID: 41, todos: [todo], mentions: [RecordBuilder.maria])
        #expect(whole(builder).missed == 1)
        builder.deliver(["mention/7/41"], pushed: 170, shown: 171, id: "n2")
        #expect(whole(builder).missed == 0)
        #expect(whole(builder).duplicates == 0)
    }

    @Test func `an own action that is displayed is unexpected`() {
        var builder = RecordBuilder()
        builder.activity(at: 100, by: RecordBuilder.maria, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 130, shown: 131)
        #expect(whole(builder).unexpected == 1)
        #expect(whole(builder).expected == 0)
    }

    @Test func `what is not for somebody is unexpected beside what is, too`() throws {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.activity(at: 101, by: RecordBuilder.maria, noteID: 42)
        builder.deliver(["note/7/41", "note/7/42"], pushed: 130, shown: 131)
        #expect(whole(builder).unexpected == 1)
        #expect(whole(builder).missed == 0)
        let lines = Ledger(judged: JudgedRun(builder.record)).lines()
        let line = try #require(lines.first { $0.standing == "unexpected" })
        #expect(line.keys == ["note/7/41", "note/7/42"])
        #expect(line.reasonSentence == "It tells of note/7/42, which was not for this person.")
    }

    @Test func `optional news and service news are not unexpected`() {
        var builder = RecordBuilder()
        builder.activity(.imported, at: 100, claims: 100_000, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 130, shown: 131)
        builder.event(.displayed, [], at: 140, id: "n2", type: "auth_expired")
        #expect(whole(builder).unexpected == 0)
        #expect(Assessment.assess(builder.record).optional == 1)
    }

    @Test func `each slice counts its own window, kind and person`() {
        let gates = [
            Gate(metric: .missed, comparison: Comparison(.equal, .count(0)), window: .during(Fixture.entry("outage"))),
            Gate(metric: .missed, comparison: Comparison(.equal, .count(0)), window: .after(Fixture.entry("outage"))),
            Gate(metric: .missed, comparison: Comparison(.equal, .count(0)), kind: .merge),
            Gate(metric: .missed, comparison: Comparison(.equal, .count(0)), person: RecordBuilder.jonas),
        ]
        var builder = RecordBuilder(gates: gates)
        builder.fault(.gitlabOutage, id: "outage#1", from: 200, until: 300)
        builder.activity(at: 100)
        builder.activity(at: 200)
        builder.activity(at: 299)
        builder.activity(.merged, at: 300, note: false, stateEventID: 1)
        let expected = Assessment.assess(builder.record).slices.map(\.expected)
        #expect(expected == [4, 2, 1, 1, 0])
    }

    /// A fault from 200 to 300 with one comment before its end, known 43 seconds after it, and one after it.
    private func makeOutage(later: Double = 700) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.fault(.apnsOutage, id: "outage", from: 200, until: 300)
        builder.activity(at: 250, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 340, shown: 343)
        builder.activity(at: 600, noteID: 42)
        builder.deliver(["note/7/42"], pushed: later, shown: later, id: "n2")
        return builder
    }

    private func drained(_ builder: RecordBuilder) -> Int64? {
        Assessment.assess(builder.record).drainedAfterMilliseconds
    }

    @Test func `draining is counted from the end of the last fault`() {
        var builder = makeOutage()
        #expect(drained(builder) == 43_000)
        builder.fault(.apnsSlow, id: "slow", from: 310, until: 320)
        #expect(drained(builder) == 23_000)
        builder.fault(.apnsSlow, id: "later", from: 390, until: 400)
        #expect(drained(builder) == 0)
    }

    @Test func `draining waits for what happened up to the end of the fault, not for what came after it`() {
        var builder = makeOutage(later: 30_000)
        #expect(drained(builder) == 43_000)
        builder.activity(at: 300, noteID: 43)
        builder.deliver(["note/7/43"], pushed: 350, shown: 351, id: "n3")
        #expect(drained(builder) == 51_000)
    }

    @Test func `draining counts what is known, however late it is displayed`() {
        var builder = makeOutage()
        builder.activity(at: 290, noteID: 43)
        builder.record.catchUps.append(
            CatchUpRecord(
                person: RecordBuilder.maria,
                device: RecordBuilder.phone,
                at: .seconds(500),
                factKeys: ["note/7/43"]
            )
        )
        #expect(drained(builder) == 200_000)
    }

    @Test func `a miss from before the end of the fault never drains, a later one does not matter`() {
        var builder = makeOutage()
        builder.activity(at: 900, noteID: 43)
        #expect(drained(builder) == 43_000)
        builder.activity(at: 299, noteID: 44)
        #expect(drained(builder) == nil)
    }

    @Test func `a notifier with work left has not drained`() {
        var builder = makeOutage()
        builder.record.idleSince = nil
        #expect(drained(builder) == nil)
    }

    @Test func `without a fault draining is counted from the last activity`() {
        var builder = RecordBuilder()
        #expect(drained(builder) == 0)
        builder.activity(at: 100, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 160, shown: 161)
        builder.activity(at: 150, noteID: 42)
        builder.deliver(["note/7/42"], pushed: 152, shown: 153, id: "n2")
        #expect(drained(builder) == 11_000)
    }

    @Test func `a result survives its JSON`() throws {
        var record = RecordBuilder.makeDay(count: 30, missed: 2)
        record.probes = [ProbeRecord(probe: .baseline, count: 1, firstAt: .seconds(2))]
        let result = Assessment.assess(record)
        let json = try DeterministicJSON.line(result)
        #expect(try JSONDecoder().decode(SeedResult.self, from: Data(json.utf8)) == result)
        #expect(try DeterministicJSON.line(Assessment.assess(record)) == json)
    }

    @Test func `the slowest come first and are bounded`() {
        var builder = RecordBuilder(simulated: 100_000)
        for index in 0..<100 {
            let at = Double(100 + 600 * index)
            builder.activity(at: at, noteID: Int64(index + 1))
            let shown = at + Double(index) + 1
            builder.deliver(["note/7/\(index + 1)"], pushed: shown, shown: shown, id: "n\(index)")
        }
        let groups = Assessment.assess(builder.record).groups
        #expect(groups.map(\.group) == [.comment])
        #expect(groups.first?.slowest.map(\.activity) == Array((69...100).reversed()))
    }
}
