import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §16 outages")
struct OutageTests {
    @Test(arguments: [
        (OutageMode.workhorseBadGateway, 502, "text/plain; charset=utf-8", "GitLab is not responding"),
        (.proxyBadGateway, 502, "text/html", "<html>\r\n<head><title>502 Bad Gateway</title></head>"),
        (.unavailable, 503, "application/json", "{\"message\":\"503 Service Unavailable\"}"),
        (.loginPage, 200, "text/html; charset=utf-8", "<!DOCTYPE html>"),
        (.internalError, 500, "application/json", "{\"message\":\"500 Internal Server Error\"}"),
        (.unauthorized, 401, "application/json", "{\"message\":\"401 Unauthorized\"}"),
        (.forbidden, 403, "application/json", "{\"message\":\"403 Forbidden\"}"),
    ])
    func `an outage answers in its guise (trap 24)`(mode: OutageMode, status: Int, type: String, body: String) throws {
        let fixture = try Fixture()
        fixture.gitLab.beginOutage(mode, faultID: "outage-1")
        let reply = fixture.send(.get, "/todos")
        #expect(reply.response.status == status)
        #expect(reply.response.fields["Content-Type"] == type)
        #expect(reply.response.text.hasPrefix(body))
        #expect(reply.faultID == "outage-1")
        try fixture.gitLab.endFault("outage-1")
        let after = fixture.send(.get, "/todos")
        #expect(after.response.status == 200)
        #expect(after.faultID == nil)
    }

    @Test(arguments: [(OutageMode.hang, SentResponse.Travel.never), (.reset, .reset)])
    func `an answer is lost, but the request was processed`(mode: OutageMode, travel: SentResponse.Travel) throws {
        let fixture = try Fixture()
        fixture.gitLab.beginOutage(mode, faultID: "f")
        let reply = fixture.send(.post, try fixture.path(fixture.issue, "/notes"), json: "{\"body\":\"x\"}")
        #expect(reply.travel == travel)
        #expect(reply.faultID == "f")
        #expect(fixture.gitLab.ledger.count == 1)
    }

    @Test func `a truncated body ends half-way`() throws {
        let fixture = try Fixture()
        let whole = fixture.send(.get, "/user").response.body.count
        fixture.gitLab.beginOutage(.truncatedBody, faultID: "f")
        let reply = fixture.send(.get, "/user")
        #expect(reply.travel == .truncated(afterBytes: whole / 2))
        #expect(reply.closesConnection)
    }

    @Test func `slowness adds to the usual service time`() throws {
        let fixture = try Fixture { $0.serviceTime = .constant(.milliseconds(40)) }
        #expect(fixture.send(.get, "/user").serviceTime == .milliseconds(40))
        #expect(fixture.send(.get, "/user").response.fields["X-Runtime"] == "0.040000")
        fixture.gitLab.beginOutage(.slow(.constant(.seconds(5))), faultID: "f")
        let reply = fixture.send(.get, "/user")
        #expect(reply.serviceTime == .milliseconds(5_040))
        #expect(reply.response.status == 200)
    }

    /// GitLab facts §2: the body tells a missing route from a missing record.
    @Test func `a missing route answers as if this release had none`() throws {
        let fixture = try Fixture()
        fixture.gitLab.beginOutage(.routeMissing, faultID: "f", routes: try RoutePattern("/user"))
        let reply = fixture.send(.get, "/user")
        #expect(reply.response.status == 404)
        #expect(String(decoding: reply.response.body, as: UTF8.self) == #"{"error":"404 Not Found"}"#)
        #expect(fixture.send(.get, "/todos").response.status == 200)
        try fixture.gitLab.endFault("f")
        #expect(fixture.send(.get, "/user").response.status == 200)
    }

    /// GitLab facts §3, §5.1.
    @Test func `an upgrade changes the release and what it tells`() throws {
        let fixture = try Fixture { $0.version = GitLabVersion(15, 0) }
        #expect(fixture.send(.get, "/metadata").response.status == 404)
        #expect(fixture.send(.get, "/todos").response.fields["RateLimit-Remaining"] == nil)
        fixture.gitLab.upgrade(to: GitLabVersion(18, 5))
        let reply = fixture.send(.get, "/metadata").response
        #expect(String(decoding: reply.body, as: UTF8.self).contains(#""version":"18.5.0""#))
    }

    @Test(arguments: OutageMode.all)
    func `with probability 0 an outage does nothing`(mode: OutageMode) throws {
        let fixture = try Fixture()
        let undisturbed = try Fixture()
        fixture.gitLab.addOutage(Outage(faultID: "f", mode: mode, from: fixture.clock.wallNow, perMille: 0))
        #expect(fixture.send(.get, "/todos") == undisturbed.send(.get, "/todos"))
    }

    @Test func `an outage lasts from its first instant to its end, which is not in it`() throws {
        let fixture = try Fixture()
        let from = fixture.clock.wallNow.advanced(by: .seconds(10))
        let until = from.advanced(by: .seconds(5))
        fixture.gitLab.addOutage(Outage(faultID: "f", mode: .unavailable, from: from, until: until))
        var statuses: [Int] = []
        for _ in 0..<18 {
            statuses.append(fixture.send(.get, "/todos").response.status)
            fixture.clock.advance(.seconds(1))
        }
        #expect(statuses == Array(repeating: 200, count: 10) + Array(repeating: 503, count: 5) + [200, 200, 200])
    }

    @Test(arguments: [
        ("/todos", "/todos", true), ("/todos", "/user", false), ("/projects/*/issues/**", "/projects/2/issues/3", true),
        ("/projects/*/issues/**", "/projects/2/issues/3/notes", true),
        ("/projects/*/issues", "/projects/2/issues/3", false),
        ("GET /todos", "/todos", true), ("POST /todos", "/todos", false), ("/**", "/user", true),
    ])
    func `an outage hits the routes of its pattern`(pattern: String, path: String, hits: Bool) throws {
        let fixture = try Fixture()
        fixture.gitLab.beginOutage(.unavailable, faultID: "f", routes: try RoutePattern(pattern))
        #expect((fixture.send(.get, path).response.status == 503) == hits)
    }

    @Test func `part of the requests is hit, the same ones for the same seed`() throws {
        func statuses(_ seed: UInt64) throws -> [Int] {
            let fixture = try Fixture(seed: seed)
            let from = fixture.clock.wallNow
            fixture.gitLab.addOutage(Outage(faultID: "f", mode: .unavailable, from: from, perMille: 300))
            return (0..<200).map { _ in fixture.send(.get, "/user").response.status }
        }
        let first = try statuses(7)
        #expect((30...90).contains(first.count { $0 == 503 }))
        #expect(try statuses(7) == first)
        #expect(try statuses(8) != first)
    }

    @Test func `a read-only instance redirects writes that are not JSON (trap 37)`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "hi @maria")
        fixture.gitLab.beginOutage(.readOnly, faultID: "f")
        let redirected = fixture.send(.post, "/todos/1/mark_as_done")
        #expect(redirected.response.status == 301)
        #expect(redirected.response.fields["Location"] == "https://gitlab.example.com/")
        let refused = fixture.send(.post, "/todos/1/mark_as_done", json: "{}").response
        #expect(refused.status == 403)
        #expect(refused.text == "{\"message\":\"You cannot perform write operations on a read-only instance\"}")
        #expect(try fixture.ids("/todos") == [1])
    }

    @Test func `maintenance refuses writes and lets reads through`() throws {
        let fixture = try Fixture()
        fixture.gitLab.beginOutage(.maintenance, faultID: "f")
        let refused = fixture.send(.post, "/todos/mark_as_done", json: "{}").response
        #expect(refused.status == 503)
        #expect(refused.text == "{\"message\":\"GitLab Maintenance: system is in maintenance mode\"}")
        #expect(refused.fields["Retry-After"] == nil)
        #expect(fixture.send(.get, "/todos").response.status == 200)
        let later = try Fixture(version: GitLabVersion(18, 2))
        later.gitLab.beginOutage(.maintenance, faultID: "f")
        #expect(later.send(.post, "/todos/mark_as_done", json: "{}").response.fields["Retry-After"] == "60")
    }
}

@Suite("GitLab facts §16 late commits")
struct LateCommitTests {
    @Test func `a held note appears late with its own id and time, after later ones (trap 4)`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue, "/notes")
        fixture.gitLab.holdCommits(of: .note, for: .seconds(20), faultID: "late")
        let held = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "held")
        #expect(held.readableAt == held.at.advanced(by: .seconds(20)))
        fixture.clock.advance(.seconds(1))
        let next = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "next")
        #expect(next.readableAt == next.at)
        #expect(try fixture.ids(path) == [2])
        #expect(fixture.send(.get, path).faultID == "late")
        #expect(fixture.send(.get, path + "/1").response.status == 404)
        fixture.clock.advance(.milliseconds(18_999))
        #expect(try fixture.ids(path) == [2])
        fixture.clock.advance(.milliseconds(1))
        #expect(try fixture.ids(path) == [2, 1])
        #expect(fixture.send(.get, path).faultID == nil)
        #expect(try fixture.get(path + "/1")["created_at"]?.string == "2026-03-02T09:00:00.225Z")
    }

    @Test(arguments: RowKind.allCases)
    func `every kind of row can be held`(kind: RowKind) throws {
        let fixture = try Fixture()
        fixture.gitLab.holdCommits(of: kind, for: .seconds(20), count: nil, faultID: "late")
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "hi @maria")
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, adding: ["bug"])
        try fixture.gitLab.setMilestone(by: "omar", on: fixture.issue, to: "v1")
        try fixture.gitLab.close(by: "omar", on: fixture.issue)
        fixture.clock.advance(.seconds(10))
        let paths: [RowKind: String] = [
            .note: try fixture.path(fixture.issue, "/notes"), .todo: "/todos",
            .stateEvent: try fixture.path(fixture.issue, "/resource_state_events"),
            .labelEvent: try fixture.path(fixture.issue, "/resource_label_events"),
            .milestoneEvent: try fixture.path(fixture.issue, "/resource_milestone_events"),
            .event: "/projects/\(try fixture.id())/events",
        ]
        for (other, path) in paths where other != kind && !(kind == .note && other == .todo) {
            #expect(try !fixture.ids(path).isEmpty || (kind == .note && other == .event), "\(other) while \(kind)")
        }
        let path = try #require(paths[kind])
        #expect(try fixture.ids(path).isEmpty)
        fixture.clock.advance(.seconds(12))
        #expect(try !fixture.ids(path).isEmpty)
        try fixture.gitLab.endFault("late")
    }

    @Test func `a to-do is not there before the note that caused it`() throws {
        let fixture = try Fixture()
        fixture.gitLab.holdCommits(of: .note, for: .seconds(20), faultID: "late")
        let activity = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "hi @maria")
        #expect(activity.todos.count == 1)
        #expect(try fixture.ids("/todos").isEmpty)
        fixture.clock.advance(.seconds(20))
        #expect(try fixture.ids("/todos") == [1])
    }

    @Test func `the item's updated_at shows when the note does, with the time of writing`() throws {
        let fixture = try Fixture()
        fixture.gitLab.holdCommits(of: .note, for: .seconds(20), faultID: "late")
        let path = "/issues?scope=all&updated_after=2026-03-02T09:00:00Z"
        fixture.clock.advance(.seconds(1))
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "held")
        #expect(try fixture.ids(path).isEmpty)
        fixture.clock.advance(.seconds(19))
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, adding: ["bug"])
        #expect(try fixture.ids(path).isEmpty)
        fixture.clock.advance(.seconds(1))
        #expect(try fixture.ids(path).count == 1)
        let other = try Fixture()
        other.gitLab.holdCommits(of: .note, for: .seconds(20), faultID: "late")
        try other.gitLab.comment(by: "omar", on: other.issue, body: "held")
        other.clock.advance(.seconds(20))
        let item = try other.get(other.path(other.issue))
        #expect(item["updated_at"]?.string == "2026-03-02T09:00:00.225Z")
    }

    @Test func `holding for no time is no fault`() throws {
        let fixture = try Fixture()
        fixture.gitLab.holdCommits(of: .note, for: .zero, faultID: "late")
        let activity = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x")
        #expect(activity.readableAt == activity.at)
    }
}

@Suite("GitLab facts §16 replica lag")
struct ReplicaLagTests {
    @Test func `reads lag behind, also behind edits, deletions and to-dos (trap 36)`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue, "/notes")
        let first = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "one").noteIDs[0]
        fixture.clock.advance(.seconds(100))
        fixture.gitLab.beginReplicaLag(.constant(.seconds(45)), faultID: "lag")
        let second = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "hi @maria").noteIDs[0]
        try fixture.gitLab.editNote(by: "omar", on: fixture.issue, note: first, body: "uno")
        try fixture.gitLab.close(by: "omar", on: fixture.issue)
        fixture.clock.advance(.seconds(44))
        #expect(try fixture.ids(path) == [first])
        #expect(try fixture.get(path + "/\(first)")["body"]?.string == "one")
        #expect(fixture.send(.get, path + "/\(second)").response.status == 404)
        #expect(try fixture.get(fixture.path(fixture.issue))["state"]?.string == "opened")
        #expect(try fixture.ids("/todos").isEmpty)
        #expect(try fixture.ids(fixture.path(fixture.issue, "/resource_state_events")).isEmpty)
        #expect(fixture.send(.get, path).faultID == "lag")
        fixture.clock.advance(.seconds(1))
        #expect(try fixture.ids(path) == [second, first])
        #expect(try fixture.get(path + "/\(first)")["body"]?.string == "uno")
        #expect(try fixture.ids("/todos") == [1])
        try fixture.gitLab.deleteNote(by: "omar", on: fixture.issue, note: second)
        fixture.clock.advance(.seconds(44))
        #expect(try fixture.ids(path) == [second, first])
        fixture.clock.advance(.seconds(1))
        #expect(try fixture.ids(path) == [first])
    }

    @Test func `who wrote sticks to the primary for half a minute`() throws {
        let fixture = try Fixture()
        fixture.gitLab.beginReplicaLag(.constant(.seconds(60)), faultID: "lag")
        let path = try fixture.path(fixture.issue, "/notes")
        let created = fixture.send(.post, path, json: "{\"body\":\"mine\"}")
        #expect(created.response.status == 201)
        #expect(created.faultID == nil)
        #expect(try fixture.ids(path) == [1])
        #expect(try fixture.ids(path, as: "ines").isEmpty)
        fixture.clock.advance(.seconds(30))
        #expect(try fixture.ids(path).isEmpty)
        fixture.clock.advance(.seconds(30))
        #expect(try fixture.ids(path) == [1])
    }

    @Test func `each request draws its own lag, so a row can be seen, unseen and seen again`() throws {
        let fixture = try Fixture()
        fixture.gitLab.beginReplicaLag(
            QuantileTable([.init(perMille: 0, value: .zero), .init(perMille: 1_000, value: .seconds(60))]),
            faultID: "lag"
        )
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x")
        fixture.clock.advance(.seconds(30))
        let path = try fixture.path(fixture.issue, "/notes")
        let counts = try (0..<40).map { _ in try fixture.ids(path).count }
        #expect(Set(counts) == [0, 1])
        try fixture.gitLab.endFault("lag")
        #expect(try fixture.ids(path) == [1])
    }

    @Test func `no lag is no fault`() throws {
        let fixture = try Fixture()
        fixture.gitLab.beginReplicaLag(.constant(.zero), faultID: "lag")
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x")
        #expect(fixture.send(.get, try fixture.path(fixture.issue, "/notes")).faultID == nil)
        #expect(try fixture.ids(fixture.path(fixture.issue, "/notes")) == [1])
    }
}
