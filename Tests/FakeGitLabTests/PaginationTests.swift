import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §4 pagination")
struct PaginationTests {
    private func makeFixture(notes: Int, _ configure: (inout FakeGitLab.Configuration) -> Void = { _ in }) throws
        -> Fixture
    {
        let fixture = try Fixture(configure)
        try fixture.gitLab.addHistory(of: notes, to: fixture.issue, by: ["omar"])
        return fixture
    }

    @Test(arguments: [
        ("", 1, 20, 45, 3, "2", ""), ("?page=3", 3, 5, 45, 3, "", "2"), ("?per_page=100", 1, 45, 45, 1, "", ""),
        ("?per_page=500", 1, 45, 45, 1, "", ""), ("?page=9&per_page=10", 9, 0, 45, 5, "", "8"),
        ("?page=2&per_page=15", 2, 15, 45, 3, "3", "1"),
    ])
    func `the fields tell where a page lies`(
        query: String,
        page: Int,
        rows: Int,
        total: Int,
        pages: Int,
        next: String,
        previous: String
    ) throws {
        let fixture = try makeFixture(notes: 45)
        let response = fixture.send(.get, try fixture.path(fixture.issue, "/notes" + query)).response
        #expect(try response.json().array.count == rows)
        #expect(response.fields["X-Page"] == "\(page)")
        #expect(response.fields["X-Total"] == "\(total)")
        #expect(response.fields["X-Total-Pages"] == "\(pages)")
        #expect(response.fields["X-Next-Page"] == next)
        #expect(response.fields["X-Prev-Page"] == previous)
    }

    @Test func `per_page is 20 by default and clamped to 100`() throws {
        let fixture = try makeFixture(notes: 150)
        let path = try fixture.path(fixture.issue, "/notes")
        #expect(fixture.send(.get, path).response.fields["X-Per-Page"] == "20")
        #expect(fixture.send(.get, path + "?per_page=101").response.fields["X-Per-Page"] == "100")
    }

    @Test func `an empty list has one page`() throws {
        let fields = try Fixture().send(.get, "/todos").response.fields
        #expect(fields["X-Total"] == "0")
        #expect(fields["X-Total-Pages"] == "1")
        #expect(fields["X-Next-Page"]?.isEmpty == true)
    }

    @Test func `Link names external host and every parameter in alphabetical order`() throws {
        let fixture = try makeFixture(notes: 45)
        let path = try fixture.path(fixture.issue, "/notes")
        let link = try #require(fixture.send(.get, path + "?page=2&foo=a%20b").response.fields["Link"])
        let id = try fixture.id()
        func url(_ page: Int) -> String {
            "<https://gitlab.example.com/api/v4\(path)?foo=a+b&id=\(id)&noteable_id=3&order_by=created_at"
                + "&page=\(page)&per_page=20&sort=desc>"
        }
        #expect(
            link
                == "\(url(1)); rel=\"prev\", \(url(3)); rel=\"next\", \(url(1)); rel=\"first\", \(url(3)); rel=\"last\""
        )
    }

    @Test func `prev and next are left out where there is none`() throws {
        let link = try #require(try Fixture().send(.get, "/todos").response.fields["Link"])
        #expect(link.contains("rel=\"first\"") && link.contains("rel=\"last\""))
        #expect(!link.contains("rel=\"next\"") && !link.contains("rel=\"prev\""))
    }

    @Test func `beyond the limit totals and last are left out`() throws {
        for (limit, tells) in [(30, true), (29, false)] {
            let fixture = try makeFixture(notes: 30) { $0.totalsLimit = limit }
            let fields = fixture.send(.get, try fixture.path(fixture.issue, "/notes")).response.fields
            #expect((fields["X-Total"] == "30") == tells)
            #expect((fields["X-Total-Pages"] != nil) == tells)
            #expect(fields["Link"]?.contains("rel=\"last\"") == tells)
            #expect(fields["X-Next-Page"] == "2")
        }
    }

    @Test func `a page can be short or empty while another follows (trap 3)`() throws {
        let fixture = try Fixture()
        for number in 1...3 { try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "public \(number)") }
        for number in 1...3 {
            try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "secret \(number)", isInternal: true)
        }
        let path = try fixture.path(fixture.issue, "/notes?per_page=2")
        let pages = (1...3).map { fixture.send(.get, path + "&page=\($0)", as: "gast").response }
        #expect(try pages.map { try $0.json().array.count } == [0, 1, 2])
        #expect(pages.map { $0.fields["X-Next-Page"] } == ["2", "3", ""])
        #expect(pages.map { $0.fields["X-Total"] } == ["6", "6", "6"])
        #expect(try fixture.ids(path.replacing("per_page=2", with: "per_page=100"), as: "maria").count == 6)
    }

    @Test func `inserting between pages repeats a row, deleting skips one (trap 29)`() throws {
        let fixture = try makeFixture(notes: 6)
        let path = try fixture.path(fixture.issue, "/notes?per_page=3")
        let routes = try RoutePattern("GET /projects/*/issues/*/notes")
        fixture.gitLab.driftPages(
            .commentInserted(by: "omar", body: "in between"),
            on: routes,
            faultID: "drift"
        )
        let first = fixture.send(.get, path)
        #expect(first.faultID == "drift")
        #expect(try fixture.ids(path + "&page=2").first == first.response.json().array.last?["id"]?.integer)
        fixture.gitLab.driftPages(.newestNoteDeleted, on: routes, faultID: "drift")
        let before = try fixture.ids(path)
        let after = try fixture.ids(path + "&page=2")
        #expect(before == [7, 6, 5])
        #expect(after == [3, 2, 1])
        #expect(fixture.gitLab.ledger.map(\.kind) == [.commented, .noteDeleted])
    }
}
