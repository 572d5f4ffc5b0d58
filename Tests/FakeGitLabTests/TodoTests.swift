import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §6.1 to-do list")
struct TodoListTests {
    @Test func `a to-do has every field of the table with its type`() throws {
        let fixture = try Fixture()
        let activity = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "see, @maria")
        let todo = try #require(try fixture.get("/todos").array.first)
        expectFields(
            todo,
            [
                "id": "int", "project": "object", "author": "object", "action_name": "string", "target_type": "string",
                "target": "object", "target_url": "string", "body": "string", "state": "string", "created_at": "time",
                "updated_at": "time",
            ]
        )
        expectFields(
            try #require(todo["project"]),
            [
                "id": "int", "description": "null", "name": "string", "name_with_namespace": "string",
                "path": "string", "path_with_namespace": "string", "created_at": "time",
            ]
        )
        #expect(todo["target_url"]?.string?.hasSuffix("/merge_requests/7#note_\(activity.noteIDs[0])") == true)
        #expect(todo["body"]?.string == "see, @maria")
        #expect(todo["target"]?["iid"]?.integer == 7)
        #expect(todo["target"]?["subscribed"] == nil)
    }

    @Test func `todos are newest first and know no time filter`() throws {
        let fixture = try Fixture()
        for text in ["hi @maria", "again @maria"] {
            try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: text)
            fixture.clock.advance(.seconds(5))
        }
        let query = "?sort=asc&order_by=created_at&created_after=2099-01-01T00:00:00Z&updated_after=2099-01-01"
        #expect(try fixture.ids("/todos" + query) == [2, 1])
    }

    @Test func `the state is pending unless asked for done, and nothing else`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria")
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria")
        try fixture.gitLab.completeTodo(of: "maria", 1)
        #expect(try fixture.ids("/todos") == [2])
        #expect(try fixture.ids("/todos?state=pending") == [2])
        #expect(try fixture.ids("/todos?state=done") == [1])
        let reply = fixture.send(.get, "/todos?state=all")
        #expect(reply.response.text == "{\"error\":\"state does not have a valid value\"}")
    }

    @Test func `who is mentioned is seen once the to-do item is old, done or not, and is unclear before`() throws {
        let fixture = try Fixture()
        func mention() throws -> SeenItem.Mention? {
            try fixture.gitLab.openItems(seenBy: "maria")[fixture.mergeRequest]?.mention
        }
        #expect(try mention() == .never)
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria")
        #expect(try mention() == .unclear)
        fixture.clock.advance(.minutes(11))
        #expect(try mention() == .certain)
        try fixture.gitLab.completeTodo(of: "maria", 1)
        #expect(try mention() == .unclear)
        fixture.clock.advance(.minutes(11))
        #expect(try mention() == .certain)
    }

    @Test(arguments: [
        ("action=mentioned", 1), ("action=assigned", 0), ("type=MergeRequest", 1), ("type=Issue", 0),
        ("author_id=2", 1), ("author_id=1", 0), ("project_id=2", 1), ("project_id=1", 0),
    ])
    func `the declared filters work`(query: String, count: Int) throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria")
        #expect(try fixture.ids("/todos?" + query).count == count)
    }

    @Test(arguments: [
        (OtherTodoTarget.commit(project: "team/backend", sha: "abc123", title: "Fix"), "Commit", true),
        (.key(title: "laptop"), "Key", false), (.project("team/backend"), "Project", true),
        (.group("team"), "Namespace", false),
        (.workItem(project: "team/backend", iid: 9, title: "Task"), "WorkItem", true),
        (.design(project: "team/backend", filename: "a.png"), "DesignManagement::Design", true),
    ])
    func `targets come in every shape (trap 31)`(target: OtherTodoTarget, type: String, hasProject: Bool) throws {
        let fixture = try Fixture()
        try fixture.gitLab.addTodo(for: "maria", by: "omar", .marked, about: target)
        let todo = try #require(try fixture.get("/todos").array.first)
        #expect(todo["target_type"]?.string == type)
        #expect((todo["project"] != nil) == hasProject)
        #expect((todo["group"] != nil) == (type == "Namespace"))
        if type == "Commit" {
            #expect(todo["target"]?["id"]?.string == "abc123")
            #expect(todo["target"]?["iid"] == nil)
        }
    }

    @Test func `a target that cannot be seen any more is dropped after paging`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "hi @gast")
        #expect(try fixture.ids("/todos", as: "gast") == [1])
        try fixture.gitLab.setConfidential(by: "omar", on: fixture.issue, true)
        let reply = fixture.send(.get, "/todos", as: "gast").response
        #expect(reply.text == "[]")
        #expect(reply.fields["X-Total"] == "1")
    }
}

@Suite("GitLab facts §6.2 life of a to-do")
struct TodoLifeTests {
    @Test(arguments: [
        ("hey @maria", ["mentioned"]), ("@maria hey", ["directly_addressed"]),
        ("@omar @maria, look", ["directly_addressed"]), ("`@maria` and\n```\n@maria\n```", []), ("a@maria.org", []),
        ("    @maria", []), ("@maria.", ["directly_addressed"]), ("> @maria", ["mentioned"]), ("@marian", []),
        ("text\n@maria", ["mentioned"]), ("``@maria` x`` @maria", ["mentioned"]),
        ("thanks!\n\n@maria, look", ["directly_addressed"]), ("@omar, @maria: look", ["mentioned"]),
        ("- @maria", ["mentioned"]), ("# @maria", ["mentioned"]), ("@Maria, look", ["directly_addressed"]),
        ("é@maria", ["mentioned"]), ("@maria-", []), ("text\n\n    @maria", []), ("text\n    @maria", ["mentioned"]),
        ("it`s\n\n@maria can`t", ["directly_addressed"]), ("- it`s\n- @maria can`t", ["mentioned"]),
        ("`it is\n@maria`", []), ("> ```\n> @maria\n> ```", []), ("> ```\n> code\n\n@maria", ["directly_addressed"]),
        ("@maria/team", []), ("\\`@maria\\`", ["mentioned"]), ("- why\n\n    @maria", ["mentioned"]),
        ("#1 is yours\n    @maria", ["mentioned"]), ("- a\nlazy\n\n    @maria", ["mentioned"]),
        ("- ```\n  ask @maria\n  ```\n", []), ("- ```\n  code\n  ```\n\nask @maria", ["mentioned"]),
        ("- ```\n  code\nask @maria", ["mentioned"]), ("> - ~~~\n>   @maria\n>   ~~~\n", []),
        ("1. a\n   - ```\n     code\n     ```\n\n   @maria", ["mentioned"]),
        ("```\n> ```\n@maria\n```", []), ("- ```\n  > b\n  @maria\n  ```", []),
        ("- a\n```\nb\n```\nc\n  ```\n@maria\n  ```", []),
        (">     @maria", []), ("    - @maria", []), ("C:\\\\@maria", ["mentioned"]),
        ("Look:\n>     @maria", []), ("> a\n>>     @maria", []), ("- Look:\n  >     @maria", []),
        ("> a\nlazy\n>     @maria", ["mentioned"]), ("- > a\n  >     @maria", ["mentioned"]),
        ("- a\n  > b\n\n    @maria", ["mentioned"]), ("> a\n- b\n>     @maria", []),
        ("see https://social.example/@maria", []), ("www.social.example/@maria", []),
        ("(https://a.example/b) @maria", ["mentioned"]), ("a://, @maria", ["mentioned"]),
        ("[her](https://social.example/@maria)", []), ("[@maria](https://social.example)", []),
        ("[a](b \"@maria\")", []), ("[@maria] look", ["mentioned"]), ("[why](see @maria here)", ["mentioned"]),
        ("<!-- triage: @maria --> Green.", []), ("<!--\n\n@maria\n\n-->", []),
        ("<!-- why\n\nnot --> @maria", ["mentioned"]), ("why <!-- @maria", ["mentioned"]),
        ("<img alt=\"@maria\">", []), ("see <a href='/maria'>@maria</a>", []), ("<code>@maria</code>", []),
        ("<pre>\n\n@maria\n</pre>", []), ("see <b>@maria</b>", ["mentioned"]),
        ("[a [b](c) @maria](d)", ["mentioned"]), ("- a\n  <!-- x\n\nask @maria", ["mentioned"]),
        ("as in\n\n    <!-- x\n\nask @maria", ["mentioned"]), ("so\n    <!-- x\nand @maria", ["mentioned"]),
        ("<!-->\n\nask @maria", ["mentioned"]),
        ("<img alt=@maria>", []), ("<img alt = \"@maria\">", []), ("<img data_x=\"@maria\">", []),
        ("[x](<u @maria>)", []), ("[x](y (a @maria b))", []), ("[a \\[ @maria](x)", []), ("[a `]` @maria](y)", []),
        ("    code\u{2028}@maria", []),
        ("1 < 2, @maria > 0", ["mentioned"]), ("🎉@maria", ["mentioned"]),
        ("| who |\n| --- |\n| @maria |", ["mentioned"]),
    ])
    func `mentions make to-dos, but not in code, HTML and addresses`(body: String, actions: [String]) throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "ines", on: fixture.mergeRequest, body: body)
        #expect(try fixture.get("/todos").array.compactMap { $0["action_name"]?.string } == actions)
    }

    @Test(arguments: [(GitLabVersion(17, 7), 1, 1), (GitLabVersion(17, 8), 3, 2)])
    func `one pending to-do per target before 17.8, mentions repeat from then on (trap 10)`(
        version: GitLabVersion,
        afterMentions: Int,
        ofOmar: Int
    ) throws {
        let fixture = try Fixture(version: version)
        for _ in 0..<3 { try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria") }
        #expect(try fixture.ids("/todos").count == afterMentions)
        try fixture.gitLab.requestReview(by: "maria", on: fixture.mergeRequest, from: ["ines"])
        try fixture.gitLab.comment(by: "maria", on: fixture.mergeRequest, body: "hi @ines")
        try fixture.gitLab.requestReview(by: "maria", on: fixture.mergeRequest, from: ["ines"])
        #expect(try fixture.ids("/todos", as: "ines").count == ofOmar)
    }

    @Test(arguments: [(GitLabVersion(17, 7), []), (GitLabVersion(17, 8), [1])])
    func `from 17.8 on a reply resolves what its thread caused`(version: GitLabVersion, left: [Int64]) throws {
        let fixture = try Fixture(version: version)
        let (gitLab, item) = (fixture.gitLab, fixture.mergeRequest)
        try gitLab.comment(by: "omar", on: item, body: "hi @maria")
        let other = try gitLab.comment(by: "ines", on: item, body: "a thread")
        let note = try #require(other.noteIDs.first)
        try gitLab.reply(by: "maria", on: item, to: note, body: "an answer to that")
        #expect(try fixture.ids("/todos") == left)
        try gitLab.comment(by: "maria", on: item, body: "to all")
        #expect(try fixture.ids("/todos").isEmpty)
    }

    @Test func `what a comment has caused goes with it`() throws {
        let fixture = try Fixture()
        let comment = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria and @ines")
        let note = try #require(comment.noteIDs.first)
        let gone = try fixture.gitLab.deleteNote(by: "omar", on: fixture.mergeRequest, note: note)
        #expect(gone.resolvedTodoIDs == comment.todos.map(\.id).sorted())
        #expect(try fixture.ids("/todos").isEmpty && fixture.ids("/todos", as: "ines").isEmpty)
        #expect(try fixture.ids("/todos?state=done").isEmpty)
    }

    @Test func `reopening and a due date resolve nothing`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.close(by: "omar", on: fixture.issue)
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "hi @maria")
        try fixture.gitLab.reopen(by: "maria", on: fixture.issue)
        #expect(try fixture.ids("/todos").count == 1)
        try fixture.gitLab.close(by: "maria", on: fixture.issue)
        #expect(try fixture.ids("/todos").isEmpty)
    }

    @Test func `acting on the target resolves one's own to-dos, others' acts do not`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria and @ines")
        try fixture.gitLab.close(by: "omar", on: fixture.mergeRequest)
        #expect(try fixture.ids("/todos").count == 1)
        let activity = try fixture.gitLab.comment(by: "maria", on: fixture.mergeRequest, body: "done")
        #expect(activity.resolvedTodoIDs == [1])
        #expect(try fixture.ids("/todos").isEmpty)
        #expect(try fixture.ids("/todos?state=done") == [1])
        try fixture.gitLab.react(by: "ines", on: fixture.mergeRequest)
        #expect(try fixture.ids("/todos", as: "ines").isEmpty)
    }

    @Test func `editing a mention in makes a to-do for the newly mentioned`() throws {
        let fixture = try Fixture()
        let note = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @ines").noteIDs[0]
        fixture.clock.advance(.hours(2))
        let edit = try fixture.gitLab.editNote(
            by: "omar",
            on: fixture.mergeRequest,
            note: note,
            body: "hi @ines, @maria"
        )
        #expect(edit.todos.map(\.person) == ["maria"])
        #expect(edit.noteIDs == [note])
        let todo = try fixture.get("/todos").row(0)
        #expect(todo["target_url"]?.string?.hasSuffix("#note_\(note)") == true)
        #expect(todo["created_at"]?.string?.hasPrefix("2026-03-02T11:00:0") == true)
        let first = try fixture.get("/todos", as: "ines").row(0)
        #expect(first["created_at"]?.string?.hasPrefix("2026-03-02T09:00:0") == true)
        #expect(first["body"]?.string == "hi @ines, @maria", "it has no words of its own")
    }

    @Test func `a snoozed to-do comes back with its id and its old created_at (trap 6)`() throws {
        let fixture = try Fixture()
        let start = fixture.clock.wallNow
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria")
        let before = try fixture.get("/todos").row(0)
        try fixture.gitLab.snoozeTodo(of: "maria", 1, until: start.advanced(by: .hours(2)))
        #expect(try fixture.ids("/todos").isEmpty)
        fixture.clock.advance(.hours(2) - .milliseconds(1))
        #expect(try fixture.ids("/todos").isEmpty)
        fixture.clock.advance(.milliseconds(1))
        let after = try fixture.get("/todos").row(0)
        #expect(after["id"] == before["id"])
        #expect(after["created_at"] == before["created_at"])
    }

    @Test func `there is no snooze before 17.9`() throws {
        let fixture = try Fixture(version: GitLabVersion(17, 8))
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria")
        let end = fixture.clock.wallNow.advanced(by: .hours(1))
        #expect(throws: FakeGitLabError.self) { try fixture.gitLab.snoozeTodo(of: "maria", 1, until: end) }
    }

    @Test func `undo turns done back to pending with the same id`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria")
        try fixture.gitLab.completeTodo(of: "maria", 1)
        fixture.clock.advance(.hours(5))
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi again @maria")
        try fixture.gitLab.restoreTodo(of: "maria", 1)
        #expect(try fixture.ids("/todos") == [2, 1])
        #expect(fixture.gitLab.ledger.last?.restoredTodoIDs == [1])
    }

    @Test func `what can be done and undone is what is there`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria")
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "hi @maria")
        try fixture.gitLab.completeTodo(of: "maria", 1)
        #expect(try fixture.gitLab.todoIDs(of: "maria", on: nil, done: true) == [1])
        #expect(try fixture.gitLab.todoIDs(of: "maria", on: nil, done: false) == [2])
        #expect(try fixture.gitLab.todoIDs(of: "maria", on: fixture.mergeRequest, done: false) == [])
        try fixture.gitLab.deleteItem(by: "omar", on: fixture.issue)
        #expect(try fixture.gitLab.todoIDs(of: "maria", on: nil, done: false) == [])
        #expect(try fixture.gitLab.todoIDs(of: "maria", on: fixture.issue, done: false) == [])
    }

    @Test func `to-dos are deleted an hour after access is lost`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "hi @gast")
        try fixture.gitLab.setRole(of: "gast", in: "team/backend", to: nil, by: "omar")
        let hidden = fixture.send(.get, "/todos", as: "gast").response
        #expect(hidden.text == "[]")
        #expect(hidden.fields["X-Total"] == "1")
        fixture.clock.advance(.hours(1))
        #expect(fixture.send(.get, "/todos", as: "gast").response.fields["X-Total"] == "0")
        try fixture.gitLab.setRole(of: "gast", in: "team/backend", to: .guest, by: "omar")
        #expect(try fixture.ids("/todos", as: "gast").isEmpty)
    }

    @Test func `access that returns within the hour keeps them`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "hi @gast")
        try fixture.gitLab.setRole(of: "gast", in: "team/backend", to: nil, by: "omar")
        fixture.clock.advance(.minutes(30))
        try fixture.gitLab.setRole(of: "gast", in: "team/backend", to: .guest, by: "omar")
        fixture.clock.advance(.hours(3))
        #expect(try fixture.ids("/todos", as: "gast") == [1])
    }

    @Test func `a failed pipeline makes a to-do whose author is the author of the merge request`() throws {
        let fixture = try Fixture()
        let activity = try fixture.gitLab.finishPipeline(on: fixture.mergeRequest, status: .failed)
        #expect(activity.todos.map(\.action) == [.buildFailed])
        let todo = try fixture.get("/todos").row(0)
        #expect(todo["action_name"]?.string == "build_failed")
        #expect(todo["author"]?["username"]?.string == "maria")
        try fixture.gitLab.finishPipeline(on: fixture.mergeRequest, status: .success)
        #expect(try fixture.ids("/todos").count == 1)
    }

    @Test(arguments: TodoAction.allCases)
    func `every action has its wire name`(action: TodoAction) throws {
        let fixture = try Fixture()
        try fixture.gitLab.addTodo(for: "maria", by: "omar", action, about: .key(title: "laptop"))
        #expect(try fixture.get("/todos").row(0)["action_name"]?.string == action.rawValue)
    }
}

@Suite("GitLab facts §6.3 changing to-dos")
struct TodoWritingTests {
    @Test func `mark_as_done answers 201 with the to-do, also the second time`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria")
        for _ in 0..<2 {
            let reply = fixture.send(.post, "/todos/1/mark_as_done", json: "{}").response
            #expect(reply.status == 201)
            #expect(try reply.json()["state"]?.string == "done")
            #expect(try reply.json()["target"]?["subscribed"]?.bool == true)
        }
        #expect(fixture.gitLab.ledger.map(\.kind) == [.commented, .todoDone])
    }

    @Test func `someone else's to-do is not found`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria")
        let reply = fixture.send(.post, "/todos/1/mark_as_done", as: "omar", json: "{}").response
        #expect(reply.status == 404)
        #expect(reply.text == "{\"message\":\"404 Not found\"}")
    }

    @Test func `marking all as done answers 204 without a body`() throws {
        let fixture = try Fixture()
        for _ in 0..<2 { try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "hi @maria") }
        let reply = fixture.send(.post, "/todos/mark_as_done", json: "{}").response
        #expect(reply.status == 204)
        #expect(reply.body.isEmpty)
        #expect(try fixture.ids("/todos").isEmpty)
    }

    @Test func `adding a to-do answers 201, and 304 while one is pending`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.mergeRequest, "/todo")
        let first = fixture.send(.post, path, json: "{}").response
        #expect(first.status == 201)
        #expect(try first.json()["action_name"]?.string == "marked")
        #expect(try first.json()["author"]?["username"]?.string == "maria")
        let second = fixture.send(.post, path, json: "{}").response
        #expect(second.status == 304)
        #expect(second.body.isEmpty)
    }
}
