import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §5 identity endpoints")
struct IdentityTests {
    static let kas = ["enabled": "bool", "externalUrl": "null", "version": "null"]

    @Test(arguments: [
        (GitLabVersion(15, 0), ["version", "revision"]), (GitLabVersion(15, 5), ["version", "revision", "kas"]),
        (GitLabVersion(15, 6), ["version", "revision", "kas", "enterprise"]),
    ])
    func `version grows with the release`(version: GitLabVersion, keys: [String]) throws {
        let answer = try Fixture(version: version).get("/version")
        #expect(answer.keys == Set(keys))
        #expect(answer["version"]?.string == "\(version)")
    }

    @Test func `metadata exists from 15.2 on, and version is an alias of it later`() throws {
        #expect(try Fixture(version: GitLabVersion(15, 1)).send(.get, "/metadata").response.status == 404)
        #expect(try Fixture(version: GitLabVersion(15, 2)).send(.get, "/metadata").response.status == 200)
        let fixture = try Fixture(version: GitLabVersion(17, 6))
        #expect(try fixture.get("/version") == fixture.get("/metadata"))
        let kas = try #require(try fixture.get("/metadata")["kas"])
        expectFields(kas, Self.kas.merging(["externalK8sProxyUrl": "null"]) { $1 })
    }

    @Test func `the Enterprise Edition says so`() throws {
        let answer = try Fixture { $0.edition = .enterprise }.get("/metadata")
        #expect(answer["enterprise"]?.bool == true)
        #expect(answer["version"]?.string == "17.11.0-ee")
    }

    @Test func `user has every field of the list`() throws {
        let user = try Fixture().get("/user")
        expectFields(
            user,
            [
                "id": "int", "username": "string", "name": "string", "state": "string", "locked": "bool",
                "avatar_url": "null", "web_url": "string", "created_at": "time", "bio": "string",
                "location": "string", "public_email": "null", "website_url": "string", "organization": "string",
                "job_title": "string", "pronouns": "null", "bot": "bool", "work_information": "null",
                "local_time": "null", "last_sign_in_at": "time", "confirmed_at": "time", "last_activity_on": "date",
                "email": "string", "theme_id": "int", "color_scheme_id": "int", "projects_limit": "int",
                "current_sign_in_at": "time", "identities": "array", "can_create_group": "bool",
                "can_create_project": "bool", "two_factor_enabled": "bool", "external": "bool",
                "private_profile": "bool", "commit_email": "string", "namespace_id": "int",
            ]
        )
        #expect(user["username"]?.string == "maria")
    }

    @Test func `the id outlives the username`() throws {
        let fixture = try Fixture()
        let before = try fixture.get("/user")
        try fixture.gitLab.rename("maria", to: "maria.s")
        let after = try fixture.get("/user")
        #expect(after["id"] == before["id"])
        #expect(after["username"]?.string == "maria.s")
    }

    @Test func `the token tells about itself`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.addToken(
            "t",
            for: "maria",
            scopes: [.readUser],
            expiresOn: CivilDate(year: 2026, month: 4, day: 1)
        )
        let reply = fixture.send(.get, "/personal_access_tokens/self", as: nil, fields: ["PRIVATE-TOKEN": "t"])
        let token = try reply.response.json()
        expectFields(
            token,
            [
                "id": "int", "name": "string", "description": "null", "revoked": "bool", "active": "bool",
                "created_at": "time", "last_used_at": "time", "scopes": "array", "user_id": "int",
                "expires_at": "date",
            ]
        )
        #expect(token["expires_at"]?.string == "2026-04-01")
        #expect(token["scopes"]?.array == [.string("read_user")])
        let old = try Fixture(version: GitLabVersion(15, 4)).send(.get, "/personal_access_tokens/self")
        #expect(old.response.status == 404)
    }

    @Test func `a project tells its path`() throws {
        let fixture = try Fixture()
        #expect(try fixture.get("/projects/team%2Fbackend")["path_with_namespace"]?.string == "team/backend")
    }
}
