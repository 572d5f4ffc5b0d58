import Platform
import Testing

@testable import FakeGitLab

struct ClockTests {
    @Test func `nothing vanishes and nothing is held back when the clock is set back`() throws {
        let fixture = try Fixture()
        let note = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "before").noteIDs[0]
        try fixture.gitLab.changeTitle(by: "omar", on: fixture.mergeRequest, to: "Before")
        fixture.clock.step(.minutes(-45))
        let path = try fixture.path(fixture.mergeRequest)
        #expect(try fixture.ids("\(path)/notes").contains(note))
        #expect(try fixture.get(path)["title"]?.string == "Before")
        let late = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "after").noteIDs[0]
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.close(by: "omar", on: fixture.mergeRequest)
        #expect(try fixture.ids("\(path)/notes").contains(late))
        #expect(try fixture.get(path)["state"]?.string == "closed")
        #expect(try fixture.get("\(path)/approvals")["approved_by"]?.array.count == 1)
        #expect(try fixture.get("\(path)/resource_state_events").array.count == 1)
        // The rows bear the time of their writing all the same.
        let written = try fixture.get("\(path)/notes/\(late)")["created_at"]?.string
        let before = try fixture.get("\(path)/notes/\(note)")["created_at"]?.string
        #expect(try #require(written) < #require(before))
    }

    @Test(arguments: [false, true])
    func `a commit takes as long as it takes when the clock is set back before or during it`(isBefore: Bool) throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.mergeRequest)
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "before")
        fixture.gitLab.holdCommits(of: .note, for: .seconds(20), faultID: "late")
        if isBefore { fixture.clock.step(.minutes(-45)) }
        let activity = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "held")
        #expect(activity.at.duration(to: activity.readableAt) == .seconds(20))
        if !isBefore { fixture.clock.step(.minutes(-45)) }
        let held = activity.noteIDs[0]
        fixture.clock.advance(.seconds(19))
        #expect(try !fixture.ids("\(path)/notes").contains(held))
        fixture.clock.advance(.seconds(1))
        #expect(try fixture.ids("\(path)/notes").contains(held))
    }
}
