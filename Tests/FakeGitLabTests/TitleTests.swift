import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §6.2 names and items in titles")
struct TitleTests {
    @Test func `a new title makes to-dos for those whom neither it nor the description named before`() throws {
        let fixture = try Fixture()
        let first = try fixture.gitLab.changeTitle(by: "omar", on: fixture.issue, to: "@maria: slow")
        #expect(first.todos.map(\.person) == ["maria"] && first.todos.map(\.action) == [.mentioned])
        #expect(first.mentioned == ["maria"])
        #expect(try fixture.get("/todos").row(0)["target_url"]?.string?.contains("#note_") == false)
        let second = try fixture.gitLab.changeTitle(by: "omar", on: fixture.issue, to: "Slow for @maria and @ines")
        #expect(second.todos.map(\.person) == ["ines"])
        let byGuest = try fixture.gitLab.changeTitle(by: "maria", on: fixture.mergeRequest, to: "Ask @gast and @eve")
        #expect(byGuest.todos.isEmpty && byGuest.mentioned.isEmpty)
    }

    @Test func `an item that is opened tells those whom its title names, and the items that it names say so`() throws {
        let fixture = try Fixture()
        let opened = try fixture.gitLab.open(
            NewItem(project: "team/backend", kind: .mergeRequest, title: "Fix #3 for @maria", author: "omar")
        )
        #expect(opened.todos.map(\.action) == [.mentioned])
        let path = try fixture.path(fixture.issue, "/notes")
        let bodies = { try fixture.get(path).array.map { $0["body"]?.string } }
        #expect(try bodies() == ["mentioned in merge request !8"])
        let renamed = ItemReference(project: "team/backend", kind: .mergeRequest, iid: 8)
        try fixture.gitLab.changeTitle(by: "omar", on: renamed, to: "Fix #3 and !7")
        #expect(try bodies().count == 1)
        let other = try fixture.get(fixture.path(fixture.mergeRequest, "/notes")).array
        #expect(other.map { $0["body"]?.string } == ["mentioned in merge request !8"])
    }
}
