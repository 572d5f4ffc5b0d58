import FakeGitLab
import HTTP
import Platform
import Testing

@Suite("Supplement §1.3 milestones")
struct MilestoneTests {
    static let fields = [
        "id": "int", "iid": "int", "project_id": "int", "title": "string", "description": "string",
        "state": "string", "created_at": "time", "updated_at": "time", "due_date": "null/date",
        "start_date": "null/date", "expired": "bool", "web_url": "string",
    ]

    private func path(_ fixture: Fixture) throws -> String { "/projects/\(try fixture.id())/milestones" }

    @Test func `milestones are addressed by their global id`() throws {
        let fixture = try Fixture { $0.largeIDs = true }
        let id = try #require(try fixture.get(path(fixture)).row(0)["id"]?.integer)
        let milestone = try fixture.get(path(fixture) + "/\(id)")
        expectFields(milestone, Self.fields)
        #expect(milestone["iid"]?.integer == 1)
        #expect(fixture.send(.get, try path(fixture) + "/1").response.status == 404)
    }

    @Test(arguments: [
        ("state=active", ["v1"]), ("state=closed", ["v2"]), ("state=all", ["v2", "v1"]), ("", ["v2", "v1"]),
        ("iids[]=2", ["v2"]), ("title=v1", ["v1"]), ("search=V", ["v2", "v1"]), ("search=none", []),
        ("updated_after=2027-01-01", []), ("updated_before=2027-01-01", ["v2", "v1"]),
    ])
    func `the list is filtered and newest first`(query: String, titles: [String]) throws {
        let fixture = try Fixture()
        let id = try fixture.gitLab.addMilestone("v2", in: "team/backend")
        let closed = fixture.send(.put, try path(fixture) + "/\(id)", as: "omar", json: #"{"state_event":"close"}"#)
        #expect(try closed.response.json()["state"]?.string == "closed")
        #expect(try fixture.get(path(fixture) + "?" + query).array.map { $0["title"]?.string } == titles)
    }

    @Test(arguments: [
        ("state=opened", "state does not have a valid value"),
        (
            "include_ancestors=true&include_parent_milestones=true",
            "include_ancestors, include_parent_milestones are mutually exclusive"
        ),
    ])
    func `bad filters are refused`(query: String, error: String) throws {
        let fixture = try Fixture()
        let reply = fixture.send(.get, try path(fixture) + "?" + query).response
        #expect(reply.status == 400)
        #expect(reply.text == "{\"error\":\"\(error)\"}")
    }

    @Test func `a milestone is created, changed and deleted by reporters`() throws {
        let fixture = try Fixture()
        let body = #"{"title":"v2","due_date":"2026-04-01","start_date":"2026-03-01"}"#
        #expect(fixture.send(.post, try path(fixture), as: "gast", json: body).response.status == 403)
        let created = fixture.send(.post, try path(fixture), as: "ines", json: body).response
        #expect(created.status == 201)
        expectFields(try created.json(), Self.fields)
        let id = try #require(try created.json()["id"]?.integer)
        let one = try path(fixture) + "/\(id)"
        try fixture.gitLab.setMilestone(by: "omar", on: fixture.issue, to: "v2")
        #expect(try fixture.get(fixture.path(fixture.issue))["milestone"]?["due_date"]?.string == "2026-04-01")
        let moved = fixture.send(.put, one, as: "ines", json: #"{"due_date":"2026-05-01","title":"v2.0"}"#).response
        #expect(moved.status == 200)
        #expect(try fixture.get(fixture.path(fixture.issue))["milestone"]?["due_date"]?.string == "2026-05-01")
        #expect(try fixture.ids(one + "/issues").count == 1)
        #expect(try fixture.ids(one + "/merge_requests").isEmpty)
        // What is no date takes it away.
        let cleared = fixture.send(.put, one, as: "ines", json: #"{"due_date":""}"#).response
        #expect(try cleared.json()["due_date"] == .null)
        #expect(fixture.send(.put, one, as: "ines", json: "{}").response.status == 400)
        #expect(fixture.send(.delete, one, as: "ines").response.status == 204)
        #expect(try fixture.get(fixture.path(fixture.issue))["milestone"] == .null)
        #expect(try fixture.get(fixture.path(fixture.issue, "/resource_milestone_events")).row(0)["milestone"] == .null)
    }

    @Test(arguments: [
        ("{}", #"{"error":"title is missing"}"#),
        (#"{"title":" "}"#, #"{"message":"Failed to create milestone {:title=>[\"can't be blank\"]}"}"#),
        (
            #"{"title":"v3","due_date":"2026-01-01","start_date":"2026-01-02"}"#,
            #"{"message":"Failed to create milestone {:due_date=>[\"must be greater than start date\"]}"}"#
        ),
    ])
    func `refusals are one string with a printed hash`(body: String, answer: String) throws {
        let fixture = try Fixture()
        let reply = fixture.send(.post, try path(fixture), as: "omar", json: body).response
        #expect(reply.status == 400)
        #expect(reply.text == answer)
    }

    @Test func `a taken title is refused`() throws {
        let fixture = try Fixture()
        let reply = fixture.send(.post, try path(fixture), as: "omar", json: #"{"title":"v1"}"#).response
        #expect(reply.status == 400)
        #expect(reply.text.hasPrefix(#"{"message":"Failed to create milestone {:title=>"#))
    }
}
