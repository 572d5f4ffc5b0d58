import Platform
import Testing

@testable import FakeGitLab

struct ClockTests {
    @Test func `nothing vanishes and nothing is held back when the clock is set back`() throws {
        let fixture = try Fixture()
        let note = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "before").noteIDs[0]
        try fixture.gitLab.changeTitle(by: "omar", on: fixture.mergeRequest, to: "Before")
        fixture.clock.advance(.minutes(-45))
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
}
