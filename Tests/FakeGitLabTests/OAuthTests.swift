import FoundationEssentials
import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §14 OAuth")
struct OAuthTests {
    /// The documentation's test vector.
    private static let verifier = "ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf"
    private static let challenge = "2i0WFA-0AerkjQm4X4oDEhqA17QIAKNjXpagHBXmO_U"

    private func makeFixture(version: GitLabVersion = GitLabVersion(17, 11), atOnce: Bool = true) throws -> Fixture {
        try Fixture(version: version) { configuration in
            configuration.refreshRevokesAtOnce = atOnce
            configuration.oauthApplications = [
                OAuthApplication(clientID: "app", secret: "hush", redirectURI: "app:/back", scopes: [.readAPI, .api])
            ]
        }
    }

    private func address(_ changes: [String: String?] = [:]) -> String {
        let pairs: [(String, String?)] = [
            ("client_id", "app"), ("redirect_uri", "app%3A%2Fback"), ("response_type", "code"), ("state", "xyz"),
            ("scope", "read_api"), ("code_challenge", Self.challenge), ("code_challenge_method", "S256"),
        ]
        let query = pairs.compactMap { name, value in (changes[name] ?? value).map { "\(name)=\($0)" } }
        return "https://gitlab.example.com/oauth/authorize?" + query.joined(separator: "&")
    }

    private struct Response: Decodable {
        var access_token: String?
        var token_type: String?
        var expires_in: Int?
        var refresh_token: String?
        var scope: String?
        var error: String?
        var device_code: String?
        var user_code: String?
        var interval: Int?
    }

    private func post(_ fixture: Fixture, _ target: String, _ pairs: [String: String]) throws -> (status: Int, Response)
    {
        let all = ["client_id": "app", "client_secret": "hush"].merging(pairs) { $1 }
        let form = all.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        let request = HTTPRequest(
            method: .post,
            origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
            target: target,
            fields: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array(form.utf8)
        )
        let reply = fixture.gitLab.respond(to: request, from: HTTPPeer(address: "192.0.2.1", connection: 1))
        let answer = try? JSONDecoder().decode(Response.self, from: Data(reply.response.body))
        return (reply.response.status, answer ?? Response())
    }

    private func exchange(_ fixture: Fixture, verifier: String = Self.verifier) throws -> (status: Int, Response) {
        let back = try fixture.gitLab.authorize(address(), as: "maria")
        return try post(fixture, "/oauth/token", grant(back, verifier))
    }

    private func grant(_ back: String, _ verifier: String = Self.verifier) -> [String: String] {
        let code = back.split(separator: "&")[0].split(separator: "=")[1]
        return [
            "grant_type": "authorization_code", "code": String(code), "redirect_uri": "app%3A%2Fback",
            "code_verifier": verifier,
        ]
    }

    private func refresh(_ fixture: Fixture, _ token: String) throws -> (status: Int, Response) {
        try post(
            fixture,
            "/oauth/token",
            ["grant_type": "refresh_token", "refresh_token": token, "redirect_uri": "app%3A%2Fback"]
        )
    }

    private func userStatus(_ fixture: Fixture, _ token: String, field: String = "Authorization") -> Int {
        let value = field == "Authorization" ? "Bearer \(token)" : token
        let request = HTTPRequest(
            method: .get,
            origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
            target: "/api/v4/user",
            fields: HTTPFields([.init(name: field, value: value)])
        )
        return fixture.gitLab.respond(to: request, from: HTTPPeer(address: "192.0.2.1", connection: 1)).response.status
    }

    @Test func `a code is exchanged with the verifier of the test vector`() throws {
        let fixture = try makeFixture()
        let (status, answer) = try exchange(fixture)
        #expect(status == 200)
        #expect(answer.token_type == "bearer")
        #expect(answer.expires_in == 7_200)
        #expect(answer.scope == "read_api")
        let access = try #require(answer.access_token)
        #expect(userStatus(fixture, access) == 200)
        #expect(userStatus(fixture, access, field: "PRIVATE-TOKEN") == 401)
    }

    @Test func `the browser comes back with the state, also after a no`() throws {
        let fixture = try makeFixture()
        #expect(try fixture.gitLab.authorize(address(), as: "maria").hasSuffix("&state=xyz"))
        #expect(
            try fixture.gitLab.authorize(address(), as: "maria", agrees: false)
                == "app:/back?error=access_denied&state=xyz"
        )
    }

    @Test(arguments: [
        ["client_id": "other"], ["redirect_uri": "evil"], ["response_type": "token"], ["scope": "sudo"],
        ["code_challenge_method": "plain"], ["scope": ""],
    ])
    func `a browser with a wrong address is sent nowhere`(changes: [String: String]) throws {
        let fixture = try makeFixture()
        #expect(throws: FakeGitLabError.self) { try fixture.gitLab.authorize(address(changes), as: "maria") }
    }

    @Test func `a code works once, and its second use takes the tokens away`() throws {
        let fixture = try makeFixture()
        let pairs = grant(try fixture.gitLab.authorize(address(), as: "maria"))
        let access = try #require(try post(fixture, "/oauth/token", pairs).1.access_token)
        #expect(userStatus(fixture, access) == 200)
        let (status, again) = try post(fixture, "/oauth/token", pairs)
        #expect(status == 400)
        #expect(again.error == "invalid_grant")
        #expect(userStatus(fixture, access) == 401)
    }

    @Test(arguments: [true, false])
    func `either token of a pair takes both back, for the application that has them`(byRefresh: Bool) throws {
        let fixture = try makeFixture()
        let (_, pair) = try exchange(fixture)
        let (access, renewal) = (try #require(pair.access_token), try #require(pair.refresh_token))
        let token = byRefresh ? renewal : access
        let foreign = try post(fixture, "/oauth/revoke", ["token": token, "client_secret": "guessed"])
        #expect(foreign.status == 403 && foreign.1.error == "unauthorized_client")
        #expect(userStatus(fixture, access) == 200)
        #expect(try post(fixture, "/oauth/revoke", ["token": token]).status == 200)
        #expect(userStatus(fixture, access) == 401)
        #expect(try refresh(fixture, renewal).1.error == "invalid_grant")
        // What is over, or was never there, is over.
        #expect(try post(fixture, "/oauth/revoke", ["token": token]).status == 200)
        #expect(try post(fixture, "/oauth/revoke", ["token": "never"]).status == 200)
        #expect(try post(fixture, "/oauth/revoke", [:]).status == 200)
    }

    @Test func `a wrong verifier, secret, grant or time is refused as OAuth says`() throws {
        let fixture = try makeFixture()
        #expect(try exchange(fixture, verifier: String(repeating: "a", count: 43)).1.error == "invalid_grant")
        let back = try fixture.gitLab.authorize(address(), as: "maria")
        let wrong = grant(back).merging(["client_secret": "guess"]) { $1 }
        let (status, answer) = try post(fixture, "/oauth/token", wrong)
        #expect(status == 401)
        #expect(answer.error == "invalid_client")
        #expect(try post(fixture, "/oauth/token", ["grant_type": "password"]).1.error == "unsupported_grant_type")
        fixture.clock.advance(.minutes(10))
        #expect(try post(fixture, "/oauth/token", grant(back)).1.error == "invalid_grant")
    }

    @Test func `an access token lives two hours and is renewed after that`() throws {
        let fixture = try makeFixture()
        let first = try exchange(fixture).1
        fixture.clock.advance(.hours(2))
        #expect(userStatus(fixture, try #require(first.access_token)) == 401)
        let second = try refresh(fixture, try #require(first.refresh_token)).1
        #expect(userStatus(fixture, try #require(second.access_token)) == 200)
    }

    @Test func `§21.11: at once, the old pair is over with the renewal`() throws {
        let fixture = try makeFixture(atOnce: true)
        let first = try exchange(fixture).1
        _ = try refresh(fixture, try #require(first.refresh_token))
        #expect(userStatus(fixture, try #require(first.access_token)) == 401)
        #expect(try refresh(fixture, try #require(first.refresh_token)).1.error == "invalid_grant")
        #expect(fixture.gitLab.refusedRefreshes(after: 0) == ["maria"])
    }

    @Test func `§21.11: otherwise the old pair is over when the new one is used`() throws {
        let fixture = try makeFixture(atOnce: false)
        let first = try exchange(fixture).1
        let old = try #require(first.refresh_token)
        _ = try refresh(fixture, old)
        let third = try refresh(fixture, old).1
        #expect(userStatus(fixture, try #require(first.access_token)) == 200)
        #expect(userStatus(fixture, try #require(third.access_token)) == 200)
        #expect(try refresh(fixture, old).1.error == "invalid_grant")
        #expect(userStatus(fixture, try #require(first.access_token)) == 401)
    }

    @Test func `a person takes the access away`() throws {
        let fixture = try makeFixture()
        #expect(!fixture.gitLab.hasGrant(of: "maria"))
        let answer = try exchange(fixture).1
        #expect(fixture.gitLab.hasGrant(of: "maria"))
        try fixture.gitLab.revokeGrants(of: "maria")
        #expect(!fixture.gitLab.hasGrant(of: "maria"))
        #expect(userStatus(fixture, try #require(answer.access_token)) == 401)
        #expect(try refresh(fixture, try #require(answer.refresh_token)).1.error == "invalid_grant")
    }

    @Test func `a grant that was used stands beside a later one, until somebody ends it`() throws {
        let fixture = try makeFixture()
        let first = try exchange(fixture).1
        #expect(userStatus(fixture, try #require(first.access_token)) == 200)
        _ = try exchange(fixture)
        let last = try exchange(fixture).1
        #expect(fixture.gitLab.hasGrant(of: "maria"))
        func revoke(_ answer: Response) throws {
            #expect(try post(fixture, "/oauth/revoke", ["token": try #require(answer.refresh_token)]).status == 200)
        }
        try revoke(last)
        #expect(!fixture.gitLab.hasGrant(of: "maria"))
        #expect(fixture.gitLab.hasGrant(of: "maria", orFormer: true))
        try revoke(first)
        #expect(!fixture.gitLab.hasGrant(of: "maria", orFormer: true), "nobody may know of what was never used")
    }

    @Test func `a device asks until its person has typed the code in`() throws {
        let fixture = try makeFixture()
        let device = try post(fixture, "/oauth/authorize_device", ["scope": "read_api"]).1
        let pairs = [
            "grant_type": "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code",
            "device_code": try #require(device.device_code),
        ]
        #expect(try post(fixture, "/oauth/token", pairs).1.error == "authorization_pending")
        #expect(try post(fixture, "/oauth/token", pairs).1.error == "slow_down")
        fixture.clock.advance(.seconds(5))
        try fixture.gitLab.authorizeDevice(userCode: try #require(device.user_code), as: "omar")
        let access = try #require(try post(fixture, "/oauth/token", pairs).1.access_token)
        #expect(userStatus(fixture, access) == 200)
        #expect(fixture.gitLab.issuedTokens(after: 0).map(\.person) == ["omar"])
    }

    @Test func `the device grant ends by a no, by time, and does not exist before 17_9`() throws {
        let fixture = try makeFixture()
        let device = try post(fixture, "/oauth/authorize_device", ["scope": "read_api"]).1
        let pairs = [
            "grant_type": "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code",
            "device_code": try #require(device.device_code),
        ]
        try fixture.gitLab.authorizeDevice(userCode: try #require(device.user_code), as: "omar", agrees: false)
        #expect(try post(fixture, "/oauth/token", pairs).1.error == "access_denied")
        fixture.clock.advance(.minutes(5))
        #expect(try post(fixture, "/oauth/token", pairs).1.error == "expired_token")
        let older = try makeFixture(version: GitLabVersion(17, 8))
        #expect(try post(older, "/oauth/authorize_device", ["scope": "read_api"]).status == 404)
    }
}
