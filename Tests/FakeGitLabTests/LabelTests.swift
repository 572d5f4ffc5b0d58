import FakeGitLab
import HTTP
import Platform
import Testing

@Suite("Supplement §1.3 labels")
struct LabelTests {
    static let fields = [
        "id": "int", "name": "string", "color": "string", "description": "null/string",
        "description_html": "null/string", "text_color": "string", "subscribed": "bool", "priority": "null/int",
        "is_project_label": "bool",
    ]

    @Test func `the list is sorted by title and counts only when asked`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.addLabel("api")
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, adding: ["urgent"])
        let path = "/projects/\(try fixture.id())/labels"
        let plain = try fixture.get(path)
        #expect(plain.array.map { $0["name"]?.string } == ["api", "bug", "urgent"])
        for label in plain.array { expectFields(label, Self.fields) }
        let counts = [
            "open_issues_count": "int", "closed_issues_count": "int", "open_merge_requests_count": "int",
        ]
        let counted = try fixture.get(path + "?with_counts=true").row(2)
        expectFields(counted, Self.fields.merging(counts) { $1 })
        #expect(counted["open_issues_count"]?.integer == 1)
        #expect(counted["open_merge_requests_count"]?.integer == 0)
        #expect(try fixture.get(path + "?search=UR").array.count == 1)
    }

    @Test func `one label is found by id or by its encoded title`() throws {
        let fixture = try Fixture()
        let id = try fixture.gitLab.addLabel("needs work/now")
        let path = "/projects/\(try fixture.id())/labels"
        #expect(try fixture.get(path + "/\(id)")["name"]?.string == "needs work/now")
        #expect(try fixture.get(path + "/needs%20work%2Fnow")["id"]?.integer == id)
        let missing = fixture.send(.get, path + "/none").response
        #expect(missing.status == 404)
        #expect(missing.text == #"{"message":"404 Label Not Found"}"#)
    }

    @Test func `a label is created once, by reporters, for its project alone`() throws {
        let fixture = try Fixture()
        let path = "/projects/\(try fixture.id())/labels"
        let body = ##"{"name":"later","color":"#8899aa","description":"Not now"}"##
        #expect(fixture.send(.post, path, as: "gast", json: body).response.status == 403)
        let created = fixture.send(.post, path, as: "ines", json: body).response
        #expect(created.status == 201)
        expectFields(try created.json(), Self.fields)
        #expect(try created.json()["description"]?.string == "Not now")
        let again = fixture.send(.post, path, as: "ines", json: body).response
        #expect(again.status == 409)
        #expect(again.text == #"{"message":"Label already exists"}"#)
        let other = try fixture.get("/projects/\(try fixture.id("team/other"))/labels", as: "omar")
        #expect(other.array.map { $0["name"]?.string } == ["bug", "urgent"])
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, adding: ["later"])
        #expect(try fixture.get(fixture.path(fixture.issue))["labels"]?.array == [.string("later")])
    }

    @Test(arguments: [
        (##"{"color":"#fff"}"##, #"{"error":"name is missing"}"#), (#"{"name":"x"}"#, #"{"error":"color is missing"}"#),
        (#"{"name":"x","color":"ish"}"#, #"{"message":{"color":["must be a valid color code"]}}"#),
    ])
    func `a label that cannot be is refused with the field`(body: String, answer: String) throws {
        let fixture = try Fixture()
        let reply = fixture.send(.post, "/projects/\(try fixture.id())/labels", as: "omar", json: body).response
        #expect(reply.status == 400)
        #expect(reply.text == answer)
    }

    @Test func `an update needs something to update and shows on every item`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, adding: ["bug", "urgent"])
        let path = "/projects/\(try fixture.id())/labels"
        #expect(try fixture.get(fixture.path(fixture.issue))["labels"]?.array == [.string("bug"), .string("urgent")])
        let nothing = fixture.send(.put, path + "/bug", as: "omar", json: "{}").response
        #expect(nothing.status == 400)
        #expect(nothing.text.contains("are missing, at least one parameter must be provided"))
        let renamed = fixture.send(.put, path + "/bug", as: "omar", json: #"{"new_name":"zebra"}"#).response
        #expect(renamed.status == 200)
        // Sorted by title in items.
        #expect(try fixture.get(fixture.path(fixture.issue))["labels"]?.array == [.string("urgent"), .string("zebra")])
        // As python-gitlab does it: the name is a parameter.
        let byName = fixture.send(.put, path, as: "omar", json: #"{"name":"zebra","priority":3}"#).response
        #expect(try byName.json()["priority"]?.integer == 3)
        #expect(fixture.send(.put, path, as: "omar", json: #"{"priority":3}"#).response.status == 400)
    }

    @Test func `a deleted label leaves its items, and its events have none`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, adding: ["bug"])
        let path = "/projects/\(try fixture.id())/labels"
        #expect(fixture.send(.delete, path + "/bug", as: "gast").response.status == 403)
        let deleted = fixture.send(.delete, path + "/bug", as: "omar").response
        #expect(deleted.status == 204)
        #expect(deleted.body.isEmpty)
        #expect(try fixture.get(fixture.path(fixture.issue))["labels"]?.array.isEmpty == true)
        #expect(try fixture.get(fixture.path(fixture.issue, "/resource_label_events")).row(0)["label"] == .null)
        #expect(fixture.send(.delete, path + "/bug", as: "omar").response.status == 404)
    }
}
