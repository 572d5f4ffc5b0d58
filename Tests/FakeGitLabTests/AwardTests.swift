import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("Supplement §1.1 award emoji")
struct AwardTests {
    static let fields = [
        "id": "int", "name": "string", "user": "object", "created_at": "time", "updated_at": "time",
        "awardable_id": "int", "awardable_type": "string",
    ]

    @Test(arguments: ItemKind.allCases)
    func `a reaction names its item by the global id`(kind: ItemKind) throws {
        let fixture = try Fixture { $0.largeIDs = true }
        let item = kind == .issue ? fixture.issue : fixture.mergeRequest
        let path = try fixture.path(item, "/award_emoji")
        #expect(try fixture.get(path).array.isEmpty)
        let created = fixture.send(.post, path, json: #"{"name":"tada"}"#).response
        #expect(created.status == 201)
        let award = try created.json()
        expectFields(award, Self.fields)
        #expect(award["awardable_type"]?.string == kind.className)
        #expect(award["awardable_id"] == (try fixture.get(fixture.path(item))["id"]))
        #expect(award["user"]?["username"]?.string == "maria")
        let id = try #require(award["id"]?.integer)
        #expect(try fixture.get("\(path)/\(id)") == award)
        #expect(try fixture.get(path).array == [award])
        #expect(fixture.gitLab.ledger.map(\.kind) == [.reacted])
    }

    @Test func `the address in an issue's links leads to its reactions`() throws {
        let fixture = try Fixture()
        let link = try #require(try fixture.get(fixture.path(fixture.issue))["_links"]?["award_emoji"]?.string)
        #expect(link == "https://gitlab.example.com/api/v4" + (try fixture.path(fixture.issue, "/award_emoji")))
    }

    @Test func `thumbs are counted and the item's updated_at moves`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue)
        fixture.clock.advance(.minutes(5))
        for (person, name) in [("maria", "+1"), ("omar", "thumbsup"), ("ines", "-1"), ("gast", "heart")] {
            let reply = fixture.send(.post, path + "/award_emoji", as: person, json: "{\"name\":\"\(name)\"}")
            #expect(reply.response.status == 201, "\(name)")
        }
        let issue = try fixture.get(path)
        #expect(issue["upvotes"]?.integer == 2)
        #expect(issue["downvotes"]?.integer == 1)
        #expect(issue["updated_at"]?.string == "2026-03-02T09:05:00.225Z")
        #expect(try fixture.get(path + "/award_emoji").row(0)["name"]?.string == "thumbsup")
    }

    @Test func `a reaction to a note moves the note and leaves its item's counts`() throws {
        let fixture = try Fixture()
        let note = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "Look").noteIDs[0]
        fixture.clock.advance(.minutes(5))
        let path = try fixture.path(fixture.mergeRequest, "/notes/\(note)")
        let award = try fixture.send(.post, path + "/award_emoji?name=eyes").response.json()
        #expect(award["awardable_type"]?.string == "Note")
        #expect(award["awardable_id"]?.integer == note)
        #expect(try fixture.get(path)["updated_at"]?.string == "2026-03-02T09:05:00.225Z")
        #expect(try fixture.get(path)["body"]?.string == "Look")
        #expect(try fixture.get(fixture.path(fixture.mergeRequest, "/award_emoji")).array.isEmpty)
        #expect(try fixture.get(fixture.path(fixture.mergeRequest))["upvotes"]?.integer == 0)
    }

    @Test(arguments: [
        (#"{"name":"thumbsup"}"#, 404, #"{"message":"404 Award Emoji Name has already been taken Not Found"}"#),
        (#"{"name":"nonsense"}"#, 404, #"{"message":"404 Award Emoji Name is not a valid emoji name Not Found"}"#),
        ("{}", 400, #"{"error":"name is missing"}"#),
    ])
    func `refusals are 404 with the model's sentence`(body: String, status: Int, answer: String) throws {
        let fixture = try Fixture()
        try fixture.gitLab.react(by: "maria", on: fixture.issue)
        let reply = fixture.send(.post, try fixture.path(fixture.issue, "/award_emoji"), json: body).response
        #expect(reply.status == status)
        #expect(reply.text == answer)
    }

    @Test func `what cannot be read has no reactions`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.setConfidential(by: "omar", on: fixture.issue, true)
        let path = try fixture.path(fixture.issue, "/award_emoji")
        let reply = fixture.send(.post, path, as: "gast", json: #"{"name":"heart"}"#).response
        #expect(reply.status == 404)
        #expect(reply.text == #"{"message":"404 Award Emoji Not Found"}"#)
        let missing = fixture.send(.get, "/projects/\(try fixture.id())/issues/99/award_emoji").response
        #expect(missing.text == #"{"message":"404 Not found"}"#)
    }

    @Test func `only the own reaction can be taken back, and not when it has changed since`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue, "/award_emoji")
        let id = try #require(try fixture.send(.post, path + "?name=thumbsup").response.json()["id"]?.integer)
        let foreign = fixture.send(.delete, "\(path)/\(id)", as: "omar").response
        #expect(foreign.status == 401)
        #expect(foreign.text == #"{"message":"401 Unauthorized"}"#)
        let old: HTTPFields = ["If-Unmodified-Since": "Mon, 02 Mar 2026 08:59:59 GMT"]
        #expect(fixture.send(.delete, "\(path)/\(id)", fields: old).response.status == 412)
        let new: HTTPFields = ["If-Unmodified-Since": "Mon, 02 Mar 2026 09:00:00 GMT"]
        #expect(fixture.send(.delete, "\(path)/\(id)", fields: new).response.status == 204)
        #expect(try fixture.get(path).array.isEmpty)
        #expect(try fixture.get(fixture.path(fixture.issue))["upvotes"]?.integer == 0)
        #expect(fixture.gitLab.ledger.map(\.kind) == [.reacted, .reactionRemoved])
    }

    @Test func `reacting does the awarder's own to-dos on the item`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "@maria please")
        #expect(try fixture.get("/todos").array.count == 1)
        fixture.send(.post, try fixture.path(fixture.issue, "/award_emoji"), json: #"{"name":"eyes"}"#)
        #expect(try fixture.get("/todos").array.isEmpty)
    }

    @Test func `a person who reacts again and again gives one of each kind`() throws {
        let fixture = try Fixture()
        for _ in 0..<15 { try fixture.gitLab.react(by: "omar", on: fixture.issue) }
        let names = try fixture.get(fixture.path(fixture.issue, "/award_emoji?per_page=100")).array.compactMap {
            $0["name"]?.string
        }
        #expect(names.count == 10)
        #expect(Set(names).count == 10)
    }
}
