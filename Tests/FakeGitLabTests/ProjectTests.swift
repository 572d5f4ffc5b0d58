import FakeGitLab
import HTTP
import Platform
import Testing

@Suite("Supplement §1.4 projects and §1.5 notification settings")
struct ProjectTests {
    static let simple = [
        "id": "int", "description": "null", "name": "string", "name_with_namespace": "string", "path": "string",
        "path_with_namespace": "string", "created_at": "time", "default_branch": "string", "tag_list": "array",
        "topics": "array", "ssh_url_to_repo": "string", "http_url_to_repo": "string", "web_url": "string",
        "readme_url": "string", "forks_count": "int", "avatar_url": "null", "star_count": "int",
        "last_activity_at": "time", "namespace": "object",
    ]

    @Test func `the simple row is exactly the documented one`() throws {
        let fixture = try Fixture()
        let projects = try fixture.get("/projects?simple=true")
        #expect(projects.array.count == 1)
        expectFields(projects.row(0), Self.simple)
        let namespace = try #require(projects.row(0)["namespace"])
        expectFields(
            namespace,
            [
                "id": "int", "name": "string", "path": "string", "kind": "string", "full_path": "string",
                "parent_id": "null", "avatar_url": "null", "web_url": "string",
            ]
        )
        #expect(namespace["full_path"]?.string == "team")
    }

    @Test func `the whole row tells the caller's rights, with numbers`() throws {
        let fixture = try Fixture()
        let project = try fixture.get("/projects/team%2Fbackend")
        #expect(project.keys.isSuperset(of: Self.simple.keys))
        #expect(project["visibility"]?.string == "private")
        let access = project["permissions"]?["project_access"]
        #expect(access?["access_level"]?.integer == 30)
        #expect(access?["notification_level"]?.integer == 3)
        #expect(project["permissions"]?["group_access"] == .null)
        #expect(try fixture.get("/projects").row(0) == project)
        try fixture.gitLab.addProject("team/open", visibility: .public)
        #expect(try fixture.get("/projects/team%2Fopen")["permissions"]?["project_access"] == .null)
    }

    @Test func `who may not read code is not told of it`() throws {
        let fixture = try Fixture()
        let project = try fixture.get("/projects/\(try fixture.id())", as: "gast")
        for name in ["default_branch", "readme_url", "forks_count"] { #expect(project[name] == nil, "\(name)") }
    }

    @Test func `the last activity moves with what happens`() throws {
        let fixture = try Fixture()
        let path = "/projects/\(try fixture.id())"
        let before = try fixture.get(path)["last_activity_at"]
        fixture.clock.advance(.hours(1))
        try fixture.gitLab.close(by: "omar", on: fixture.issue)
        #expect(try fixture.get(path)["last_activity_at"] != before)
    }

    @Test(arguments: [
        ("membership=true", ["team/backend"]), ("", ["team/open", "team/backend"]), ("owned=true", []),
        ("visibility=public", ["team/open"]), ("search=BACK", ["team/backend"]),
        ("search=team&search_namespaces=true", ["team/open", "team/backend"]), ("search=team", []),
        ("min_access_level=30", ["team/backend"]), ("min_access_level=40", []),
        ("order_by=id&sort=asc", ["team/backend", "team/open"]), ("order_by=path", ["team/open", "team/backend"]),
        ("order_by=id&sort=asc&id_after=2", ["team/open"]), ("archived=true", []), ("starred=true", []),
        ("order_by=updated_at&updated_after=2030-01-01", []),
    ])
    func `the list knows its filters and shows what the caller may see`(query: String, paths: [String]) throws {
        let fixture = try Fixture()
        try fixture.gitLab.addProject("team/open", visibility: .public)
        let found = try fixture.get("/projects?" + query).array.map { $0["path_with_namespace"]?.string }
        #expect(found == paths)
    }

    @Test(arguments: [
        ("updated_after=2026-01-01", "`updated_at` sorting must be paired"),
        ("order_by=size", "order_by does not have a valid value"), ("visibility=x", "visibility does not have a valid"),
    ])
    func `bad filters are refused`(query: String, text: String) throws {
        let reply = try Fixture().send(.get, "/projects?" + query).response
        #expect(reply.status == 400)
        #expect(reply.text.contains(text))
    }

    @Test func `settings begin with participating and global, and tell events only at custom`() throws {
        let fixture = try Fixture()
        let own = "/projects/\(try fixture.id())/notification_settings"
        #expect(try fixture.get("/notification_settings")["level"]?.string == "participating")
        #expect(try fixture.get("/notification_settings").keys == ["level", "notification_email"])
        #expect(try fixture.get(own).keys == ["level"])
        #expect(try fixture.get(own)["level"]?.string == "global")
        let custom = fixture.send(.put, own, json: #"{"level":"custom","new_note":true}"#).response
        #expect(custom.status == 200)
        let events = try #require(try custom.json()["events"])
        #expect(events.keys.count == 19)
        #expect(events["new_note"]?.bool == true)
        #expect(events["failed_pipeline"]?.bool == true)
        #expect(events["fixed_pipeline"]?.bool == true)
        #expect(events["new_issue"]?.bool == false)
        #expect(events.keys.isSuperset(of: ["new_release", "change_reviewer_merge_request"]))
        let project = try fixture.get("/projects/\(try fixture.id())")
        #expect(project["permissions"]?["project_access"]?["notification_level"]?.integer == 5)
        #expect(try fixture.get(own, as: "omar")["level"]?.string == "global")
    }

    @Test func `a bad level is refused in its own words`() throws {
        let fixture = try Fixture()
        let reply = fixture.send(.put, "/notification_settings", json: #"{"level":"xyz"}"#).response
        #expect(reply.status == 400)
        #expect(reply.text == #"{"message":"'xyz' is not a valid level"}"#)
    }
}
