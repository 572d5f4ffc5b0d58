import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §2 authentication and error bodies")
struct AuthenticationTests {
    static let expired =
        "{\"error\":\"invalid_token\",\"error_description\":\"Token is expired. You can either do re-authorization"
        + " or token refresh.\"}"
    static let revoked =
        "{\"error\":\"invalid_token\",\"error_description\":\"Token was revoked. You have to re-authorize from the"
        + " user.\"}"

    @Test func `without a token the answer is 401`() throws {
        let reply = try Fixture().send(.get, "/version", as: nil)
        #expect(reply.response.status == 401)
        #expect(reply.response.text == "{\"message\":\"401 Unauthorized\"}")
    }

    @Test(arguments: [
        HTTPFields([.init(name: "private-token", value: "maria-token")]),
        HTTPFields([.init(name: "Authorization", value: "Bearer maria-token")]),
        HTTPFields([.init(name: "authorization", value: "bearer maria-token")]),
    ])
    func `a token is taken from either header field`(fields: HTTPFields) throws {
        let reply = try Fixture().send(.get, "/user", as: nil, fields: fields)
        #expect(try reply.response.json()["username"]?.string == "maria")
    }

    @Test(arguments: ["private_token", "access_token"])
    func `a token in the query is taken and echoed in Link`(name: String) throws {
        let reply = try Fixture().send(.get, "/todos?\(name)=maria-token", as: nil)
        #expect(reply.response.status == 200)
        #expect(reply.response.fields["Link"]?.contains("\(name)=maria-token") == true)
    }

    @Test(arguments: [
        (TokenState.unknown, "{\"message\":\"401 Unauthorized\"}"), (.expired, expired), (.revoked, revoked),
    ])
    func `each dead token has a body of its own`(state: TokenState, body: String) throws {
        let fixture = try Fixture()
        _ = fixture.send(.get, "/todos")
        try fixture.gitLab.setToken("maria-token", to: state, faultID: "token")
        for path in ["/todos", "/user", "/version"] {
            let reply = fixture.send(.get, path)
            #expect(reply.response.status == 401)
            #expect(reply.response.text == body)
            #expect(reply.faultID == "token")
        }
        try fixture.gitLab.setToken("maria-token", to: .valid)
        #expect(fixture.send(.get, "/todos").faultID == nil)
        #expect(fixture.send(.get, "/todos").response.status == 200)
    }

    @Test func `a mistyped token is unknown`() throws {
        let reply = try Fixture().send(.get, "/todos", as: nil, fields: ["PRIVATE-TOKEN": "maria-tokem"])
        #expect(reply.response.text == "{\"message\":\"401 Unauthorized\"}")
    }

    @Test func `a token is dead from the start of its expiry date in UTC`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.addToken(
            "short",
            for: "maria",
            expiresOn: CivilDate(year: 2026, month: 3, day: 3)
        )
        let fields: HTTPFields = ["PRIVATE-TOKEN": "short"]
        fixture.clock.advance(.hours(15) - .microseconds(225_901))
        #expect(fixture.send(.get, "/todos", as: nil, fields: fields).response.status == 200)
        fixture.clock.advance(.microseconds(1))
        let reply = fixture.send(.get, "/todos", as: nil, fields: fields)
        #expect(reply.response.text == Self.expired)
    }

    @Test(arguments: [
        (AccountState.blocked, "Your account has been blocked."),
        (.deactivated, "Your account has been deactivated"),
        (.termsNotAccepted, "You must accept the Terms of Service"),
        (.passwordExpired, "Your password expired."),
    ])
    func `an account in a bad state gets 403`(state: AccountState, reason: String) throws {
        let fixture = try Fixture()
        _ = fixture.send(.get, "/todos")
        try fixture.gitLab.setAccountState(of: "maria", to: state)
        let reply = fixture.send(.get, "/todos")
        #expect(reply.response.status == 403)
        #expect(reply.response.text.hasPrefix("{\"message\":\"403 Forbidden - \(reason)"))
    }

    static let insufficient =
        "{\"error\":\"insufficient_scope\",\"error_description\":\"The request requires higher privileges than provided"
        + " by the access token.\",\"scope\":"

    @Test func `a token that may only read the user passes version and user, but not todos`() throws {
        let fixture = try Fixture()
        _ = fixture.send(.get, "/todos")
        try fixture.gitLab.setTokenScopes("maria-token", to: [.readUser], faultID: "scope")
        for path in ["/version", "/metadata", "/user", "/events", "/personal_access_tokens/self"] {
            #expect(fixture.send(.get, path).response.status == 200, "\(path)")
        }
        let reply = fixture.send(.get, "/todos")
        #expect(reply.response.status == 403)
        #expect(reply.response.text == Self.insufficient + "\"api read_api\"}")
        #expect(reply.faultID == "scope")
    }

    @Test func `writing needs api`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.setTokenScopes("maria-token", to: [.readAPI])
        #expect(fixture.send(.get, "/todos").response.status == 200)
        let reply = fixture.send(.post, "/todos/mark_as_done", json: "{}")
        #expect(reply.response.status == 403)
        #expect(reply.response.text == Self.insufficient + "\"api\"}")
    }

    @Test(arguments: [
        ("/projects/999/issues/3", "{\"message\":\"404 Project Not Found\"}"),
        ("/projects/2/issues/999", "{\"message\":\"404 Not found\"}"),
        ("/projects/2/issues/3/notes/999", "{\"message\":\"404 Not found\"}"),
        ("/projects/2/issues/3/discussions/abc", "{\"message\":\"404 Discussion Not Found\"}"),
    ])
    func `a missing record is told by message`(path: String, body: String) throws {
        let reply = try Fixture().send(.get, path)
        #expect(reply.response.status == 404)
        #expect(reply.response.text == body)
    }

    @Test func `what may not be seen is not found`() throws {
        let fixture = try Fixture()
        let outside = fixture.send(.get, try fixture.path(fixture.issue), as: "eve")
        #expect(outside.response.text == "{\"message\":\"404 Project Not Found\"}")
        try fixture.gitLab.setConfidential(by: "omar", on: fixture.issue, true)
        #expect(fixture.send(.get, try fixture.path(fixture.issue), as: "gast").response.status == 404)
        #expect(fixture.send(.get, try fixture.path(fixture.issue), as: "ines").response.status == 200)
        try fixture.gitLab.setConfidential(by: "omar", on: fixture.issue, false)
        #expect(fixture.send(.get, try fixture.path(fixture.issue), as: "gast").response.status == 200)
    }

    @Test func `approving what one may not approve is 401, with a sound token (trap 21)`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.mergeRequest, "/approve")
        let reply = fixture.send(.post, path, json: "{}")
        #expect(reply.response.status == 401)
        #expect(reply.response.text == "{\"message\":\"401 Unauthorized\"}")
        #expect(fixture.send(.get, "/user").response.status == 200)
    }

    @Test func `a method no route has is refused`() throws {
        let reply = try Fixture().send(.delete, "/todos")
        #expect(reply.response.status == 405)
        #expect(reply.response.text == "{\"error\":\"405 Not Allowed\"}")
        #expect(reply.response.fields["Allow"] == "OPTIONS, GET, HEAD")
    }
}
