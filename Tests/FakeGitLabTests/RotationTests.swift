import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("Supplement §1.5 token rotation")
struct RotationTests {
    private static let path = "/personal_access_tokens/self/rotate"

    private func status(_ fixture: Fixture, _ token: String) -> Int {
        fixture.send(.get, "/user", as: nil, fields: ["PRIVATE-TOKEN": token]).response.status
    }

    @Test func `a token is replaced with 200 by one that lasts a week`() throws {
        let fixture = try Fixture()
        let reply = fixture.send(.post, Self.path).response
        #expect(reply.status == 200)
        let token = try reply.json()
        #expect(token["expires_at"]?.string == "2026-03-09")
        #expect(token["name"]?.string == "notifier")
        let secret = try #require(token["token"]?.string)
        #expect(status(fixture, secret) == 200)
        let old = fixture.send(.get, "/user").response
        #expect(old.status == 401)
        #expect(old.text.contains("revoked"))
    }

    @Test func `the day can be chosen`() throws {
        let token = try Fixture().send(.post, Self.path, json: #"{"expires_at":"2026-12-24"}"#).response.json()
        #expect(token["expires_at"]?.string == "2026-12-24")
    }

    @Test func `rotating a revoked token ends the one that lives of its family`() throws {
        let fixture = try Fixture()
        let first = try #require(try fixture.send(.post, Self.path).response.json()["token"]?.string)
        let second = fixture.send(.post, Self.path, as: nil, fields: ["PRIVATE-TOKEN": first]).response
        let secret = try #require(try second.json()["token"]?.string)
        #expect(status(fixture, secret) == 200)
        #expect(fixture.send(.post, Self.path).response.status == 401)
        #expect(status(fixture, secret) == 401)
        #expect(status(fixture, "omar-token") == 200)
    }

    @Test(arguments: [([TokenScope.selfRotate], 200), ([.api], 200), ([.readAPI], 403)])
    func `it needs a scope that allows it`(scopes: [TokenScope], expected: Int) throws {
        let fixture = try Fixture()
        try fixture.gitLab.setTokenScopes("maria-token", to: scopes)
        #expect(fixture.send(.post, Self.path).response.status == expected)
    }

    @Test(arguments: [(GitLabVersion(16, 8), 404), (GitLabVersion(16, 9), 200)])
    func `releases before 16.9 do not have it`(version: GitLabVersion, expected: Int) throws {
        #expect(try Fixture(version: version).send(.post, Self.path).response.status == expected)
    }
}
