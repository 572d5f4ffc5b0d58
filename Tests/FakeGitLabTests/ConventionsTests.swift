import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §1 conventions")
struct ConventionsTests {
    @Test func `unknown parameters change nothing`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "one")
        let notes = try fixture.path(fixture.mergeRequest, "/notes")
        let plain = try fixture.ids(notes)
        #expect(try fixture.ids(notes + "?created_after=2099-01-01T00:00:00Z&since_id=99&pagination=keyset") == plain)
        #expect(plain.count == 1)
    }

    @Test(arguments: [
        ("/notes?sort=up", "sort does not have a valid value"),
        ("/notes?order_by=id", "order_by does not have a valid value"),
        ("/notes?sort[]=asc", "sort is invalid"),
        ("/notes?per_page=0", "per_page has a value not allowed"),
        ("/notes?per_page=-1", "per_page does not have a valid value"),
        ("/notes?per_page=many", "per_page does not have a valid value"),
        ("/notes?page=x", "page does not have a valid value"),
        ("/notes/abc", "note_id is invalid"),
    ])
    func `a declared parameter with a bad value is refused`(rest: String, text: String) throws {
        let fixture = try Fixture()
        let reply = fixture.send(.get, try fixture.path(fixture.mergeRequest, rest))
        #expect(reply.response.status == 400)
        #expect(reply.response.text == "{\"error\":\"\(text)\"}")
    }

    @Test(arguments: [(GitLabVersion(15, 4), 200), (GitLabVersion(15, 5), 400)])
    func `an array of actions on todos is invalid from 15.5 on`(version: GitLabVersion, status: Int) throws {
        let reply = try Fixture(version: version).send(.get, "/todos?action[]=mentioned")
        #expect(reply.response.status == status)
        if status == 400 { #expect(reply.response.text == "{\"error\":\"action is invalid\"}") }
    }

    @Test func `a missing parameter is named`() throws {
        let fixture = try Fixture()
        let reply = fixture.send(.post, try fixture.path(fixture.mergeRequest, "/notes"), json: "{}")
        #expect(reply.response.status == 400)
        #expect(reply.response.text == "{\"error\":\"body is missing\"}")
    }

    @Test func `the last of several values wins`() throws {
        let fixture = try Fixture()
        for text in ["one", "two"] { try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: text) }
        let notes = try fixture.path(fixture.issue, "/notes")
        #expect(try fixture.ids(notes + "?sort=desc&sort=asc&page=9&page=1") == [1, 2])
    }

    @Test(arguments: ["team%2Fbackend", "team%2fbackend"])
    func `a project is found by its encoded path`(path: String) throws {
        let fixture = try Fixture()
        #expect(fixture.send(.get, "/projects/\(path)/merge_requests/7").response.status == 200)
        #expect(fixture.send(.get, "/projects/\(path)/merge_requests").response.status == 200)
    }

    @Test func `a decoded path leads to no route`() throws {
        let reply = try Fixture().send(.get, "/projects/team/backend/merge_requests/7")
        #expect(reply.response.status == 404)
        #expect(reply.response.text == "{\"error\":\"404 Not Found\"}")
    }

    @Test func `a person has the fields of UserBasic`() throws {
        let fixture = try Fixture()
        let author = try fixture.get(fixture.path(fixture.mergeRequest))["author"]
        expectFields(
            try #require(author),
            [
                "id": "int", "username": "string", "public_email": "null", "name": "string", "state": "string",
                "locked": "bool", "avatar_url": "null", "web_url": "string",
            ]
        )
    }

    @Test func `times carry an offset where the instance has a time zone`() throws {
        let fixture = try Fixture { $0.timeZoneOffsetSeconds = 7_200 }
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "one")
        let note = try fixture.get(fixture.path(fixture.issue, "/notes")).row(0)
        #expect(note["created_at"]?.string == "2026-03-02T11:00:00.225+02:00")
    }

    @Test func `ids lie beyond 32 bits when asked for`() throws {
        let fixture = try Fixture { $0.largeIDs = true }
        let activity = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "one")
        #expect(activity.noteIDs[0] > Int64(Int32.max))
        #expect(try fixture.ids(fixture.path(fixture.issue, "/notes")) == activity.noteIDs)
    }

    @Test(arguments: [
        "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}", "\"quoted\" \\ back", "🏳️‍🌈 ünï", "line\u{2028}separators\u{2029}end",
        "</script>&amp;", "\u{7F}\u{80}\u{FFFF}",
    ])
    func `every text survives the journey as JSON`(text: String) throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x" + text)
        let reply = fixture.send(.get, try fixture.path(fixture.issue, "/notes"))
        #expect(try reply.response.json().row(0)["body"]?.string == "x" + text)
        #expect(!reply.response.body.contains { $0 < 0x20 })
    }

    @Test func `a moved project redirects reads of its old path and refuses writes`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.moveProject("team/backend", to: "team/core")
        let moved = fixture.send(.get, "/projects/team%2Fbackend/merge_requests/7?x=1")
        #expect(moved.response.status == 301)
        #expect(
            moved.response.fields["Location"]
                == "https://gitlab.example.com/api/v4/projects/\(try fixture.id("team/core"))/merge_requests/7?x=1"
        )
        let write = fixture.send(.post, "/projects/team%2Fbackend/issues/3/notes", json: "{\"body\":\"x\"}")
        #expect(write.response.status == 405)
        #expect(write.response.text == "{\"message\":\"Non GET methods are not allowed for moved projects\"}")
        #expect(fixture.send(.get, "/projects/\(try fixture.id("team/core"))/issues/3").response.status == 200)
    }

    @Test func `an old API version is gone`() throws {
        #expect(try Fixture().send(.get, "//api/v3/projects").response.status == 410)
    }
}

@Suite("GitLab facts §1 header fields and conditional requests")
struct HeaderTests {
    @Test func `a list carries the recorded header fields`() throws {
        let fixture = try Fixture()
        let fields = fixture.send(.get, "/todos").response.fields
        for name in [
            "Server", "Date", "Content-Type", "Cache-Control", "ETag", "Link", "Vary", "X-Content-Type-Options",
            "X-Frame-Options", "X-Next-Page", "X-Page", "X-Per-Page", "X-Prev-Page", "X-Request-Id", "X-Runtime",
            "X-Total", "X-Total-Pages", "Strict-Transport-Security",
        ] {
            #expect(fields.count(of: name) == 1, "\(name)")
        }
        #expect(fields["Date"] == "Mon, 02 Mar 2026 09:00:00 GMT")
        #expect(fields["Content-Type"] == "application/json")
        #expect(fields["Cache-Control"] == "max-age=0, private, must-revalidate")
        let etag = try #require(fields["ETag"])
        #expect(etag.hasPrefix("W/\"") && etag.hasSuffix("\"") && etag.utf8.count == 36)
    }

    @Test func `an error is not cached and has no ETag`() throws {
        let fields = try Fixture().send(.get, "/projects/999").response.fields
        #expect(fields["Cache-Control"] == "no-cache")
        #expect(fields["ETag"] == nil)
    }

    @Test func `the same tag gives 304 without a body until something changes`() throws {
        let fixture = try Fixture()
        let notes = try fixture.path(fixture.issue, "/notes")
        let first = fixture.send(.get, notes)
        let etag = try #require(first.response.fields["ETag"])
        for _ in 0..<2 {
            let second = fixture.send(.get, notes, fields: ["If-None-Match": etag])
            #expect(second.response.status == 304)
            #expect(second.response.body.isEmpty)
            #expect(second.response.fields["ETag"] == etag)
            #expect(second.response.fields["Content-Type"] == nil)
        }
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "news")
        let third = fixture.send(.get, notes, fields: ["If-None-Match": etag])
        #expect(third.response.status == 200)
        #expect(third.response.fields["ETag"] != etag)
    }

    @Test func `a 304 counts against the limiter`() throws {
        let fixture = try Fixture { $0.requestLimit = FakeGitLab.RequestLimit(requests: 2, period: .seconds(3_600)) }
        let etag = try #require(fixture.send(.get, "/todos").response.fields["ETag"])
        #expect(fixture.send(.get, "/todos", fields: ["If-None-Match": etag]).response.status == 304)
        #expect(fixture.send(.get, "/todos", fields: ["If-None-Match": etag]).response.status == 429)
    }

    @Test(arguments: ["/todos", "/user", "/projects/999"])
    func `HEAD answers like GET without the body`(path: String) throws {
        let fixture = try Fixture()
        let get = fixture.send(.get, path).response
        let head = fixture.send(.head, path).response
        #expect(head.status == get.status)
        #expect(head.body.isEmpty)
        #expect(head.fields["ETag"] == get.fields["ETag"])
        #expect(head.fields["X-Total"] == get.fields["X-Total"])
    }

    @Test func `every request has an id of its own`() throws {
        let fixture = try Fixture()
        let ids = (0..<5).compactMap { _ in fixture.send(.get, "/todos").response.fields["X-Request-Id"] }
        #expect(Set(ids).count == 5)
    }

    /// python-gitlab writes `True`.
    @Test(arguments: [
        ("true", 9), ("True", 9), ("TRUE", 9), ("1", 9), ("T", 9), ("on", 9), ("Yes", 9), ("y", 9), ("false", 6),
        ("False", 6), ("0", 6), ("OFF", 6), ("n", 6), ("", 6),
    ])
    func `booleans come in every spelling that the framework reads`(text: String, more: Int) throws {
        let fixture = try Fixture()
        let label = try fixture.get("/projects/\(try fixture.id())/labels?with_counts=\(text)").row(0)
        #expect(label.keys.count == more + 3, "\(label)")
        let reply = fixture.send(.get, "/projects/\(try fixture.id())/labels?with_counts=tRue").response
        #expect(reply.text == #"{"error":"with_counts is invalid"}"#)
    }
}
