import HTTP
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §1 rows that are not as documented")
struct ChangedRowsTests {
    /// An issue with a comment, whose text holds all that a reader of JSON may stumble over.
    private func makeFixture() throws -> Fixture {
        let fixture = try Fixture()
        let comment = #"{"body":"a \"b\" \\ [c], {d}: e 2026-03-02T09:00:00.000Z"}"#
        let reply = fixture.send(.post, try fixture.path(fixture.issue, "/notes"), as: "omar", json: comment)
        try #require(reply.response.status == 201)
        return fixture
    }

    private func notes(_ fixture: Fixture, _ change: MemberChange?, draw: UInt64 = 0) throws -> SentResponse {
        if let change { fixture.gitLab.changeRows(change, draw: draw, faultID: "f") }
        defer { if change != nil { try? fixture.gitLab.endFault("f") } }
        return fixture.send(.get, try fixture.path(fixture.issue, "/notes"))
    }

    @Test func `what is taken apart is put together as it was`() throws {
        let fixture = try makeFixture()
        let (list, single) = (try fixture.path(fixture.issue, "/notes"), try fixture.path(fixture.mergeRequest))
        for path in [list, single, "/todos", "/user"] {
            let body = fixture.send(.get, path).response.body
            #expect(JSONTree(body).bytes == body)
        }
    }

    @Test func `a needed member is missing in all rows, or of another type, until the fault ends`() throws {
        let fixture = try makeFixture()
        let sound = try notes(fixture, nil)
        #expect(sound.faultID == nil)
        let whole = try #require(try sound.response.json().array.first)
        for (draw, name) in ["id", "body", "author", "created_at", "system"].enumerated() {
            let without = try notes(fixture, .leftOut, draw: UInt64(draw))
            #expect(without.faultID == "f")
            let row = try #require(try without.response.json().array.first)
            #expect(row[name] == nil && row["updated_at"] != nil)
            let other = try notes(fixture, .otherType, draw: UInt64(draw))
            let changed = try #require(try other.response.json().array.first)
            #expect(changed[name] != nil && changed[name] != whole[name])
            // The tag of a sound page is not that of a changed one.
            #expect(other.response.fields["ETag"] != sound.response.fields["ETag"])
        }
        #expect(try notes(fixture, nil).response.body == sound.response.body)
    }

    @Test(arguments: [
        (UInt64(0), "2026-03-02T11:00:00.225+02:00"), (1, "2026-03-02T05:30:00.225-03:30"),
        (2, "2026-03-02T09:00:00.225000Z"), (3, "2026-03-02 09:00:00.225 UTC"),
    ])
    func `times have another form and say the same`(draw: UInt64, time: String) throws {
        let reply = try notes(try makeFixture(), .otherTimes, draw: draw)
        #expect(reply.response.text.contains(#""created_at":"\#(time)""#), "\(reply.response.text)")
        #expect(reply.response.text.contains(#"e 2026-03-02T09:00:00.000Z""#), "a comment is no time")
    }

    @Test func `what is new or beside leaves what is needed as it was`() throws {
        let fixture = try makeFixture()
        let sound = try #require(try notes(fixture, nil).response.json().array.first)
        for change in [MemberChange.added, .otherWords] {
            let reply = try notes(fixture, change)
            let row = try #require(try reply.response.json().array.first)
            for name in ["id", "body", "created_at", "system"] { #expect(row[name] == sound[name]) }
            #expect(row != sound && reply.faultID == "f")
        }
    }

    @Test func `only rows are changed, and only on its routes`() throws {
        let fixture = try makeFixture()
        fixture.gitLab.changeRows(.leftOut, on: try RoutePattern("GET /user"), draw: 0, faultID: "f")
        #expect(fixture.send(.get, "/user").faultID == "f")
        #expect(fixture.send(.get, try fixture.path(fixture.issue, "/notes")).faultID == nil)
        try fixture.gitLab.endFault("f")
        fixture.gitLab.changeRows(.leftOut, draw: 0, faultID: "f")
        let none = fixture.send(.get, "/todos", as: "eve")
        #expect(none.faultID == nil && none.response.text == "[]")
    }
}
