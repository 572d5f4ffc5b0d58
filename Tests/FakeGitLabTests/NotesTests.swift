import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §8.1 notes list")
struct NotesListTests {
    @Test func `a comment has every field of the table with its type`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "Looks good\r\nto me")
        let notes = try fixture.get(fixture.path(fixture.mergeRequest, "/notes"))
        let note = try #require(notes.array.first)
        expectFields(
            note,
            [
                "id": "int", "type": "null", "body": "string", "attachment": "null", "author": "object",
                "created_at": "time", "updated_at": "time", "system": "bool", "noteable_id": "int",
                "noteable_type": "string", "project_id": "int", "resolvable": "bool", "confidential": "bool",
                "internal": "bool", "imported": "bool", "imported_from": "string", "noteable_iid": "int",
                "commands_changes": "object",
            ]
        )
        #expect(note["body"]?.string == "Looks good\r\nto me")
        #expect(note["noteable_type"]?.string == "MergeRequest")
        #expect(note["noteable_iid"]?.integer == 7)
        #expect(note["created_at"]?.string == "2026-03-02T09:00:00.225Z")
        #expect(note["author"]?["username"]?.string == "omar")
    }
}

extension NotesListTests {
    private func bodies(_ fixture: Fixture, _ item: ItemReference, _ query: String = "") throws -> [String] {
        try fixture.get(fixture.path(item, "/notes" + query)).array.compactMap { $0["body"]?.string }
    }

    @Test func `the list is newest first unless asked otherwise`() throws {
        let fixture = try Fixture()
        for text in ["a", "b", "c"] { try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: text) }
        #expect(try bodies(fixture, fixture.issue) == ["c", "b", "a"])
        #expect(try bodies(fixture, fixture.issue, "?sort=asc") == ["a", "b", "c"])
        #expect(try bodies(fixture, fixture.issue, "?sort=asc&per_page=2&page=2") == ["c"])
    }

    @Test func `created_after does not exist (trap 1)`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.addHistory(of: 150, to: fixture.issue, by: ["omar"])
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "new")
        let query = "?sort=asc&order_by=created_at&per_page=100&created_after=2026-03-02T08:59:00Z"
        let oldest = try bodies(fixture, fixture.issue, query)
        #expect(oldest.count == 100)
        #expect(oldest.first == "Old comment 1 of 150")
        #expect(!oldest.contains("new"))
    }

    @Test func `order by created_at is by id, so backdated notes stand last (trap 5)`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "genuine")
        let past = fixture.clock.wallNow.advanced(by: .days(-900))
        let activity = try fixture.gitLab.importNotes(
            by: "omar",
            on: fixture.issue,
            bodies: ["old 1", "old 2"],
            firstAt: past
        )
        #expect(activity.noteIDs == [2, 3])
        let notes = try fixture.get(fixture.path(fixture.issue, "/notes?order_by=created_at&sort=desc")).array
        #expect(notes.compactMap { $0["id"]?.integer } == [3, 2, 1])
        #expect(notes[0]["created_at"]?.string?.hasPrefix("2023-09-14") == true)
        #expect(notes[0]["imported"]?.bool == true)
        #expect(try bodies(fixture, fixture.issue, "?order_by=updated_at") == ["genuine", "old 2", "old 1"])
    }

    @Test func `system notes have no type and the system flag (trap 16)`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        let note = try fixture.get(fixture.path(fixture.mergeRequest, "/notes")).row(0)
        #expect(note["system"]?.bool == true)
        #expect(note["type"]?.type == "null")
        #expect(note["author"]?["username"]?.string == "omar")
        #expect(note["resolvable"]?.bool == false)
    }

    @Test func `a diff note has a position and can be resolved`() throws {
        let fixture = try Fixture()
        let position = DiffPosition(path: "a/b.swift", line: 12)
        let id = try fixture.gitLab.diffNote(by: "omar", on: fixture.mergeRequest, body: "why?", position: position)
            .noteIDs[0]
        let path = try fixture.path(fixture.mergeRequest, "/notes/\(id)")
        let note = try fixture.get(path)
        #expect(note["type"]?.string == "DiffNote")
        expectFields(
            try #require(note["position"]),
            [
                "base_sha": "string", "start_sha": "string", "head_sha": "string", "old_path": "string",
                "new_path": "string", "position_type": "string", "old_line": "null", "new_line": "int",
                "line_range": "null",
            ]
        )
        #expect(note["position"]?["new_line"]?.integer == 12)
        let request = try fixture.get(fixture.path(fixture.mergeRequest))
        for sha in ["base_sha", "start_sha", "head_sha"] {
            #expect(note["position"]?[sha]?.string == request["diff_refs"]?[sha]?.string)
        }
        #expect(note["resolvable"]?.bool == true)
        #expect(note["resolved"]?.bool == false)
        #expect(note["resolved_by"]?.type == "null")
        fixture.clock.advance(.seconds(9))
        try fixture.gitLab.resolveThread(by: "maria", on: fixture.mergeRequest, of: id)
        let resolved = try fixture.get(path)
        #expect(resolved["resolved"]?.bool == true)
        #expect(resolved["resolved_by"]?["username"]?.string == "maria")
        #expect(resolved["resolved_at"]?.string == "2026-03-02T09:00:09.225Z")
    }

    @Test func `a deleted note leaves no trace`() throws {
        let fixture = try Fixture()
        let id = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "oops").noteIDs[0]
        fixture.clock.advance(.seconds(5))
        #expect(try fixture.ids("/projects/\(fixture.id())/events").count == 1)
        _ = try fixture.get(fixture.path(fixture.issue, "/notes/\(id)"))
        try fixture.gitLab.deleteNote(by: "omar", on: fixture.issue, note: id)
        let reply = fixture.send(.get, try fixture.path(fixture.issue, "/notes/\(id)")).response
        #expect(reply.status == 404)
        #expect(reply.text == "{\"message\":\"404 Not found\"}")
        #expect(try bodies(fixture, fixture.issue).isEmpty)
        #expect(try fixture.ids("/projects/\(fixture.id())/events").isEmpty)
    }

    @Test func `edit keeps the id, reaction and resolve move updated_at too (trap 17)`() throws {
        let fixture = try Fixture()
        let id = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "one").noteIDs[0]
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "two")
        fixture.clock.advance(.seconds(30))
        try fixture.gitLab.react(by: "maria", on: fixture.issue, note: id)
        let path = try fixture.path(fixture.issue, "/notes/\(id)")
        let reacted = try fixture.get(path)
        #expect(reacted["body"]?.string == "one")
        #expect(reacted["updated_at"]?.string == "2026-03-02T09:00:30.225Z")
        #expect(try bodies(fixture, fixture.issue, "?order_by=updated_at") == ["one", "two"])
        fixture.clock.advance(.seconds(30))
        try fixture.gitLab.editNote(by: "omar", on: fixture.issue, note: id, body: "uno")
        let edited = try fixture.get(path)
        #expect(edited["id"]?.integer == id)
        #expect(edited["body"]?.string == "uno")
        #expect(edited["created_at"] == reacted["created_at"])
    }

    @Test func `a published review is a burst of adjoining ids and nearly equal times`() throws {
        let fixture = try Fixture()
        let activity = try fixture.gitLab.publishReview(
            by: "omar",
            on: fixture.mergeRequest,
            bodies: (1...120).map { "remark \($0)" }
        )
        #expect(activity.noteIDs == Array(1...120))
        let path = try fixture.path(fixture.mergeRequest, "/notes?per_page=100")
        let pages = [try fixture.get(path).array, try fixture.get(path + "&page=2").array]
        #expect(pages.map(\.count) == [100, 20])
        let times = Set(pages.joined().compactMap { $0["created_at"]?.string?.prefix(19) })
        #expect(times == ["2026-03-02T09:00:00"])
    }

    @Test(arguments: [(GitLabVersion(17, 11), 2), (GitLabVersion(18, 0), 1)])
    func `activity_filter is known from 18.0 on`(version: GitLabVersion, comments: Int) throws {
        let fixture = try Fixture(version: version)
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "human")
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        #expect(try bodies(fixture, fixture.mergeRequest, "?activity_filter=only_comments").count == comments)
        #expect(try bodies(fixture, fixture.mergeRequest, "?activity_filter=only_activity").count == comments)
    }

    @Test func `a cross reference is hidden from those who cannot see the other item`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.addItem(NewItem(project: "team/other", kind: .issue, iid: 4, title: "X", author: "omar"))
        let other = ItemReference(project: "team/other", kind: .issue, iid: 4)
        try fixture.gitLab.crossReference(by: "omar", on: fixture.issue, from: other)
        let path = try fixture.path(fixture.issue, "/notes")
        #expect(try fixture.get(path, as: "omar").row(0)["body"]?.string == "mentioned in issue other#4")
        let hidden = fixture.send(.get, path).response
        #expect(hidden.text == "[]")
        #expect(hidden.fields["X-Total"] == "1")
    }
}

@Suite("GitLab facts §8.1 writing notes")
struct NoteWritingTests {
    @Test func `a note is created, changed and deleted`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue, "/notes")
        let created = fixture.send(.post, path, json: "{\"body\":\"hi @omar\"}").response
        #expect(created.status == 201)
        let id = try #require(try created.json()["id"]?.integer)
        #expect(try fixture.ids("/todos", as: "omar") == [1])
        let changed = fixture.send(.put, path + "/\(id)", json: "{\"body\":\"hello\"}").response
        #expect(changed.status == 200)
        #expect(try changed.json()["body"]?.string == "hello")
        let deleted = fixture.send(.delete, path + "/\(id)").response
        #expect(deleted.status == 204)
        #expect(deleted.body.isEmpty)
        #expect(try fixture.ids(path).isEmpty)
        #expect(fixture.gitLab.ledger.map(\.kind) == [.commented, .noteEdited, .noteDeleted])
    }

    @Test func `a form is read like JSON`() throws {
        let fixture = try Fixture()
        let request = HTTPRequest(
            method: .post,
            origin: HTTPOrigin(scheme: "https", host: "git.internal"),
            target: "/api/v4" + (try fixture.path(fixture.issue, "/notes")),
            fields: ["PRIVATE-TOKEN": "maria-token", "Content-Type": "application/x-www-form-urlencoded"],
            body: Array("body=a+b%26c".utf8)
        )
        let reply = fixture.gitLab.respond(to: request, from: HTTPPeer(address: "10.0.0.9", connection: 1))
        #expect(try reply.response.json()["body"]?.string == "a b&c")
    }

    @Test func `a body of quick actions only answers 202 and makes no note`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue, "/notes")
        let reply = fixture.send(.post, path, json: "{\"body\":\"/close\"}").response
        #expect(reply.status == 202)
        #expect(try reply.json().keys == ["commands_changes", "summary"])
        #expect(try fixture.ids(path).isEmpty)
    }

    @Test func `a blank note is refused`() throws {
        let fixture = try Fixture()
        let reply = fixture.send(.post, try fixture.path(fixture.issue, "/notes"), json: "{\"body\":\" \"}").response
        #expect(reply.status == 400)
        #expect(reply.text == "{\"message\":\"400 Bad request - Note {:note=>[\\\"can't be blank\\\"]}\"}")
    }

    @Test func `others' notes are not for changing, except by maintainers`() throws {
        let fixture = try Fixture()
        let id = try fixture.gitLab.comment(by: "ines", on: fixture.issue, body: "mine").noteIDs[0]
        let path = try fixture.path(fixture.issue, "/notes/\(id)")
        #expect(fixture.send(.put, path, as: "maria", json: "{\"body\":\"x\"}").response.status == 403)
        #expect(fixture.send(.put, path, as: "omar", json: "{\"body\":\"x\"}").response.status == 200)
    }

    @Test func `only owners may backdate`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue, "/notes")
        let json = "{\"body\":\"old\",\"created_at\":\"2020-01-01T00:00:00Z\"}"
        #expect(
            try fixture.send(.post, path, json: json).response.json()["created_at"]?.string?.hasPrefix("2026") == true
        )
        try fixture.gitLab.setRole(of: "maria", in: "team/backend", to: .owner, by: "omar")
        #expect(
            try fixture.send(.post, path, json: json).response.json()["created_at"]?.string?.hasPrefix("2020") == true
        )
    }

    @Test func `an item takes a bounded number of comments, system notes exempt`() throws {
        let fixture = try Fixture { $0.notesPerItemLimit = 2 }
        for text in ["a", "b"] { try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: text) }
        let path = try fixture.path(fixture.mergeRequest, "/notes")
        #expect(fixture.send(.post, path, json: "{\"body\":\"c\"}").response.status == 400)
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        #expect(try fixture.ids(path).count == 3)
    }
}

@Suite("GitLab facts §8.2 system notes")
struct SystemNoteTests {
    private func newestBody(_ fixture: Fixture, _ item: ItemReference) throws -> String? {
        try fixture.get(fixture.path(item, "/notes")).array.first?["body"]?.string
    }

    @Test func `each action has its words`() throws {
        let fixture = try Fixture()
        let gitLab = fixture.gitLab
        let item = fixture.mergeRequest
        try gitLab.approve(by: "omar", on: item)
        #expect(try newestBody(fixture, item) == "approved this merge request")
        try gitLab.unapprove(by: "omar", on: item)
        #expect(try newestBody(fixture, item) == "unapproved this merge request")
        try gitLab.assign(by: "omar", on: item, to: ["maria", "ines"])
        #expect(try newestBody(fixture, item) == "assigned to @maria and @ines")
        try gitLab.unassign(by: "omar", on: item, from: ["ines"])
        #expect(try newestBody(fixture, item) == "unassigned @ines")
        try gitLab.requestReview(by: "maria", on: item, from: ["omar", "ines"])
        #expect(try newestBody(fixture, item) == "requested review from @omar and @ines")
        try gitLab.removeReviewRequest(by: "maria", on: item, from: ["ines"])
        #expect(try newestBody(fixture, item) == "removed review request for @ines")
        try gitLab.changeTitle(by: "maria", on: item, to: "Add a cache")
        #expect(try newestBody(fixture, item) == "changed title from **Add cache** to **Add {+a +}cache**")
        try gitLab.setDraft(by: "maria", on: item, true)
        #expect(try newestBody(fixture, item) == "marked this merge request as **draft**")
        try gitLab.setDraft(by: "maria", on: item, false)
        #expect(try newestBody(fixture, item) == "marked this merge request as **ready**")
        try gitLab.setConfidential(by: "omar", on: fixture.issue, true)
        #expect(try newestBody(fixture, fixture.issue) == "made the issue confidential")
        try gitLab.crossReference(by: "omar", on: fixture.issue, from: item)
        #expect(try newestBody(fixture, fixture.issue) == "mentioned in merge request !7")
    }

    @Test func `a push lists its commits`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.push(by: "maria", to: fixture.mergeRequest, commits: ["Fix <b> & co", "Test"])
        let body = try #require(try newestBody(fixture, fixture.mergeRequest))
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 5)
        #expect(lines[0] == "added 2 commits")
        #expect(lines[2].hasPrefix("<ul><li>") && lines[2].hasSuffix(" - Test</li></ul>"))
        #expect(lines[2].contains(" - Fix &lt;b&gt; &amp; co</li><li>"))
        #expect(lines[4].hasPrefix("[Compare with previous version](/team/backend/-/merge_requests/7/diffs?diff_id="))
    }

    @Test func `close, reopen, merge, labels and milestones leave no note (trap 13)`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.close(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.reopen(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.mergeRequest, adding: ["bug"])
        try fixture.gitLab.setMilestone(by: "omar", on: fixture.mergeRequest, to: "v1")
        try fixture.gitLab.merge(by: "omar", on: fixture.mergeRequest)
        #expect(try fixture.ids(fixture.path(fixture.mergeRequest, "/notes")).isEmpty)
    }

    @Test func `internal notes are for reporters upwards and those involved`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "secret @gast", isInternal: true)
        let path = try fixture.path(fixture.issue, "/notes")
        #expect(try fixture.get(path, as: "ines").row(0)["internal"]?.bool == true)
        #expect(try fixture.ids(path, as: "gast").isEmpty)
        #expect(try fixture.ids("/todos", as: "gast").isEmpty)
    }
}
