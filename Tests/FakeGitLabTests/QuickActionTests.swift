import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §8.3 quick actions")
struct QuickActionTests {
    private func bodies(_ fixture: Fixture, _ item: ItemReference) throws -> [String?] {
        try fixture.get(fixture.path(item, "/notes?sort=asc"), as: "omar").array.map { $0["body"]?.string }
    }

    @Test func `a comment of quick actions alone leaves no comment, and does all of them at one instant`() throws {
        let fixture = try Fixture()
        let done = try fixture.gitLab.comment(
            by: "omar",
            on: fixture.mergeRequest,
            body: nil,
            quickActions: [.requestReview(["ines"]), .label("bug"), .close, .approve]
        )
        #expect(done.map(\.kind) == [.approved, .closed, .reviewRequested, .labelsChanged])
        #expect(Set(done.map(\.at)).count == 1)
        #expect(
            try bodies(fixture, fixture.mergeRequest) == ["approved this merge request", "requested review from @ines"]
        )
        #expect(try fixture.get("/todos", as: "ines").row(0)["action_name"]?.string == "review_requested")
        #expect(try fixture.get(fixture.path(fixture.mergeRequest))["state"]?.string == "closed")
    }

    @Test func `a text stays without their lines, and whom only these name is not mentioned`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue, "/notes")
        let json = #"{"body":"Thanks!\n/assign @ines\n```\n/close\n```\n/due 2026-03-09"}"#
        let reply = fixture.send(.post, path, as: "omar", json: json).response
        #expect(reply.status == 201)
        #expect(try reply.json()["body"]?.string == "Thanks!\n```\n/close\n```")
        let issue = try fixture.get(fixture.path(fixture.issue))
        #expect(issue["state"]?.string == "opened" && issue["due_date"]?.string == "2026-03-09")
        let todos = try fixture.get("/todos", as: "ines").array
        #expect(todos.map { $0["action_name"]?.string } == ["assigned"])
    }

    @Test func `what is not possible is passed over`() throws {
        let fixture = try Fixture()
        let done = try fixture.gitLab.comment(
            by: "maria",
            on: fixture.mergeRequest,
            body: "Hm",
            quickActions: [.approve, .reopen, .dueDate(nil), .label("unknown"), .unassign(["ines"]), .draft(true)]
        )
        #expect(done.map(\.kind) == [.commented, .markedDraft])
        let byGuest = try fixture.gitLab.comment(
            by: "gast",
            on: fixture.issue,
            body: nil,
            quickActions: [.close, .label("bug")]
        )
        #expect(byGuest.isEmpty)
    }

    @Test func `a to-do of one's own is made where none is pending, and goes with what else changes`() throws {
        let fixture = try Fixture()
        let gitLab = fixture.gitLab
        try gitLab.comment(by: "maria", on: fixture.issue, body: "Later", quickActions: [.todo])
        #expect(try fixture.get("/todos").array.map { $0["action_name"]?.string } == ["marked"])
        #expect(try gitLab.comment(by: "maria", on: fixture.issue, body: nil, quickActions: [.todo]).isEmpty)
        try gitLab.comment(by: "maria", on: fixture.mergeRequest, body: nil, quickActions: [.label("bug"), .todo])
        #expect(try fixture.ids("/todos").count == 1)
    }
}
