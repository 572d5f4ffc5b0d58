import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §11 approvals and pipelines")
struct ApprovalTests {
    static let community = [
        "user_has_approved": "bool", "user_can_approve": "bool", "approved": "bool", "approved_by": "array",
    ]

    @Test func `the Community Edition tells four fields, and approvals have no id (trap 15)`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.mergeRequest, "/approvals")
        #expect(try fixture.get(path)["approved"]?.bool == false)
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        let approvals = try fixture.get(path)
        expectFields(approvals, Self.community)
        #expect(approvals["approved"]?.bool == true)
        #expect(approvals["user_can_approve"]?.bool == false)
        #expect(approvals["approved_by"]?.array.first?.keys == ["user"])
        #expect(approvals["approved_by"]?.array.first?["user"]?["username"]?.string == "omar")
        #expect(try fixture.get(path, as: "omar")["user_has_approved"]?.bool == true)
        try fixture.gitLab.unapprove(by: "omar", on: fixture.mergeRequest)
        #expect(try fixture.get(path)["approved_by"]?.array.isEmpty == true)
    }

    @Test func `approved_at comes with its switch`() throws {
        let fixture = try Fixture { $0.approvalsTellTime = true }
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        let approvals = try fixture.get(fixture.path(fixture.mergeRequest, "/approvals"))
        #expect(approvals["approved_by"]?.array.first?["approved_at"]?.type == "time")
    }

    @Test func `the Enterprise Edition tells more and has approval_state`() throws {
        let fixture = try Fixture { $0.edition = .enterprise }
        expectFields(
            try fixture.get(fixture.path(fixture.mergeRequest, "/approvals")),
            Self.community.merging([
                "id": "int", "iid": "int", "project_id": "int", "title": "string", "description": "null",
                "state": "string", "created_at": "time", "updated_at": "time", "merge_status": "string",
                "approvals_required": "int", "approvals_left": "int",
            ]) { $1 }
        )
        let state = try fixture.get(fixture.path(fixture.mergeRequest, "/approval_state"))
        #expect(state.keys == ["approval_rules_overwritten", "rules"])
    }

    @Test func `approval_state is not a route of the Community Edition`() throws {
        let fixture = try Fixture()
        let reply = fixture.send(.get, try fixture.path(fixture.mergeRequest, "/approval_state")).response
        #expect(reply.status == 404)
        #expect(reply.text == "{\"error\":\"404 Not Found\"}")
        #expect(fixture.gitLab.unknownRequests.isEmpty)
    }

    @Test func `approving over the API checks the head`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.mergeRequest, "/approve")
        #expect(fixture.send(.post, path, as: "omar", json: "{\"sha\":\"beef\"}").response.status == 409)
        let approved = fixture.send(.post, path, as: "omar", json: "{}").response
        #expect(approved.status == 201)
        #expect(try approved.json()["user_has_approved"]?.bool == true)
        #expect(fixture.send(.post, path, as: "omar", json: "{}").response.status == 401)
        let back = try fixture.path(fixture.mergeRequest, "/unapprove")
        #expect(fixture.send(.post, back, as: "omar", json: "{}").response.status == 201)
        #expect(fixture.gitLab.ledger.map(\.kind) == [.approved, .unapproved])
    }

    @Test(arguments: [(false, 1), (true, 0)])
    func `a push resets approvals where that is switched on, without a note for it`(resets: Bool, left: Int) throws {
        let fixture = try Fixture { $0.resetsApprovalsOnPush = resets }
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.push(by: "maria", to: fixture.mergeRequest, commits: ["More"])
        let approvals = try fixture.get(fixture.path(fixture.mergeRequest, "/approvals"))
        #expect(approvals["approved_by"]?.array.count == left)
        #expect(try fixture.ids(fixture.path(fixture.mergeRequest, "/notes")).count == 2)
    }

    @Test func `pipelines are listed newest first`() throws {
        let fixture = try Fixture()
        for status in [PipelineStatus.failed, .success] {
            try fixture.gitLab.finishPipeline(on: fixture.mergeRequest, status: status)
        }
        let pipelines = try fixture.get(fixture.path(fixture.mergeRequest, "/pipelines")).array
        expectFields(
            pipelines[0],
            [
                "id": "int", "iid": "int", "project_id": "int", "sha": "string", "ref": "string", "status": "string",
                "source": "string", "name": "null", "created_at": "time", "updated_at": "time", "web_url": "string",
            ]
        )
        #expect(pipelines.compactMap { $0["status"]?.string } == ["success", "failed"])
    }
}

@Suite("GitLab facts §13 subscriptions")
struct SubscriptionTests {
    private func isSubscribed(_ fixture: Fixture, as person: String) throws -> Bool? {
        try fixture.get(fixture.path(fixture.issue), as: person)["subscribed"]?.bool
    }

    @Test func `participants are subscribed until an explicit row says otherwise`() throws {
        let fixture = try Fixture()
        #expect(try isSubscribed(fixture, as: "ines") == true)
        #expect(try isSubscribed(fixture, as: "maria") == false)
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "hi @maria")
        #expect(try isSubscribed(fixture, as: "omar") == true)
        #expect(try isSubscribed(fixture, as: "maria") == true)
        try fixture.gitLab.setSubscription(of: "maria", to: fixture.issue, false)
        #expect(try isSubscribed(fixture, as: "maria") == false)
        #expect(try isSubscribed(fixture, as: "gast") == false)
        try fixture.gitLab.editNote(by: "omar", on: fixture.issue, note: 1, body: "hi @gast")
        #expect(try isSubscribed(fixture, as: "gast") == true)
    }

    @Test(arguments: ["/subscribe", "/unsubscribe"])
    func `the second time answers 304 without a body`(rest: String) throws {
        let fixture = try Fixture()
        let person = rest == "/subscribe" ? "maria" : "ines"
        let path = try fixture.path(fixture.issue, rest)
        let first = fixture.send(.post, path, as: person, json: "{}").response
        #expect(first.status == 201)
        #expect(try first.json()["subscribed"]?.bool == (rest == "/subscribe"))
        let second = fixture.send(.post, path, as: person, json: "{}").response
        #expect(second.status == 304)
        #expect(second.body.isEmpty)
    }
}
