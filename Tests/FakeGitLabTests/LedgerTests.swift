import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("Activity ledger")
struct LedgerTests {
    @Test func `an activity tells who did what where and what came of it`() throws {
        let fixture = try Fixture()
        let activity = try fixture.gitLab.comment(by: "ines", on: fixture.mergeRequest, body: "ping @maria and @gast")
        #expect(activity.sequence == 1)
        #expect(activity.kind == .commented)
        #expect(activity.at == fixture.clock.wallNow)
        #expect(activity.readableAt == activity.at)
        #expect(activity.actor.username == "ines")
        let item = try #require(activity.item)
        #expect(item.projectPath == "team/backend")
        #expect(item.projectID == (try fixture.id()))
        #expect(item.kind == .mergeRequest)
        #expect(item.iid == 7)
        #expect(item.title == "Add cache")
        #expect(item.webURL == "https://gitlab.example.com/team/backend/-/merge_requests/7")
        #expect(activity.noteIDs == [1])
        #expect(activity.systemNoteIDs.isEmpty)
        #expect(activity.todos == fixture.gitLab.ledger[0].todos)
        #expect(activity.todos.map(\.person) == ["maria"])
        #expect(activity.todos.map(\.action) == [.mentioned])
        #expect(activity.mentioned == ["maria"])
        #expect(activity.named == ["maria", "gast"])
        #expect(activity.concerned == ["maria", "omar"])
        #expect(activity.body == "ping @maria and @gast")
    }

    @Test func `the ledger holds every activity in order`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "a")
        try fixture.gitLab.close(by: "omar", on: fixture.issue)
        #expect(fixture.gitLab.ledger.map(\.sequence) == [1, 2])
        #expect(fixture.gitLab.activities(after: 1).map(\.kind) == [.closed])
        #expect(fixture.gitLab.activityCount == 2)
    }

    @Test func `opening an item concerns those it names`() throws {
        let fixture = try Fixture()
        let activity = try fixture.gitLab.open(
            NewItem(
                project: "team/backend",
                kind: .mergeRequest,
                title: "New",
                author: "omar",
                description: "cc @ines",
                assignees: ["omar"],
                reviewers: ["maria"]
            )
        )
        #expect(activity.item?.iid == 8)
        #expect(activity.todos.map(\.person) == ["omar", "maria", "ines"])
        #expect(activity.todos.map(\.action) == [.assigned, .reviewRequested, .mentioned])
        #expect(try fixture.get("/todos", as: "omar").row(0)["author"]?["username"]?.string == "omar")
    }

    @Test func `history is there from the start and is not an activity`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.addHistory(of: 450, to: fixture.issue, by: ["omar", "ines"])
        #expect(fixture.gitLab.ledger.isEmpty)
        #expect(fixture.send(.get, try fixture.path(fixture.issue, "/notes")).response.fields["X-Total"] == "450")
        #expect(try fixture.get(fixture.path(fixture.issue))["user_notes_count"]?.integer == 450)
        #expect(try fixture.ids("/todos", as: "omar").isEmpty)
    }

    @Test func `a bad call throws a code and changes nothing`() throws {
        let fixture = try Fixture()
        let gitLab = fixture.gitLab
        let mergeRequest = fixture.mergeRequest
        let issue = fixture.issue
        let missing = ItemReference(project: "team/backend", kind: .issue, iid: 99)
        func code(_ body: () throws -> Void) -> FakeGitLabError.Code? {
            do { try body() } catch { return (error as? FakeGitLabError)?.code }
            return nil
        }
        #expect(code { try gitLab.comment(by: "nobody", on: issue, body: "x") } == .unknownPerson)
        #expect(code { try gitLab.comment(by: "omar", on: missing, body: "x") } == .unknownItem)
        #expect(code { try gitLab.comment(by: "eve", on: issue, body: "x") } == .notAllowed)
        #expect(code { try gitLab.comment(by: "omar", on: issue, body: "  ") } == .invalidValue)
        #expect(code { try gitLab.merge(by: "omar", on: issue) } == .wrongKind)
        #expect(code { try gitLab.approve(by: "maria", on: mergeRequest) } == .notAllowed)
        #expect(code { try gitLab.unapprove(by: "omar", on: mergeRequest) } == .wrongState)
        #expect(code { try gitLab.reopen(by: "omar", on: mergeRequest) } == .wrongState)
        #expect(code { try gitLab.editNote(by: "omar", on: issue, note: 9, body: "x") } == .unknownNote)
        #expect(code { try gitLab.completeTodo(of: "maria", 9) } == .unknownTodo)
        #expect(code { try gitLab.addPerson(NewPerson(username: "maria")) } == .duplicateName)
        #expect(code { try gitLab.addPerson(NewPerson(username: "@x")) } == .invalidValue)
        #expect(code { try gitLab.addProject("solo") } == .invalidValue)
        #expect(code { try gitLab.addToken("maria-token", for: "omar") } == .duplicateName)
        #expect(code { try gitLab.setToken("none", to: .revoked) } == .unknownToken)
        #expect(code { try gitLab.endFault("none") } == .unknownFault)
        #expect(code { _ = try ItemReference("team/backend") } == .invalidReference)
        #expect(code { _ = try RoutePattern("todos") } == .invalidValue)
        #expect(code { try gitLab.changeLabels(by: "omar", on: issue, adding: ["none"]) } == .invalidValue)
        #expect(gitLab.ledger.isEmpty)
        try gitLab.close(by: "omar", on: mergeRequest)
        #expect(code { try gitLab.merge(by: "omar", on: mergeRequest) } == .wrongState)
        #expect(gitLab.ledger.count == 1)
    }

    @Test(arguments: [("team/backend!847", ItemKind.mergeRequest), ("team/sub/backend#2", .issue)])
    func `references are written as GitLab writes them`(text: String, kind: ItemKind) throws {
        let reference = try ItemReference(text)
        #expect(reference.kind == kind)
        #expect("\(reference)" == text)
    }

    @Test(arguments: [("17.8", GitLabVersion(17, 8)), ("18.5.2", GitLabVersion(18, 5, 2))])
    func `versions are read`(text: String, version: GitLabVersion) {
        #expect(GitLabVersion(text) == version)
        #expect(GitLabVersion(text + "-ee") == nil)
        #expect(GitLabVersion("17") == nil)
    }

    @Test func `an upgrade while running changes the answers at once`() throws {
        let fixture = try Fixture(version: GitLabVersion(15, 0))
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x")
        let path = try fixture.path(fixture.issue, "/notes")
        #expect(try fixture.get(path).row(0)["imported"] == nil)
        fixture.gitLab.setVersion(GitLabVersion(17, 11))
        #expect(try fixture.get(path).row(0)["imported"]?.bool == false)
    }
}
