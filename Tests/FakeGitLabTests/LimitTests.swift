import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §3 rate limits")
struct LimitTests {
    @Test(arguments: [(Int64(1), Int64(1_800)), (60, 30), (7, 258)])
    func `a client whose clock is behind is told by its own clock`(speed: Int64, seconds: Int64) throws {
        let fixture = try Fixture { $0.requestLimit = FakeGitLab.RequestLimit(requests: 0, period: .hours(1)) }
        fixture.clock.advance(.hours(50) + .minutes(30))
        var fields = fixture.send(.get, "/todos").response.fields
        #expect(fields["Retry-After"] == "1800")
        let client = Fixture.start.wallTime()
        fields.stateLimits(by: client, insteadOf: fixture.clock.wallNow, speed: speed)
        #expect(fields["RateLimit-Reset"] == "\(client.secondsSinceEpoch + seconds)")
        #expect(fields["Retry-After"] == "\(seconds)")
        #expect(fields["RateLimit-ResetTime"]?.hasPrefix("Mon, 02 Mar 2026 09:") == true)
    }

    private func makeFixture(_ version: GitLabVersion = GitLabVersion(17, 11), requests: Int = 3) throws -> Fixture {
        try Fixture(version: version) {
            $0.requestLimit = FakeGitLab.RequestLimit(requests: requests, period: .seconds(3_600))
        }
    }

    @Test func `limiter A answers with text and every field`() throws {
        let fixture = try makeFixture()
        fixture.clock.advance(.seconds(600))
        for _ in 0..<3 { #expect(fixture.send(.get, "/user").response.status == 200) }
        let reply = fixture.send(.get, "/user").response
        #expect(reply.status == 429)
        #expect(reply.text == "Retry later")
        #expect(reply.fields["Content-Type"] == "text/plain")
        #expect(reply.fields["Retry-After"] == "3000")
        #expect(reply.fields["RateLimit-Name"] == "throttle_authenticated_api")
        #expect(reply.fields["RateLimit-Limit"] == "1")
        #expect(reply.fields["RateLimit-Observed"] == "4")
        #expect(reply.fields["RateLimit-Remaining"] == "0")
        #expect(reply.fields["RateLimit-ResetTime"] == "Mon, 02 Mar 2026 10:00:00 GMT")
        let reset = CivilDate(year: 2026, month: 3, day: 2, hour: 10).wallTime().secondsSinceEpoch
        #expect(reply.fields["RateLimit-Reset"] == "\(reset)")
    }

    @Test func `windows are aligned to the epoch and rejected requests keep being counted`() throws {
        let fixture = try makeFixture()
        for _ in 0..<5 { _ = fixture.send(.get, "/user") }
        #expect(fixture.send(.get, "/user").response.fields["RateLimit-Observed"] == "6")
        fixture.clock.advance(.seconds(3_599))
        #expect(fixture.send(.get, "/user").response.status == 429)
        fixture.clock.advance(.seconds(1))
        #expect(fixture.send(.get, "/user").response.status == 200)
    }

    @Test func `the limit is per person, over all of their tokens`() throws {
        let fixture = try makeFixture()
        try fixture.gitLab.addToken("second", for: "maria")
        for _ in 0..<3 { _ = fixture.send(.get, "/user") }
        #expect(fixture.send(.get, "/user", as: nil, fields: ["PRIVATE-TOKEN": "second"]).response.status == 429)
        #expect(fixture.send(.get, "/user", as: "omar").response.status == 200)
    }

    @Test(arguments: [(GitLabVersion(17, 11), false), (GitLabVersion(18, 5), true)])
    func `answers tell the limit only from 18.5 on`(version: GitLabVersion, tells: Bool) throws {
        let fixture = try makeFixture(version, requests: 7_200)
        let fields = fixture.send(.get, "/user").response.fields
        #expect((fields["RateLimit-Remaining"] == "7199") == tells)
        #expect((fields["RateLimit-Limit"] == "120") == tells)
        #expect((fields["RateLimit-Observed"] != nil) == tells)
    }

    @Test func `without a limiter there are no such fields`() throws {
        let fields = try Fixture(version: GitLabVersion(18, 5)).send(.get, "/user").response.fields
        #expect(!fields.fields.contains { $0.name.hasPrefix("RateLimit") })
    }

    @Test(arguments: [(GitLabVersion(17, 11), String?.none), (GitLabVersion(18, 5), "60")])
    func `limiter B answers with JSON`(version: GitLabVersion, retryAfter: String?) throws {
        let fixture = try Fixture(version: version)
        fixture.gitLab.setNoteLimit(1, faultID: "notes")
        let path = try fixture.path(fixture.issue, "/notes")
        #expect(fixture.send(.post, path, json: "{\"body\":\"one\"}").response.status == 201)
        let reply = fixture.send(.post, path, json: "{\"body\":\"two\"}")
        #expect(reply.response.status == 429)
        #expect(
            reply.response.text
                == "{\"message\":{\"error\":\"This endpoint has been requested too many times. Try again later.\"}}"
        )
        #expect(reply.response.fields["Content-Type"] == "application/json")
        #expect(reply.response.fields["Retry-After"] == retryAfter)
        #expect(reply.faultID == "notes")
        fixture.clock.advance(.seconds(60))
        #expect(fixture.send(.post, path, json: "{\"body\":\"two\"}").response.status == 201)
    }

    @Test func `the text can be replaced and the limiter switched on and off during a run`() throws {
        let fixture = try Fixture()
        let limit = FakeGitLab.RequestLimit(requests: 0, period: .seconds(60), text: "Slow down")
        fixture.gitLab.setRequestLimit(limit, faultID: "storm")
        let reply = fixture.send(.get, "/user")
        #expect(reply.response.text == "Slow down")
        #expect(reply.faultID == "storm")
        try fixture.gitLab.endFault("storm")
        #expect(fixture.send(.get, "/user").response.status == 200)
    }
}
