import HTTP
import Platform
import Synchronization
import Testing

@testable import FakeGitLab

@Suite("Unknown requests and counts")
struct UnknownRequestTests {
    final class Seen: Sendable {
        let requests = Mutex<[UnknownRequest]>([])
    }

    @Test(arguments: [
        ("/projects/2/issues/3/note", "GET /projects/:id/issues/:noteable_id/notes"),
        ("/projects/2/issue/3/notes", "GET /projects/:id/issues/:noteable_id/notes"),
        ("/todo", "GET /todos"),
        ("/projects/2/merge_requests/7/aprovals", "GET /projects/:id/merge_requests/:merge_request_iid/approvals"),
        (
            "/projects/2/merge_requests/7/resource_state_event",
            "GET /projects/:id/merge_requests/:eventable_id/resource_state_events"
        ),
        ("/notification_settings/x/y/z", "GET /projects/:id/merge_requests/:merge_request_iid"),
    ])
    func `an unknown route answers as GitLab does and is reported with the nearest one`(
        path: String,
        nearest: String
    ) throws {
        let seen = Seen()
        let fixture = try Fixture(observer: { unknown in seen.requests.withLock { $0.append(unknown) } })
        let reply = fixture.send(.get, path + "?private_token=secret&a=b")
        #expect(reply.response.status == 404)
        #expect(reply.response.text == "{\"error\":\"404 Not Found\"}")
        let unknown = try #require(fixture.gitLab.unknownRequests.first)
        #expect(unknown.target == "/api/v4\(path)?a=b")
        if !path.hasPrefix("/notification") { #expect(unknown.nearestRoute == nearest) }
        #expect(seen.requests.withLock { $0 } == [unknown])
    }

    @Test func `what a route does not declare is ignored, and told once (trap 1)`() throws {
        let seen = Seen()
        let fixture = try Fixture(observer: { unknown in seen.requests.withLock { $0.append(unknown) } })
        let notes = try fixture.path(fixture.issue, "/notes")
        for since in ["2026-01-01", "2026-01-02"] {
            let path = notes + "?created_after=\(since)&sort=asc&private_token=x&page=1&since_id=5"
            #expect(fixture.send(.get, path).response.status == 200)
        }
        fixture.send(.get, "/issues?scope=all&not[weight]=5&labels[]=bug&not[labels][]=bug")
        fixture.send(.post, notes, json: #"{"body": "x", "position": {"base_sha": "1"}, "colour": "red"}"#)
        let unknown = seen.requests.withLock { $0 }
        #expect(unknown.map(\.ignoredParameters) == [["created_after", "since_id"], ["not[weight]"], ["colour"]])
        #expect(unknown[0].nearestRoute == "GET /projects/:id/issues/:noteable_id/notes")
        #expect(!unknown[0].target.contains("private_token"))
        #expect(fixture.gitLab.unknownRequests == unknown)
    }

    @Test func `every request is counted by person, route and status`() throws {
        let fixture = try Fixture()
        for _ in 0..<3 { fixture.send(.get, "/todos") }
        fixture.send(.get, "/todos", as: "omar")
        fixture.send(.get, "/todos", as: nil)
        fixture.send(.get, "/nothing")
        fixture.gitLab.beginOutage(.unavailable, faultID: "f")
        fixture.send(.get, "/todos")
        let counts = fixture.gitLab.requestCounts.map {
            "\($0.person ?? "-") \($0.route ?? "-") \($0.status) \($0.count)"
        }
        #expect(
            counts == [
                "- - 503 1", "- GET /todos 401 1", "maria - 404 1", "maria GET /todos 200 3", "omar GET /todos 200 1",
            ]
        )
        #expect(fixture.gitLab.requestCount == 7)
    }

    @Test func `no input makes it trap`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria")
        var random = RandomStream(seed: 2026, stream: "fuzz")
        let pieces = [
            "/", "projects", "2", "%2F", "%", "%ZZ", "team%2Fbackend", "merge_requests", "issues", "7", "3", "notes",
            "-1",
            "9223372036854775808", "discussions", "todos", "mark_as_done", "events", "?", "&", "=", "page", "per_page",
            "99999999999999999999", "sort", "[]", "after", "2026-13-99", "state", "\u{0}", "é", "+",
            "resource_label_events",
            "approve", "subscribe", "users", "created_at", "order_by=updated_at",
        ]
        let bodies = [
            "", "{", "[]", "{\"body\":{}}", "{\"body\":null}", "a=%", "{\"body\":\"x\",\"created_at\":\"?\"}",
        ]
        for _ in 0..<600 {
            let count = Int(random.next(below: 14))
            let path = (0..<count).compactMap { _ in random.pick(pieces) }.joined(
                separator: random.chance(1, in: 2) ? "/" : ""
            )
            let method = random.pick([HTTPMethod.get, .post, .put, .delete, .head, .patch]) ?? .get
            let reply = fixture.send(method, "/" + path, json: random.pick(bodies))
            #expect((200...499).contains(reply.response.status), "\(method.rawValue) \(path)")
        }
        for target in ["", "?", "/", "//", "/api", "/api/v4", "/api/v4?", "*", "x"] {
            let request = HTTPRequest(method: .get, origin: HTTPOrigin(scheme: "http", host: "h"), target: target)
            let reply = fixture.gitLab.respond(to: request, from: HTTPPeer(address: "a", connection: 1))
            #expect((300...499).contains(reply.response.status), "\(target)")
        }
    }

    @Test func `the same seed and calls give the same bytes`() throws {
        func transcript() throws -> [SentResponse] {
            let fixture = try Fixture(seed: 5) {
                $0.serviceTime = QuantileTable([
                    .init(perMille: 0, value: .milliseconds(5)), .init(perMille: 1_000, value: .milliseconds(90)),
                ])
            }
            try fixture.gitLab.push(by: "maria", to: fixture.mergeRequest, commits: ["a"])
            try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria @ines")
            return try ["/todos", "/merge_requests?scope=all", fixture.path(fixture.mergeRequest, "/discussions")]
                .map { fixture.send(.get, $0) }
        }
        #expect(try transcript() == transcript())
    }

    @Test func `a full cache starts anew and answers the same`() throws {
        let fixture = try Fixture { $0.pageCacheLimit = 3 }
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x")
        for page in 1...10 {
            #expect(try fixture.ids(fixture.path(fixture.issue, "/notes?page=\(page)")).count == (page == 1 ? 1 : 0))
        }
    }
}
