import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("Supplement §1.4 members and users")
struct PeopleTests {
    static let basic = [
        "id": "int", "username": "string", "public_email": "null", "name": "string", "state": "string",
        "locked": "bool", "avatar_url": "null", "web_url": "string",
    ]

    private func id(_ fixture: Fixture, _ person: String) throws -> Int64 { try fixture.gitLab.id(ofPerson: person) }

    @Test(arguments: ["/members", "/members/all"])
    func `members are people with their rights, flat`(route: String) throws {
        let fixture = try Fixture()
        let path = "/projects/\(try fixture.id())\(route)"
        let members = try fixture.get(path)
        #expect(members.array.map { $0["username"]?.string } == ["maria", "omar", "ines", "gast"])
        #expect(members.array.map { $0["access_level"]?.integer } == [30, 40, 20, 10])
        let more = ["access_level": "int", "created_at": "time", "expires_at": "null"]
        for member in members.array { expectFields(member, Self.basic.merging(more) { $1 }) }
        let omar = try id(fixture, "omar")
        #expect(try fixture.get("\(path)/\(omar)") == members.row(1))
        #expect(try fixture.get(path + "?query=IN").array.map { $0["username"]?.string } == ["ines"])
        #expect(try fixture.get(path + "?user_ids[]=\(omar)").array.count == 1)
        #expect(try fixture.get(path + "?skip_users[]=\(omar)").array.count == 3)
        let missing = fixture.send(.get, "\(path)/\(try id(fixture, "eve"))").response
        #expect(missing.text == #"{"message":"404 Not found"}"#)
    }

    @Test func `the Enterprise Edition tells the state of a membership`() throws {
        let fixture = try Fixture { $0.edition = .enterprise }
        let members = try fixture.get("/projects/\(try fixture.id())/members")
        #expect(members.row(0)["membership_state"]?.string == "active")
    }

    @Test func `maintainers add, change and remove members, which is an activity`() throws {
        let fixture = try Fixture()
        let path = "/projects/\(try fixture.id())/members"
        let eve = try id(fixture, "eve")
        let body = "{\"user_id\":\(eve),\"access_level\":20}"
        #expect(fixture.send(.post, path, as: "maria", json: body).response.status == 403)
        let added = fixture.send(.post, path, as: "omar", json: body).response
        #expect(added.status == 201)
        #expect(try added.json()["access_level"]?.integer == 20)
        #expect(try fixture.get(fixture.path(fixture.mergeRequest), as: "eve")["iid"]?.integer == 7)
        let again = fixture.send(.post, path, as: "omar", json: body).response
        #expect(again.status == 409)
        #expect(again.text == #"{"message":"Member already exists"}"#)
        let changed = fixture.send(.put, "\(path)/\(eve)", as: "omar", json: #"{"access_level":30}"#).response
        #expect(try changed.json()["access_level"]?.integer == 30)
        // Only owners make owners.
        #expect(fixture.send(.put, "\(path)/\(eve)", as: "omar", json: #"{"access_level":50}"#).response.status == 403)
        #expect(fixture.send(.delete, "\(path)/\(eve)", as: "omar").response.status == 204)
        #expect(fixture.send(.get, try fixture.path(fixture.mergeRequest), as: "eve").response.status == 404)
        #expect(fixture.gitLab.ledger.map(\.kind) == [.membershipChanged, .membershipChanged, .membershipChanged])
    }

    @Test(arguments: [
        (#"{"user_id":99,"access_level":20}"#, 404, #"{"message":"404 User Not Found"}"#),
        (#"{"user_id":1,"access_level":21}"#, 400, #"{"error":"access_level does not have a valid value"}"#),
        ("{}", 400, #"{"error":"user_id is missing, access_level is missing"}"#),
    ])
    func `who cannot be added is refused`(body: String, status: Int, answer: String) throws {
        let fixture = try Fixture()
        let reply = fixture.send(.post, "/projects/\(try fixture.id())/members", as: "omar", json: body).response
        #expect(reply.status == status)
        #expect(reply.text == answer)
    }

    @Test func `a user is found by username in any case, and by id with more fields`() throws {
        let fixture = try Fixture()
        let found = try fixture.get("/users?username=OMAR&order_by=nonsense")
        #expect(found.array.count == 1)
        expectFields(found.row(0), Self.basic)
        #expect(try fixture.get("/users?username=nobody").array.isEmpty)
        #expect(try fixture.get("/users?search=mar").array.map { $0["username"]?.string } == ["omar", "maria"])
        let user = try fixture.get("/users/\(try id(fixture, "omar"))")
        expectFields(
            user,
            Self.basic.merging([
                "created_at": "time", "bio": "string", "location": "string", "linkedin": "string",
                "twitter": "string", "discord": "string", "website_url": "string", "organization": "string",
                "job_title": "string", "pronouns": "null", "bot": "bool", "work_information": "null",
                "followers": "int", "following": "int", "is_followed": "bool", "local_time": "null",
            ]) { $1 }
        )
    }

    @Test func `only the user by id tells that it is a bot (trap 30)`() throws {
        let fixture = try Fixture()
        let id = try fixture.gitLab.addPerson(NewPerson(username: "project_2_bot_ab", isBot: true))
        #expect(try fixture.get("/users?username=project_2_bot_ab").row(0)["bot"] == nil)
        #expect(try fixture.get("/users/\(id)")["bot"]?.bool == true)
        #expect(try !fixture.ids("/users?without_project_bots=true").contains(id))
        #expect(try fixture.ids("/users?exclude_humans=true") == [id])
    }

    @Test(arguments: [
        ("/users/99", "maria", 404, #"{"message":"404 User Not Found"}"#),
        ("/users/omar", "maria", 400, #"{"error":"id is invalid"}"#),
        ("/users/1", nil, 403, #"{"message":"403 Forbidden - Not authorized!"}"#),
        ("/users", nil, 403, #"{"message":"403 Forbidden - Not authorized to access /api/v4/users"}"#),
    ])
    func `who is not there or does not ask rightly is told so`(
        path: String,
        person: String?,
        status: Int,
        answer: String
    ) throws {
        let reply = try Fixture().send(.get, path, as: person).response
        #expect(reply.status == status)
        #expect(reply.text == answer)
    }
}
