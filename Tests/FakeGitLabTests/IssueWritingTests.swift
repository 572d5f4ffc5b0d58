import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("Supplement §1.6 writing issues")
struct IssueWritingTests {
    private func issues(_ fixture: Fixture) throws -> String { "/projects/\(try fixture.id())/issues" }

    @Test func `an issue is created whole, and it is an activity`() throws {
        let fixture = try Fixture()
        let omar = try fixture.gitLab.id(ofPerson: "omar")
        let milestone = try #require(
            try fixture.get("/projects/\(try fixture.id())/milestones").row(0)["id"]?.integer
        )
        let body = """
            {"title":"New","description":"cc @ines","labels":"bug, fresh","assignee_id":\(omar),
            "milestone_id":\(milestone),"due_date":"2026-04-01","confidential":true}
            """
        let created = fixture.send(.post, try issues(fixture), json: body).response
        #expect(created.status == 201, "\(created.text)")
        let issue = try created.json()
        #expect(issue["iid"]?.integer == 4)
        #expect(issue["labels"]?.array == [.string("bug"), .string("fresh")])
        #expect(issue["assignee"]?["username"]?.string == "omar")
        #expect(issue["milestone"]?["title"]?.string == "v1")
        #expect(issue["due_date"]?.string == "2026-04-01")
        #expect(issue["confidential"]?.bool == true)
        #expect(issue["author"]?["username"]?.string == "maria")
        #expect(issue["subscribed"]?.bool == true)
        #expect(fixture.gitLab.ledger.map(\.kind) == [.opened])
        #expect(try fixture.get("/todos", as: "ines").row(0)["action_name"]?.string == "mentioned")
        // The label is there now.
        #expect(try fixture.get("/projects/\(try fixture.id())/labels").array.count == 3)
    }

    @Test func `what only reporters may set is dropped for others`() throws {
        let fixture = try Fixture()
        let body = #"{"title":"New","labels":"bug","due_date":"2026-04-01"}"#
        let issue = try fixture.send(.post, try issues(fixture), as: "gast", json: body).response.json()
        #expect(issue["labels"]?.array.isEmpty == true)
        #expect(issue["due_date"] == .null)
    }

    @Test(arguments: [
        ("{}", 400, #"{"error":"title is missing"}"#),
        (#"{"title":" "}"#, 400, #"{"message":{"title":["can't be blank"]}}"#),
        (#"{"title":"x","confidential":""}"#, 400, #"{"error":"confidential is empty"}"#),
        (#"{"title":"x","milestone_id":"y"}"#, 400, #"{"error":"milestone_id is invalid"}"#),
    ])
    func `an issue that cannot be is refused`(body: String, status: Int, answer: String) throws {
        let fixture = try Fixture()
        let reply = fixture.send(.post, try issues(fixture), json: body).response
        #expect(reply.status == status)
        #expect(reply.text == answer)
    }

    @Test func `a title that is too long and a number that is taken are refused`() throws {
        let fixture = try Fixture()
        let long = "{\"title\":\"\(String(repeating: "x", count: 256))\"}"
        let reply = fixture.send(.post, try issues(fixture), json: long).response
        #expect(reply.text == #"{"message":{"title":["is too long (maximum is 255 characters)"]}}"#)
        try fixture.gitLab.setRole(of: "omar", in: "team/backend", to: .owner, by: "maria")
        let taken = fixture.send(.post, try issues(fixture), as: "omar", json: #"{"title":"x","iid":3}"#).response
        #expect(taken.status == 409)
        #expect(taken.text == #"{"message":"Duplicated issue"}"#)
        let free = fixture.send(.post, try issues(fixture), as: "omar", json: #"{"title":"x","iid":30}"#).response
        #expect(try free.json()["iid"]?.integer == 30)
    }

    @Test func `an update is as many activities as it changes things`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue)
        let omar = try fixture.gitLab.id(ofPerson: "omar")
        let body = """
            {"title":"Slower","description":"Now","labels":"bug","assignee_ids":"\(omar)","due_date":"2026-04-01",
            "state_event":"close"}
            """
        let updated = fixture.send(.put, path, as: "omar", json: body).response
        #expect(updated.status == 200)
        let issue = try updated.json()
        #expect(issue["title"]?.string == "Slower")
        #expect(issue["state"]?.string == "closed")
        #expect(issue["assignees"]?.array.count == 1)
        #expect(
            fixture.gitLab.ledger.map(\.kind) == [
                .titleChanged, .descriptionChanged, .assigned, .labelsChanged, .dueDateChanged, .closed,
            ]
        )
        // The same once more changes nothing, and closing a closed issue is no error.
        #expect(fixture.send(.put, path, as: "omar", json: body).response.status == 200)
        #expect(fixture.gitLab.activityCount == 6)
    }

    @Test func `fields are cleared by empty values`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue)
        let omar = try fixture.gitLab.id(ofPerson: "omar")
        fixture.send(
            .put,
            path + "?assignee_ids[]=\(omar)&labels[]=bug&labels[]=urgent&due_date=2026-04-01&milestone_id=1",
            as: "omar"
        )
        #expect(try fixture.get(path)["labels"]?.array.count == 2)
        #expect(try fixture.get(path)["milestone"]?["title"]?.string == "v1")
        fixture.send(.put, path + "?remove_labels=bug&add_labels=later", as: "omar")
        #expect(try fixture.get(path)["labels"]?.array == [.string("later"), .string("urgent")])
        // An unknown milestone is dropped without a word.
        fixture.send(.put, path + "?milestone_id=77", as: "omar")
        #expect(try fixture.get(path)["milestone"]?["title"]?.string == "v1")
        fixture.send(.put, path + "?assignee_ids=0&labels=&due_date=&milestone_id=0", as: "omar")
        let issue = try fixture.get(path)
        #expect(issue["labels"]?.array.isEmpty == true)
        #expect(issue["assignees"]?.array.isEmpty == true)
        #expect(issue["milestone"] == .null)
        #expect(issue["due_date"] == .null)
    }

    @Test func `an update without anything to update names all that could be`() throws {
        let fixture = try Fixture()
        let reply = fixture.send(.put, try fixture.path(fixture.issue), as: "omar", json: #"{"foo":1}"#).response
        #expect(reply.status == 400)
        #expect(
            reply.text == #"{"error":"assignee_id, assignee_ids, confidential, created_at, description, "#
                + "discussion_locked, due_date, labels, add_labels, remove_labels, milestone_id, state_event, title, "
                + #"issue_type are missing, at least one parameter must be provided"}"#
        )
    }

    @Test func `a bad state event is refused, and a guest may not change what is not theirs`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue)
        let bad = fixture.send(.put, path, as: "omar", json: #"{"state_event":"open"}"#).response
        #expect(bad.status == 400)
        #expect(bad.text == #"{"error":"state_event does not have a valid value"}"#)
        #expect(fixture.send(.put, path, as: "gast", json: #"{"title":"x"}"#).response.status == 403)
        #expect(fixture.gitLab.ledger.isEmpty)
    }

    @Test func `without a licence an issue has one assignee`() throws {
        let fixture = try Fixture()
        let ids = try ["omar", "maria"].map { try fixture.gitLab.id(ofPerson: $0) }
        let query = ids.map { "assignee_ids[]=\($0)" }.joined(separator: "&")
        let issue = try fixture.send(.put, fixture.path(fixture.issue, "?" + query), as: "omar").response.json()
        #expect(issue["assignees"]?.array.count == 1)
    }

    @Test func `a moved issue answers with its successor, which the old one names`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.setRole(of: "omar", in: "team/other", to: .owner, by: "omar")
        let path = try fixture.path(fixture.issue)
        let target = try fixture.id("team/other")
        let moved = fixture.send(.post, path + "/move", as: "omar", json: "{\"to_project_id\":\(target)}").response
        #expect(moved.status == 201)
        #expect(try moved.json()["project_id"]?.integer == target)
        let old = try fixture.get(path)
        #expect(old["moved_to_id"] == (try moved.json()["id"]))
        #expect(old["state"]?.string == "closed")
    }

    @Test func `a move that cannot be is refused with its reason`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue, "/move")
        let own = fixture.send(.post, path, as: "omar", json: "{\"to_project_id\":\(try fixture.id())}").response
        #expect(own.status == 400)
        #expect(own.text == #"{"message":"Cannot move issue to project it originates from!"}"#)
        let hidden = try fixture.id("team/other")
        #expect(fixture.send(.post, path, json: "{\"to_project_id\":\(hidden)}").response.status == 404)
        #expect(fixture.send(.post, path, json: "{}").response.text == #"{"error":"to_project_id is missing"}"#)
    }

    @Test func `only owners delete issues`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue)
        #expect(fixture.send(.delete, path, as: "omar").response.status == 403)
        try fixture.gitLab.setRole(of: "omar", in: "team/backend", to: .owner, by: "maria")
        #expect(fixture.send(.delete, path, as: "omar").response.status == 204)
        #expect(fixture.send(.get, path).response.status == 404)
    }
}
