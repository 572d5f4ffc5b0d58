import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// The list of approvals has neither ids nor times (GitLab facts §11.1).
struct ApprovalTurnsTests {
    /// Jonas approves at 100 and 300 s, after he took the first approval back.
    private func makeRecord(notes: Bool = true) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.activity(.approved, at: 100, note: notes, noteID: notes ? 41 : nil)
        builder.activity(.unapproved, at: 200, noteID: 42)
        builder.activity(.approved, at: 300, noteID: 43)
        for index in builder.record.activities.indices { builder.record.activities[index].actorID = 5 }
        return builder
    }

    @Test(arguments: [(150.0, "approval/7/847/5#1"), (250, "approval/7/847/5#1"), (320, "approval/7/847/5#2")])
    func `a list tells of the approval that it showed`(readAt: Double, key: String) {
        let turns = ApprovalTurns(makeRecord().record)
        #expect(turns.canonical("approval/7/847/5/9", readAt: .seconds(readAt)) == key)
    }

    @Test func `the list shows an approval whose note is committed late`() {
        var builder = RecordBuilder()
        builder.activity(.approved, at: 100, readableAfter: 60, noteID: 41)
        builder.record.activities[0].actorID = 5
        builder.deliver(["approval/7/847/5/1"], pushed: 120, shown: 121)
        let result = Assessment.assess(builder.record).whole
        #expect(result.missed == 0 && result.unexpected == 0)
    }

    @Test func `a list read before the first approval tells of none`() {
        let turns = ApprovalTurns(makeRecord().record)
        #expect(turns.canonical("approval/7/847/5/1", readAt: .seconds(50)) == "approval/7/847/5/1")
        #expect(turns.canonical("note/7/41", readAt: .seconds(150)) == "note/7/41")
        #expect([0, 1, 2].map { turns.key(of: $0) } == ["approval/7/847/5#1", nil, "approval/7/847/5#2"])
    }

    @Test func `the second approval told by the list is no duplicate of the first`() {
        var builder = makeRecord()
        builder.deliver(["note/7/41"], pushed: 130, shown: 131, id: "n1")
        builder.deliver(["note/7/42"], pushed: 230, shown: 231, id: "n2")
        builder.deliver(["approval/7/847/5/2"], pushed: 330, shown: 331, id: "n3")
        let result = Assessment.assess(builder.record).whole
        #expect(result.missed == 0 && result.duplicates == 0 && result.unexpected == 0)
        builder.deliver(["note/7/43"], pushed: 340, shown: 341, id: "n4")
        #expect(Assessment.assess(builder.record).whole.duplicates == 1)
    }

    @Test func `the list told of the first approval proves nothing about the second`() {
        var builder = makeRecord()
        builder.deliver(["approval/7/847/5/1"], pushed: 130, shown: 131, id: "n1")
        builder.deliver(["note/7/42"], pushed: 230, shown: 231, id: "n2")
        #expect(Assessment.assess(builder.record).whole.missed == 1)
    }

    @Test func `what quiet hours held is the approval that was read, not the one at their end`() {
        var builder = makeRecord()
        builder.log("fact.held", at: 130, [("account.id", 1), ("facts", "approval/7/847/5/1")])
        builder.deliver(["note/7/42", "note/7/43", "approval/7/847/5/1"], pushed: 900, shown: 901)
        let result = Assessment.assess(builder.record).whole
        #expect(result.missed == 0 && result.duplicates == 0)
    }

    @Test func `an approval without a note that was taken back before the list is read is not demanded`() {
        var builder = makeRecord(notes: false)
        builder.record.activities[0].goneAt = .seconds(200)
        let standings = GroundTruth(builder.record).pairs.map(\.standing)
        #expect(standings == [.optional(.goneTooSoon), .expected(.watched), .expected(.watched)])
        builder.record.activities[0].goneAt = .seconds(2_000)
        #expect(GroundTruth(builder.record).pairs[0].standing == .expected(.watched))
    }
}
