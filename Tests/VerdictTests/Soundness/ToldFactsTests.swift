import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct ToldFactsTests {
    private func facts(_ builder: RecordBuilder) throws -> [ToldFacts.Fact] {
        try #require(Assessment.assessWithFacts(builder.record).told).facts
    }

    @Test func `it is told whether a device showed it or the feed did, and what is told is named by the deed`() throws {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.activity(at: 100, noteID: 42)
        builder.activity(at: 200, noteID: 43)
        builder.deliver(["note/7/41"], pushed: 130, shown: 131)
        builder.record.catchUps.append(
            CatchUpRecord(
                person: RecordBuilder.maria,
                device: RecordBuilder.mac,
                at: .seconds(400),
                factKeys: ["note/7/42"]
            )
        )
        let facts = try facts(builder)
        #expect(facts.map(\.isTold) == [true, true, false])
        #expect(facts.allSatisfy { $0.person == "@maria" && $0.duty == .must })
        #expect(
            facts.map(\.activity) == [
                "comment by @jonas on team/backend!847 at 1m40s", "comment by @jonas on team/backend!847 at 1m40s #2",
                "comment by @jonas on team/backend!847 at 3m20s",
            ]
        )
        #expect(facts[2].reason == "not-detected")
    }

    @Test func `an excuse of a single run excuses here, and so does what is optional`() throws {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.push(["note/7/41"], at: 130)
        builder.event(.discarded, ["note/7/41"], at: 131, cause: "overwritten")
        builder.activity(at: 300, goneAfter: 5)
        let facts = try facts(builder)
        #expect(facts.map(\.duty) == [.may, .may])
        #expect(facts.map(\.reason) == ["overwritten-in-mailbox", "gone-too-soon"])
    }

    @Test func `what is not for somebody is told when it stands in one notification with what is`() throws {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.activity(at: 101, by: RecordBuilder.maria, noteID: 42)
        builder.activity(at: 102, by: RecordBuilder.maria, noteID: 43)
        builder.deliver(["note/7/41", "note/7/42"], pushed: 130, shown: 131)
        let result = Assessment.assessWithFacts(builder.record)
        let facts = try #require(result.told).facts
        #expect(facts.map(\.duty) == [.must, .mustNot, .mustNot])
        #expect(facts.map(\.isTold) == [true, true, false])
        #expect(result.whole.unexpected == 1 && result.causes.isEmpty)
    }

    @Test func `a key that also stands for what is for them says nothing`() throws {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.activity(at: 101, by: RecordBuilder.maria, noteID: 41)
        builder.deliver(["note/7/41"], pushed: 130, shown: 131)
        #expect(try facts(builder).map(\.isTold) == [true, false])
    }

    @Test func `nobody who did not ask pays for it`() {
        var builder = RecordBuilder()
        builder.activity(at: 100)
        #expect(Assessment.assess(builder.record).told == nil)
    }
}

struct ToldComparisonTests {
    private func facts(_ told: Bool, _ duty: ToldFacts.Duty, reason: String = "why", activity: String = "close")
        -> ToldFacts
    {
        ToldFacts(facts: [
            ToldFacts.Fact(person: "@ana", activity: activity, isTold: told, duty: duty, reason: reason)
        ])
    }

    private func signatures(_ world: ToldFacts, _ twin: ToldFacts, _ relation: WorldRelation = .detection) -> [String] {
        ToldComparison(world, twin, under: relation).flaws.map(\.signature)
    }

    @Test func `what one told and the other owed is a flaw that names who, what and which side`() throws {
        let comparison = ToldComparison(
            facts(true, .must),
            facts(false, .must, reason: "not-detected"),
            under: .pageSize
        )
        let flaw = try #require(comparison.flaws.first)
        #expect(comparison.flaws.count == 1 && comparison.compared == 1)
        #expect(flaw.signature == "told-differently: page-size: by the world alone: not-detected")
        #expect(flaw.detail == "@ana was told by the world alone: close")
        #expect(
            signatures(facts(false, .must), facts(true, .must))
                == ["told-differently: detection: by the twin alone: why"]
        )
        #expect(signatures(facts(true, .must), facts(true, .must)) == [])
    }

    @Test func `silence with an excuse is none, and a telling needs no excuse`() {
        #expect(signatures(facts(true, .must), facts(false, .may)) == [])
        #expect(signatures(facts(true, .may), facts(false, .must)).count == 1)
        #expect(ToldComparison(facts(true, .may), facts(false, .may), under: .detection).compared == 0)
    }

    @Test func `what neither was to tell is a flaw where one did, unless the other may have`() {
        #expect(signatures(facts(true, .mustNot), facts(false, .mustNot)).count == 1)
        #expect(signatures(facts(false, .mustNot), facts(true, .mustNot)).count == 1)
        #expect(signatures(facts(true, .may), facts(false, .mustNot)) == [])
        #expect(signatures(facts(true, .must), facts(false, .mustNot)) == [])
    }

    @Test func `without faults more may be told and not less`() {
        #expect(signatures(facts(false, .must), facts(true, .must), .withoutFaults) == [])
        #expect(signatures(facts(true, .must), facts(false, .must), .withoutFaults).count == 1)
        #expect(signatures(facts(true, .mustNot), facts(false, .mustNot), .withoutFaults).count == 1)
    }

    @Test func `what happened in one of the two alone is not compared`() {
        let comparison = ToldComparison(facts(true, .must), facts(false, .must, activity: "merge"), under: .detection)
        #expect(comparison.flaws.isEmpty && comparison.compared == 0)
    }
}
