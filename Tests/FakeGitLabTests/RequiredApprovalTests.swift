import Testing

@testable import FakeGitLab

/// Rules of merge requests that ask people for their approval.
struct RequiredApprovalTests {
    private func makeFixture(_ edition: GitLabEdition = .enterprise) throws -> Fixture {
        try Fixture { $0.edition = edition }
    }

    @Test func `whoever a rule names has a to-do from the author, and no note tells of it`() throws {
        let fixture = try makeFixture()
        let asked = try fixture.gitLab.requireApproval(by: "maria", on: fixture.mergeRequest, from: ["omar"])
        #expect(asked.kind == .approvalRequired && asked.actor.username == "maria" && asked.noteIDs.isEmpty)
        #expect(asked.todos.map(\.person) == ["omar"] && asked.todos.map(\.action) == [.approvalRequired])
        #expect(try fixture.gitLab.todoIDs(of: "omar", on: fixture.mergeRequest, done: false).count == 1)
        let approved = try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        #expect(approved.resolvedTodoIDs == asked.todos.map(\.id), "it is done with the approval")
    }

    @Test func `nobody is asked twice, nor who may not approve, and not by anybody else or on the Community Edition`()
        throws
    {
        let fixture = try makeFixture()
        try fixture.gitLab.requireApproval(by: "maria", on: fixture.mergeRequest, from: ["omar"])
        for person in ["omar", "ines", "maria"] {
            #expect(throws: FakeGitLabError.self) {
                try fixture.gitLab.requireApproval(by: "maria", on: fixture.mergeRequest, from: [person])
            }
        }
        let other = try makeFixture()
        #expect(throws: FakeGitLabError.self) {
            try other.gitLab.requireApproval(by: "omar", on: other.mergeRequest, from: ["omar"])
        }
        let community = try makeFixture(.community)
        #expect(throws: FakeGitLabError.self) {
            try community.gitLab.requireApproval(by: "maria", on: community.mergeRequest, from: ["omar"])
        }
    }
}
